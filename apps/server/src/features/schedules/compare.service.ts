import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { comparedKinds, planDiff } from '@headrace/contract/rules/schedule/plan-diff';
import type { Programme } from '@headrace/contract/rules/schedule/programme';
import type { ComparedUnit, compareSets } from '@headrace/contract/schedule-sets';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import type { FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import type { CompareRepo, HeldNow, UnitNames } from './compare.repo.ts';
import { byDevice, cycleDaysOf } from './schedule-sets.ts';
import { inDays, type SetTurn } from './set-standing.ts';
import type { SetRow, SetsRepo } from './sets.repo.ts';

/** Programmes by device, and the line that each waters in. */
interface Side {
  readonly programmes: ReadonlyMap<string, Programme>;
  readonly lines: ReadonlyMap<string, string>;
  /** Nobody knows what they hold. */
  readonly unknown: ReadonlySet<string>;
}

export function createCompareService(sets: SetsRepo, repo: CompareRepo) {
  async function find(farm: FarmRow, uid: string): Promise<SetRow> {
    const row = await sets.readKnown(farm.id, uid.toLowerCase());
    if (!row || row.deletedAt) throw notFound('This farm has no such schedule set.');
    return row;
  }
  const sideOf = async (farm: FarmRow, row: SetRow) => setSide(row, await repo.turns(farm.id, row.id));

  return {
    /** Throws notFound. */
    async compare(
      farm: FarmRow,
      query: Omit<QueryOf<typeof compareSets>, 'farmUID'>,
    ): Promise<ReplyOf<typeof compareSets>> {
      const to = await find(farm, query.to);
      const from = query.from === undefined ? null : await find(farm, query.from);
      const [before, after, names] = await Promise.all([
        from ? sideOf(farm, from) : repo.held(farm.id).then(heldSide),
        sideOf(farm, to),
        repo.names(farm.id),
      ]);
      const units = compared(before, after, names);
      const counts = Object.fromEntries(
        comparedKinds.map((kind) => [kind, units.filter((unit) => unit.kind === kind).length]),
      ) as ReplyOf<typeof compareSets>['counts'];
      return {
        from: from && { uid: from.uid, name: from.name },
        to: { uid: to.uid, name: to.name },
        counts,
        units: units.filter(({ kind }) => kind !== 'same'),
        notKnown: [...before.unknown].flatMap((unit) => names.get(Number(unit))?.serialNumber ?? []),
      };
    },
  };
}
export type CompareService = ReturnType<typeof createCompareService>;

function setSide(row: SetRow, turns: readonly SetTurn[]): Side {
  const units = byDevice(turns);
  const cycleDays = cycleDaysOf(row, units);
  const programmes = new Map<string, Programme>();
  const lines = new Map<string, string>();
  for (const [deviceId, { entries, scheduleGroup }] of units) {
    const told = inDays(entries);
    programmes.set(String(deviceId), { entries: told, cycleDays, crc: scheduleCrc(told) });
    lines.set(String(deviceId), scheduleGroup);
  }
  return { programmes, lines, unknown: new Set() };
}

function heldSide(held: readonly HeldNow[]): Side {
  const programmes = new Map<string, Programme>();
  for (const { deviceId, entries, cycleDays } of held)
    if (entries && entries.length > 0)
      programmes.set(String(deviceId), { entries, cycleDays: cycleDays ?? 0, crc: scheduleCrc(entries) });
  const unknown = held.flatMap(({ deviceId, isKnown }) => (isKnown ? [] : [String(deviceId)]));
  return { programmes, lines: new Map(), unknown: new Set(unknown) };
}

/** By name. Of a unit whose cycle isn't known it is taken to be that of the plan. */
function compared(before: Side, after: Side, names: ReadonlyMap<number, UnitNames>): ComparedUnit[] {
  const from = new Map(
    [...before.programmes].map(([unit, programme]) => {
      const cycleDays = programme.cycleDays || (after.programmes.get(unit)?.cycleDays ?? 1);
      return [unit, { ...programme, cycleDays }];
    }),
  );
  return planDiff(from, after.programmes)
    .map((change) => ({
      uid: names.get(Number(change.unit))?.uid ?? '',
      name: names.get(Number(change.unit))?.name ?? '',
      serialNumber: names.get(Number(change.unit))?.serialNumber ?? '',
      line: after.lines.get(change.unit) ?? before.lines.get(change.unit) ?? '',
      kind: before.unknown.has(change.unit) ? ('unknown' as const) : change.kind,
      from: shown(change.from),
      to: shown(change.to),
    }))
    .toSorted((one, other) => compareNatural(one.name, other.name));
}

const shown = (programme: Programme | null) =>
  programme && { cycleDays: programme.cycleDays, entries: [...programme.entries] };
