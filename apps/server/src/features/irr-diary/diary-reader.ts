import type { Timezone } from '@headrace/contract/farms';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import {
  diaryReasons,
  type DiaryFacts,
  type DiaryReason,
  isKept,
} from '@headrace/contract/rules/schedule/diary-reasons';
import {
  type DiaryEntry,
  entryStart,
  unitDiary,
  type UnitPast,
} from '@headrace/contract/rules/schedule/unit-diary';
import { graceMs } from '@headrace/contract/rules/valve-belief';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { AskedSpan, DiaryTroublesRepo } from './diary-troubles.repo.ts';
import type {
  ClockRow,
  DiaryGroup,
  DiaryUnit,
  DiaryUnitsRepo,
  Grouping,
  GroupingRow,
  HeldRow,
  Span,
  WantedRow,
} from './diary-units.repo.ts';
import { byDevice } from './by-key.ts';
import { planSpans } from './plan-spans.ts';

const DAY = 86_400_000;

/** One entry of the diary, whose it is and why it went as it did. */
export interface ReasonedEntry extends Omit<DiaryEntry, 'reasons'> {
  readonly unit: DiaryUnit;
  /** Those of then. */
  readonly grouping: Grouping;
  readonly reasons: readonly DiaryReason[];
  readonly isKept: boolean;
  readonly isPart: boolean;
  /** Seconds that its clock was fast, near that time; null: it has not said. */
  readonly clockS: number | null;
}

export interface Diary {
  readonly units: readonly DiaryUnit[];
  readonly groups: readonly DiaryGroup[];
  /** In the order of time. */
  readonly entries: readonly ReasonedEntry[];
  /** In which groups a sprinkler was then. */
  readonly groupingAt: (unit: DiaryUnit, at: number) => Grouping;
}

interface Parts {
  readonly units: DiaryUnitsRepo;
  readonly troubles: DiaryTroublesRepo;
}

/** Reads what a farm's sprinklers were to do and did in some days; a fixed number of queries, however many they are. */
export function createDiaryReader({ units: repo, troubles }: Parts) {
  async function readPasts(farm: FarmRow, groupUid: string | null, span: Span) {
    const wide = { from: span.from - DAY, to: span.to + DAY };
    const [units, groups, groupings, held, runs, openings, clocks] = await Promise.all([
      repo.units(farm.id, groupUid, wide),
      repo.groups(farm.id),
      repo.groupings(farm.id, span.to),
      repo.held(farm.id, wide),
      repo.runs(farm.id, wide),
      repo.openings(farm.id, wide),
      repo.clocks(farm.id, span.to),
    ]);
    // Who was sent something since is to be told by what it was to hold then.
    const changed = units.filter(({ wanted }) => (wanted.at(-1)?.at ?? 0) > wide.from).map(({ id }) => id);
    const sends = byDevice(await repo.sends(farm.id, changed, wide.to));
    const [groupingsOf, heldOf, runsOf, openingsOf, clockOf] = [
      byDevice(groupings),
      byDevice(held),
      byDevice(runs),
      byDevice(openings),
      byDevice(clocks),
    ];
    const pasts = units.map((unit) => {
      const wanted = wantedOf(unit, sends(unit.id));
      const clock = clockOf(unit.id)[0] ?? null;
      const past: UnitPast = {
        spans: planSpans(heldOf(unit.id), wanted, wide),
        runs: runsOf(unit.id).map((run) => ({ ...run, unit: unit.uid })),
        clockS: clock?.s ?? null,
        saidClosed: [],
        logged: [],
        openings: openingsOf(unit.id),
      };
      return { unit, past, clock, wanted, held: heldOf(unit.id), groupings: groupingsOf(unit.id) };
    });
    const byName = pasts.toSorted((one, other) => compareNatural(one.unit.name, other.unit.name));
    return { pasts: byName, groups };
  }

  /** Of what isn't known to have been watered, whether the sprinkler said that its valve was closed. */
  async function withReports(farmId: number, made: readonly Made[], zone: Timezone, span: Span, now: number) {
    const open = made.flatMap(({ unit, past, entries }) =>
      entries.flatMap((entry) => askedSpan(entry, unit.id, graceMs(past.clockS))),
    );
    const closedOf = byDevice(
      await troubles.saidClosed(
        farmId,
        open.filter(({ from, to }) => from < to),
      ),
    );
    return made.map((one): Made => {
      const saidClosed = closedOf(one.unit.id).map(({ at }) => at);
      if (saidClosed.length === 0) return one;
      const past = { ...one.past, saidClosed };
      return { ...one, past, entries: unitDiary(past, zone, span, now) };
    });
  }

  async function factsOf(farmId: number, made: readonly Made[], span: Span) {
    const troubled = made.filter(({ entries }) => entries.some(isTrouble));
    const ids = troubled.map(({ unit }) => unit.id);
    const silent = troubled.flatMap(({ unit, entries }) =>
      entries
        .filter(({ outcome, said }) => outcome === 'not known' && said === null)
        .map(({ planned }) => ({ deviceId: unit.id, from: planned?.startAt ?? 0, to: planned?.endAt ?? 0 })),
    );
    const [orders, heard, charges, swaps, service] = await Promise.all([
      troubles.orders(farmId, ids, span.to + DAY),
      troubles.heardBefore(farmId, silent),
      troubles.charges(farmId, ids, span.to),
      troubles.swaps(farmId, ids, { from: span.from - DAY, to: span.to + DAY }),
      troubles.service(
        farmId,
        troubled.map(({ unit }) => unit.uid),
      ),
    ]);
    const [ordersOf, chargeOf, swapsOf] = [byDevice(orders), byDevice(charges), byDevice(swaps)];
    const heardAt = new Map(heard.map(({ deviceId, to, at }) => [`${deviceId}/${to}`, at]));
    return ({ unit, clock, wanted, held }: Made, entry: DiaryEntry): DiaryFacts => ({
      outOfService: outSpans(
        unit,
        service.filter(({ uid }) => uid === unit.uid),
      ),
      orders: ordersOf(unit.id),
      sends: wanted,
      foreign: held
        .filter(({ entries, crc }) => entries === null && crc !== inhibitedCrc)
        .map(({ since, until }) => ({ from: since, to: until })),
      clock: clock && { s: clock.s, at: clock.at },
      charge: chargeOf(unit.id)[0] ?? null,
      heardBefore: heardAt.get(`${unit.id}/${entry.planned?.endAt ?? 0}`) ?? null,
      swaps: swapsOf(unit.id).map(({ at }) => at),
    });
  }

  return {
    /** All that began, or was to begin, in [from, to), epoch ms; of one group or of all. */
    async read(farm: FarmRow, span: Span, groupUid: string | null, now: number): Promise<Diary> {
      const zone = toZone(farm);
      const { pasts, groups } = await readPasts(farm, groupUid, span);
      const first = pasts.map((one): Made => ({ ...one, entries: unitDiary(one.past, zone, span, now) }));
      const made = await withReports(farm.id, first, zone, span, now);
      const facts = await factsOf(farm.id, made, span);
      const entries = made.flatMap((one) => reasonedEntries(one, facts));
      const asked = groupUid === null ? entries : entries.filter((entry) => isOf(entry, groupUid));
      const inTime = asked.toSorted((one, other) => entryStart(one) - entryStart(other));
      const groupingsOf = new Map(pasts.map(({ unit, groupings }) => [unit.id, groupings]));
      return {
        units: made.map(({ unit }) => unit),
        groups,
        entries: inTime,
        groupingAt: ({ id }, at) => groupingAt(groupingsOf.get(id) ?? [], at),
      };
    },
  };
}
export type DiaryReader = ReturnType<typeof createDiaryReader>;

