import type { BodyOf } from '@headrace/contract/endpoint';
import type { FileSet, FileTurn } from '@headrace/contract/rules/files/read-schedules';
import type { createSet } from '@headrace/contract/schedule-sets';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { lockSchedules } from './alone-with-schedules.ts';
import { keptDesign } from './design-checks.ts';
import { type CheckedSet, checkSet } from './new-set.ts';
import { createScheduleSets } from './schedule-sets.ts';
import { schedulesOn } from './schedules.feature.ts';
import { createSetsRepo } from './sets.repo.ts';
import { createSupplyRepo } from './supply.repo.ts';
import { createSupplyService } from './supply.service.ts';
import { createTemplatesRepo } from './templates.repo.ts';
import { createTemplatesService } from './templates.service.ts';

type Body = BodyOf<typeof createSet>;
type Wanted = Pick<FileSet, 'name' | 'cycleLen'> & { readonly turns: readonly FileTurn[] };

/** A set of a file that may be stored. */
export interface NewFileSet {
  readonly body: Body;
  readonly checked: CheckedSet;
  /** The set that it takes the place of in lists. */
  readonly replaces: number | null;
}

/** What sets of a file are judged by, as the transaction has it: nobody else changes the farm's sets before its end. */
export async function farmForSets(trx: Db, farm: FarmRow) {
  await lockSchedules(trx, farm.id);
  const repo = createSetsRepo(trx);
  const published = await schedulesOn(trx).ofFarm(farm, undefined);
  const listed = await repo.list(farm.id);
  const details = await createTemplatesService(createTemplatesRepo(trx)).details(farm);
  const units = await repo.sprinklers(farm.id);
  const supply = await createSupplyService(createSupplyRepo(trx)).of(farm);
  const groupOf = new Map(details.groups.map((group) => [group.name.toLowerCase(), group]));
  const serials = new Set(units.map(({ serialNumber }) => serialNumber.toLowerCase()));
  return {
    /** With what they have, the oldest first. */
    sets: published.sets,
    currentUid: published.curr_set,
    idOf: (uid: string): number | null => listed.find((set) => set.uid === uid)?.id ?? null,
    groupNames: details.groups.map(({ name }) => name),
    serialNumbers: units.map(({ serialNumber }) => serialNumber),
    hasGroup: (name: string) => groupOf.has(name.toLowerCase()),
    hasUnit: (serial: string) => serials.has(serial.toLowerCase()),
    /** By the rules of a set that is made here. Throws invalid. */
    async check({ name, cycleLen, turns }: Wanted): Promise<Pick<NewFileSet, 'body' | 'checked'>> {
      const groups = new Set(turns.flatMap(({ group }) => groupOf.get(group.toLowerCase())?.uid ?? []));
      const body: Body = {
        farmUID: farm.uid,
        name,
        groups: [...groups].map((uid) => ({ uid })),
        settings: { cycleLen, duration: turns[0]?.schedules[0]?.duration ?? 1 },
        schedules: turns.map(({ line: _line, schedules, ...turn }) => ({
          ...turn,
          schedules: [...schedules],
        })),
      };
      return { body, checked: await checkSet(body, details, units, supply) };
    },
    /** As one that was edited by hand; undone, it leaves the list, and what it replaced is there again. */
    async store({ body, checked, replaces }: NewFileSet, by: By): Promise<void> {
      const { accountId, page, batch, now } = by;
      const uid = newUid(now);
      const { figures, findings, settings } = checked;
      const origin = { template: null, isByHand: true, figures, findings, replaces, accountId, now };
      const design = keptDesign({ ...body, settings }, details.groups);
      await createScheduleSets(trx).store(farm.id, {
        uid,
        name: body.name,
        cycleMinutes: body.settings.cycleLen,
        units: checked.units,
        origin: { ...origin, design },
      });
      const of = { kind: 'schedule set', uid, name: body.name } as const;
      const columns = { deleted_at: [now.toISOString(), null], replaces: [null, replaces] } as const;
      batch?.records.push({ ...of, what: 'changed', columns });
      await logChanges(
        trx,
        [{ ...of, farmId: farm.id, accountId, what: 'created', fields: [], page, batch }],
        now,
      );
    },
  };
}
export type FarmForSets = Awaited<ReturnType<typeof farmForSets>>;
