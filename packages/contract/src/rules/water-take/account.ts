import type { ReplyOf } from '../../endpoint.ts';
import type { TakeCheck, TakeDay, takeDays, TakeEntries, TakeExceedance } from '../../water-takes.ts';
import { TAKE_LISTED } from '../../water-takes.ts';
import type { Gap } from '../alerts/silence.ts';
import { isoTime } from '../iso-time.ts';
import { eachPiece, type Pieces } from '../pieces.ts';
import {
  DAY_MS,
  QUARTER_MS,
  type StandardTime,
  standardName,
  takeDay,
  takeDayAt,
  takeDayStart,
  utcDay,
  waterYearStart,
} from './clock.ts';
import { registerOf } from './coded-places.ts';
import { gapsIn } from './gap-causes.ts';
import { type Exceedance, exceedancesOf, type TakeLimits } from './limits.ts';
import type { TakeNote } from './note-fit.ts';
import type { MeterAtPlace, PlaceVolumes } from './places.ts';
import { checksOf } from './register.ts';
import { rowsIn, type TakeRow } from './rows.ts';
import { eachDaySum, sumOf, type TakeSum } from './sums.ts';
import { m3OfGaps, restrictionsOf, useNow } from './use-now.ts';

type DaysReply = ReplyOf<typeof takeDays>;

/** A take as far as it is reckoned by it. */
export interface ReckonedTake extends TakeLimits, Pick<TakeEntries, 'restrictions'> {
  readonly meters: readonly MeterAtPlace[];
  /** What people read off its meters, m³. */
  readonly readings: readonly {
    readonly meterId: number;
    readonly at: Date;
    readonly register: number;
  }[];
}

/** What went through a take's meters. */
export interface ReckonedVolumes {
  readonly places: readonly PlaceVolumes[];
  /** All places together. */
  readonly rows: readonly TakeRow[];
  /** So far quarters are over and have been heard of, or ought to have been; epoch ms. */
  readonly until: number;
  /** How far its meters may be wrong, of their reading. */
  readonly accuracy: number;
  /** Days of UTC (their starts) of which a meter was reckoned with other settings than those of now, and can't be anew. */
  readonly others: ReadonlySet<number>;
}

/** All that its page and its pack are reckoned from. */
export interface TakeAccount {
  readonly time: StandardTime;
  readonly take: ReckonedTake;
  readonly volumes: ReckonedVolumes;
  /** What is asked for, whole days. */
  readonly range: { readonly from: number; readonly to: number };
  readonly notes: readonly TakeNote[];
  /** When we didn't listen to devices. */
  readonly outages: readonly Gap[];
  /** Readings from before are no longer kept, epoch ms. */
  readonly keptSince: number;
}

/** What `volumes` has to hold for a range: seven days and the water year before its first day count for its limits. */
export const neededFor = (time: StandardTime, { from, to }: TakeAccount['range']): TakeAccount['range'] => ({
  from: waterYearStart(time, from) - 6 * DAY_MS,
  to,
});

/** Ten days' quarters: they are judged without a break. */
const ROWS_AT_ONCE = 1000;

/** In the order of time. `sums`: of all days that are known. */
function* exceedancesIn(
  { time, take, volumes, range }: TakeAccount,
  sums: readonly TakeSum[],
): Pieces<Exceedance[]> {
  const how = { accuracy: volumes.accuracy, time, restrictions: restrictionsOf(take) };
  const rows = rowsIn(volumes.rows, range);
  const found: Exceedance[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    found.push(...exceedancesOf({ rows: rows.slice(at, at + ROWS_AT_ONCE), days: [] }, take, how));
    yield;
  }
  const ofDays = exceedancesOf({ rows: [], days: sums }, take, how);
  const inRange = ofDays.filter(({ at }) => at >= range.from && at < range.to);
  return [...found, ...inRange].toSorted((a, b) => a.at - b.at);
}

function checksIn({ volumes, take, range }: TakeAccount): TakeCheck[] {
  return volumes.places.flatMap(({ site, meters, stretches }) =>
    meters.flatMap((meter) =>
      checksOf(registerOf(take, meter), stretches)
        .filter(({ to, from }) => to > range.from && from < range.to)
        .map(({ from, to, ...check }) => ({
          site,
          ...check,
          from: isoTime(from),
          to: isoTime(to),
          isOpen: check.telemetry === null && to > volumes.until && to > (stretches.at(-1)?.to ?? 0),
        })),
    ),
  );
}