const reasonedEntries = (one: Made, facts: (one: Made, entry: DiaryEntry) => DiaryFacts): ReasonedEntry[] =>
  one.entries.map((entry) => {
    const reasons = diaryReasons(entry, facts(one, entry));
    return {
      ...entry,
      unit: one.unit,
      grouping: groupingAt(one.groupings, entryStart(entry)),
      reasons,
      isKept: isKept(entry, reasons),
      isPart: entry.said?.isPart ?? one.unit.isPart,
      clockS: one.past.clockS,
    };
  });

const isOf = ({ grouping }: ReasonedEntry, groupUid: string) =>
  grouping.groups.some(({ uid }) => uid === groupUid);

/** What was so then; before anything was noted, as it was first. */
const groupingAt = (rows: readonly GroupingRow[], at: number): Grouping =>
  rows.findLast(({ since }) => since <= at) ?? rows[0] ?? { groups: [], line: '' };

interface Made {
  readonly unit: DiaryUnit;
  readonly past: UnitPast;
  readonly clock: ClockRow | null;
  readonly wanted: readonly Omit<WantedRow, 'deviceId'>[];
  readonly held: readonly HeldRow[];
  readonly groupings: readonly GroupingRow[];
  readonly entries: readonly DiaryEntry[];
}

/** When reports of a closed valve would tell more of it: of one that isn't known, and of one that said open later than its time. */
function askedSpan({ outcome, planned, said }: DiaryEntry, deviceId: number, grace: number): AskedSpan[] {
  if (!planned) return [];
  const from = planned.startAt + grace;
  if (said === null) return outcome === 'not known' ? [{ deviceId, from, to: planned.endAt - grace }] : [];
  return said.openedAt > from ? [{ deviceId, from, to: said.openedAt }] : [];
}

export const isTrouble = ({ outcome }: Pick<DiaryEntry, 'outcome'>): boolean =>
  outcome !== 'watered' && outcome !== 'by hand';

/** What it was to hold, oldest first: by what was sent, and by what it is to hold now, which may come of no send. */
function wantedOf({ wanted }: DiaryUnit, sends: readonly WantedRow[]): Omit<WantedRow, 'deviceId'>[] {
  const all = new Map([...sends, ...wanted].map((one) => [one.at, one]));
  return [...all.values()].toSorted((one, other) => one.at - other.at);
}

/** The change log may not reach back to when it was put out of service: then it is so from before. */
function outSpans(
  { isOutOfService }: DiaryUnit,
  log: readonly { readonly at: number; readonly isOut: boolean }[],
): DiaryFacts['outOfService'] {
  if (log.length === 0) return isOutOfService ? [{ from: 0, to: null }] : [];
  const spans: { from: number; to: number | null }[] =
    log[0]?.isOut === false ? [{ from: 0, to: log[0].at }] : [];
  for (const [index, { at, isOut }] of log.entries())
    if (isOut) spans.push({ from: at, to: log[index + 1]?.at ?? null });
  return spans;
}
