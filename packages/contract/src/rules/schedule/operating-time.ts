import type { DiaryEntry } from './unit-diary.ts';

const MINUTE = 60_000;

/** An entry of a sprinkler's diary, as far as it counts for one schedule set. */
export interface OperatedEntry
  extends Pick<DiaryEntry, 'planned' | 'said' | 'applied' | 'isLengthKnown' | 'outcome'> {
  readonly reasons: readonly { readonly code: string }[];
  /** It was to water, and people or its state kept it from that: no fault. */
  readonly isKept: boolean;
  /** It was planned by that set. */
  readonly isOfSet: boolean;
}

/** How long one sprinkler was to water by a set, and did. Minutes are not rounded. */
export interface OperatingTime {
  /** All that was to be until now, without what was kept from. */
  readonly planned: number;
  /** Of `planned`: of which nothing is known. */
  readonly unknown: number;
  /** Of what was planned; null: it was to water, and nothing is known of it. */
  readonly actual: number | null;
  /** `actual` of what is known of `planned`, %; null: nothing was planned, or nothing is known. */
  readonly share: number | null;
  readonly kept: number;
  /** By other sets, by hand and unplanned; null: that it opened is known, and not how long it was open. */
  readonly other: number | null;
  readonly waterings: {
    readonly planned: number;
    readonly unknown: number;
    readonly missed: number;
    readonly kept: number;
    /** Counted until they were to end. */
    readonly startNotHeard: number;
    readonly endNotHeard: number;
  };
  /** When it was last open, as far as is believed; epoch ms. Null: not in the time, as far as is known. */
  readonly lastWatered: number | null;
  /** It said "open" last, and is to be. */
  readonly isRunning: boolean;
}

/** `entries`: of one sprinkler; `now`: epoch ms, a watering that goes on is counted until then. */
export function operatingTime(entries: readonly OperatedEntry[], now: number): OperatingTime {
  const ofSet = entries.filter(({ planned, isOfSet }) => planned !== null && isOfSet);
  const due = ofSet.filter(({ isKept }) => !isKept);
  const known = due.filter(({ applied }) => applied !== null);
  const unknown = minutesPlanned(
    due.filter(({ applied }) => applied === null),
    now,
  );
  const planned = minutesPlanned(due, now);
  const minutes = known.reduce((sum, { applied }) => sum + (applied?.minutes.believed ?? 0), 0);
  return {
    planned,
    unknown,
    actual: known.length === 0 && due.length > 0 ? null : minutes,
    share: planned > unknown ? (minutes / (planned - unknown)) * 100 : null,
    kept: minutesPlanned(
      ofSet.filter(({ isKept }) => isKept),
      now,
    ),
    other: otherMinutes(entries.filter((entry) => !ofSet.includes(entry))),
    waterings: {
      planned: due.length,
      unknown: due.length - known.length,
      missed: due.filter(({ outcome }) => outcome === 'missed').length,
      kept: ofSet.length - due.length,
      startNotHeard: due.filter((entry) => hasReason(entry, 'startNotHeard')).length,
      endNotHeard: due.filter((entry) => hasReason(entry, 'endNotHeard')).length,
    },
    lastWatered: latest(entries, now),
    isRunning: entries.some(isUnderWay),
  };
}

const hasReason = ({ reasons }: OperatedEntry, asked: string) => reasons.some(({ code }) => code === asked);

/** Its valve is open, and its time isn't over. */
const isUnderWay = (entry: OperatedEntry): boolean =>
  entry.said !== null && entry.said.closedAt === null && hasReason(entry, 'notOver');

const minutesPlanned = (entries: readonly OperatedEntry[], now: number): number =>
  entries.reduce(
    (sum, { planned }) => sum + (planned ? Math.max(0, Math.min(planned.endAt, now) - planned.startAt) : 0),
    0,
  ) / MINUTE;

function otherMinutes(entries: readonly OperatedEntry[]): number | null {
  const runs = entries.filter(({ said }) => said !== null);
  if (runs.some(({ isLengthKnown, applied }) => !isLengthKnown || applied === null)) return null;
  return runs.reduce((sum, { applied }) => sum + (applied?.minutes.believed ?? 0), 0);
}

function latest(entries: readonly OperatedEntry[], now: number): number | null {
  const ends = entries.flatMap(({ said, applied, isLengthKnown }) => {
    if (said === null) return [];
    // Of which it isn't known how long it was open, what it said last of being open.
    const minutes = isLengthKnown && applied ? applied.minutes.believed : applied?.minutes.least;
    return Math.max(said.openUntil, said.openedAt + (minutes ?? 0) * MINUTE);
  });
  return ends.length === 0 ? null : Math.min(now, Math.max(...ends));
}
