import type { Timezone } from '@headrace/contract/farms';
import {
  type DiaryFacts,
  type DiaryReason,
  diaryReasons,
  isKept,
} from '@headrace/contract/rules/schedule/diary-reasons';
import {
  type DiaryEntry,
  entryStart,
  unitDiary,
  type UnitPast,
} from '@headrace/contract/rules/schedule/unit-diary';
import { graceMs } from '@headrace/contract/rules/valve-belief';
import type { UnitFacts } from './diary-facts.repo.ts';
import type { AskedSpan } from './diary-troubles.repo.ts';
import type { DiaryUnit, Grouping, GroupingRow, Span, WantedRow } from './diary-units.repo.ts';
import { planSpans } from './plan-spans.ts';

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

/** Days of a farm's diary: all that begins in `span`; what is told of it reaches a day further to both sides, `wide`. */
export interface Days {
  readonly zone: Timezone;
  readonly span: Span;
  readonly wide: Span;
}

/** What a sprinkler was to do and did in some days. */
export interface UnitDays extends Omit<UnitFacts, 'runs' | 'openings' | 'sends'> {
  /** What it was to hold, oldest first. */
  readonly wanted: readonly WantedRow[];
  readonly past: UnitPast;
  readonly entries: readonly DiaryEntry[];
  /** When reports of a closed valve would tell more of it. */
  readonly asked: readonly AskedSpan[];
  /** The entries with their reasons; null: of one of them something went otherwise, and only other facts tell why. */
  readonly reasoned: readonly ReasonedEntry[] | null;
}

export function unitDays(
  { unit, held, sends, clock, groupings, runs, openings }: UnitFacts,
  { zone, span, wide }: Days,
  now: number,
): UnitDays {
  const wanted = wantedOf(unit, sends);
  const past: UnitPast = {
    spans: planSpans(held, wanted, wide),
    runs,
    clockS: clock?.s ?? null,
    saidClosed: [],
    logged: [],
    openings,
  };
  const entries = unitDiary(past, zone, span, now);
  const grace = graceMs(past.clockS);
  const asked = entries.flatMap((entry) => askedSpan(entry, unit.id, grace));
  return withReasons({ unit, held, clock, groupings, wanted, past, entries, asked, reasoned: null });
}

/** The same with what the sprinkler said of its closed valve. */
export function withSaidClosed(
  one: UnitDays,
  saidClosed: readonly number[],
  { zone, span }: Days,
  now: number,
): UnitDays {
  const past = { ...one.past, saidClosed };
  return withReasons({ ...one, past, entries: unitDiary(past, zone, span, now), reasoned: null });
}

const withReasons = (one: UnitDays): UnitDays =>
  one.entries.some(isTrouble)
    ? one
    : { ...one, reasoned: reasonedEntries(one, () => ({ ...nothingHappened, sends: one.wanted })) };

const nothingHappened: DiaryFacts = {
  outOfService: [],
  orders: [],
  sends: [],
  foreign: [],
  clock: null,
  charge: null,
  heardBefore: null,
  swaps: [],
};

export const reasonedEntries = (one: UnitDays, factsOf: (entry: DiaryEntry) => DiaryFacts): ReasonedEntry[] =>
  one.entries.map((entry) => toReasoned(one, entry, diaryReasons(entry, factsOf(entry))));

/** Member by member: of thousands a copy by `...` takes several times as long. */
const toReasoned = (
  { unit, groupings, past }: UnitDays,
  entry: DiaryEntry,
  reasons: readonly DiaryReason[],
): ReasonedEntry => ({
  outcome: entry.outcome,
  planned: entry.planned,
  said: entry.said,
  span: entry.span,
  basis: entry.basis,
  endsAt: entry.endsAt,
  applied: entry.applied,
  isLengthKnown: entry.isLengthKnown,
  unit,
  grouping: groupingAt(groupings, entryStart(entry)),
  reasons,
  isKept: isKept(entry, reasons),
  isPart: entry.said?.isPart ?? unit.isPart,
  clockS: past.clockS,
});

/** What was so then; before anything was noted, as it was first. */
export const groupingAt = (rows: readonly GroupingRow[], at: number): Grouping =>
  rows.findLast(({ since }) => since <= at) ?? rows[0] ?? { groups: [], line: '' };

export const isTrouble = ({ outcome }: Pick<DiaryEntry, 'outcome'>): boolean =>
  outcome !== 'watered' && outcome !== 'by hand';

/** Of one that isn't known, and of one that said open later than its time. */
function askedSpan({ outcome, planned, said }: DiaryEntry, deviceId: number, grace: number): AskedSpan[] {
  if (!planned || (said === null && outcome !== 'not known')) return [];
  const from = planned.startAt + grace;
  const to = said === null ? planned.endAt - grace : said.openedAt;
  return from < to ? [{ deviceId, from, to }] : [];
}

/** By what was sent, and by what it is to hold now, which may come of no send. */
function wantedOf({ wanted }: DiaryUnit, sends: readonly WantedRow[]): readonly WantedRow[] {
  if (sends.length === 0) return wanted;
  const all = new Map([...sends, ...wanted].map((one) => [one.at, one]));
  return [...all.values()].toSorted((one, other) => one.at - other.at);
}