const letters = { measured: 'm', shared: 's', estimated: 'e', missing: '-' } as const;

function* daysIn({ time, volumes, range }: TakeAccount, sums: readonly TakeSum[]): Pieces<TakeDay[]> {
  const rows = rowsIn(volumes.rows, range);
  const cells = new Map(yield* eachPiece(cellsByDay(rows, time)));
  const inRange = sums.filter(({ at }) => at >= range.from && at < range.to);
  return inRange.map(({ at, m3, isWhole, cut, counts, highestLps, ...sum }) => ({
    day: takeDay(time, at),
    m3,
    cutM3: m3OfGaps(cut),
    isWhole: isWhole && sum.rows >= dueRows(at, volumes),
    rows: sum.rows,
    ...counts,
    highestLps,
    cells: cells.get(at) ?? '',
    hasOldSettings: volumes.others.has(utcDay(at)) || volumes.others.has(utcDay(at + DAY_MS - 1)),
  }));
}

/** A letter for each quarter of a day (its start, epoch ms). */
function* cellsByDay(rows: readonly TakeRow[], time: StandardTime): Generator<[day: number, cells: string]> {
  let [day, cells] = [NaN, ''];
  for (const { end, state, m3 } of rows) {
    const own = takeDayStart(time, end - QUARTER_MS);
    if (own !== day) {
      if (cells !== '') yield [day, cells];
      [day, cells] = [own, ''];
    }
    // A meter that was built in on that day begins at its hour.
    cells =
      cells.padEnd((end - day) / QUARTER_MS - 1) + (state === 'measured' && m3 === 0 ? 'z' : letters[state]);
  }
  if (cells !== '') yield [day, cells];
}

/** Quarters of a day that are over. */
const dueRows = (day: number, { until }: TakeAccount['volumes']) =>
  (Math.min(day + DAY_MS, until) - day) / QUARTER_MS;

/** A gap over a midnight between two of the days is in it, and in neither of the two. */
function takenIn({ time, volumes, range }: TakeAccount, days: readonly TakeDay[]): DaysReply['taken'] {
  const { m3, isWhole, cut } = sumOf(range.from, rowsIn(volumes.rows, range));
  const hasAll = days.every(({ day, rows }) => rows >= dueRows(takeDayAt(time, day) ?? 0, volumes));
  return { m3, isWhole: isWhole && hasAll, cutM3: m3OfGaps(cut) };
}

const presentExceedance = ({ at, limit, ...one }: Exceedance): TakeExceedance => ({
  ...one,
  limit,
  at: timeOfLimit[limit](at),
});

const between = (from: number, to: number) => ({ from: isoTime(from), to: isoTime(to) });
const timeOfLimit: Record<Exceedance['limit'], (at: number) => { from: string; to: string }> = {
  rate: (end) => between(end - QUARTER_MS, end),
  day: (start) => between(start, start + DAY_MS),
  sevenDays: (start) => between(start - 6 * DAY_MS, start + DAY_MS),
  year: (start) => between(start, start + DAY_MS),
  ended: (start) => between(start, start + DAY_MS),
};

/** By day, with what is missing and above its limits. `most`: so many gaps and exceedances are listed; `now`: epoch ms. */
export function* daysOfTake(account: TakeAccount, now: number, most = TAKE_LISTED): Pieces<DaysReply> {
  const { time, range, volumes } = account;
  const { gaps, count } = gapsIn(account, most);
  yield;
  const sums = yield* eachPiece(eachDaySum(volumes.rows, time));
  const exceedances = (yield* exceedancesIn(account, sums)).toReversed();
  const listed = exceedances.slice(0, most).map(presentExceedance);
  const days = yield* daysIn(account, sums);
  const taken = takenIn(account, days);
  yield;
  return {
    standardTime: standardName(time),
    from: takeDay(time, range.from),
    to: takeDay(time, range.to - 1),
    until: volumes.rows.length === 0 ? null : isoTime(volumes.until),
    days,
    taken,
    gaps,
    gapCount: count,
    exceedances: listed,
    exceedanceCount: exceedances.length,
    checks: checksIn(account),
    use: useNow(account, now),
  };
}
