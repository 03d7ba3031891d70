import type { Gap } from '@headrace/contract/rules/alerts/silence';
import {
  DAY_MS,
  QUARTER_MS,
  type StandardTime,
  standardName,
  takeDay,
  takeDayAt,
  takeDayStart,
  waterYearStart,
} from '@headrace/contract/rules/water-take/clock';
import { type Exceedance, exceedancesOf } from '@headrace/contract/rules/water-take/limits';
import { checksOf } from '@headrace/contract/rules/water-take/register';
import { eachDaySum, sumOf, type TakeSum } from '@headrace/contract/rules/water-take/sums';
import { isoTime } from '@headrace/contract/rules/iso-time';
import type { TakeRow } from '@headrace/contract/rules/water-take/rows';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { TakeCheck, TakeDay, takeDays, TakeExceedance } from '@headrace/contract/water-takes';
import { TAKE_LISTED } from '@headrace/contract/water-takes';
import { breathe, inTurns, mapInTurns } from '../../jobs/in-turns.ts';
import type { Range } from '../series/rollup-query.ts';
import type { TakeNote } from './note-fit.ts';
import { gapsIn } from './take-gaps.ts';
import { utcDay } from './settled-days.ts';
import { rowsIn } from './take-rows.ts';
import { m3OfGaps, restrictionsOf, useNow } from './take-use.ts';
import type { TakeVolumes } from './take-volumes.ts';
import type { TakeRecord } from './takes.repo.ts';

type DaysReply = ReplyOf<typeof takeDays>;

export interface Account {
  readonly time: StandardTime;
  readonly take: TakeRecord;
  readonly volumes: TakeVolumes;
  /** What is asked for, whole days. */
  readonly range: Range;
  readonly notes: readonly TakeNote[];
  /** When we didn't listen to devices. */
  readonly outages: readonly Gap[];
  /** Readings from before are no longer kept, epoch ms. */
  readonly keptSince: number;
}

/** What `volumes` has to hold for a range: seven days and the water year before its first day count for its limits. */
export const neededFor = (time: StandardTime, { from, to }: Range): Range => ({
  from: waterYearStart(time, from) - 6 * DAY_MS,
  to,
});

/** Ten days' quarters: they are judged without a break. */
const ROWS_AT_ONCE = 1000;

/** In the order of time. `sums`: of all days that are known. Others' calls come in between. */
async function exceedancesIn(
  { time, take, volumes, range }: Account,
  sums: readonly TakeSum[],
): Promise<Exceedance[]> {
  const how = { accuracy: volumes.accuracy, time, restrictions: restrictionsOf(take) };
  const rows = rowsIn(volumes.rows, range);
  const found: Exceedance[] = [];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    found.push(...exceedancesOf({ rows: rows.slice(at, at + ROWS_AT_ONCE), days: [] }, take, how));
    await breathe();
  }
  const ofDays = exceedancesOf({ rows: [], days: sums }, take, how);
  const inRange = ofDays.filter(({ at }) => at >= range.from && at < range.to);
  return [...found, ...inRange].toSorted((a, b) => a.at - b.at);
}

export function checksIn({ volumes, take, range }: Account): TakeCheck[] {
  return volumes.places.flatMap(({ site, meters, stretches }) =>
    meters.flatMap((meter) => {
      const read = take.readings
        .filter(({ meterId }) => meterId === meter.id)
        .map(({ at, register }) => ({ at: at.getTime(), m3: register }));
      return checksOf(read, stretches)
        .filter(({ to, from }) => to > range.from && from < range.to)
        .map(({ from, to, ...check }) => ({
          site,
          ...check,
          from: isoTime(from),
          to: isoTime(to),
          isOpen: check.telemetry === null && to > volumes.until && to > (stretches.at(-1)?.to ?? 0),
        }));
    }),
  );
}

const letters = { measured: 'm', shared: 's', estimated: 'e', missing: '-' } as const;

/** Others' calls come in between. */
async function daysIn({ time, volumes, range }: Account, sums: readonly TakeSum[]): Promise<TakeDay[]> {
  const rows = rowsIn(volumes.rows, range);
  const cells = new Map(await inTurns(cellsByDay(rows, time)));
  const inRange = sums.filter(({ at }) => at >= range.from && at < range.to);
  return mapInTurns(inRange, ({ at, m3, isWhole, cut, counts, highestLps, ...sum }) => ({
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
const dueRows = (day: number, { until }: Account['volumes']) =>
  (Math.min(day + DAY_MS, until) - day) / QUARTER_MS;

/** A gap over a midnight between two of the days is in it, and in neither of the two. */
function takenIn({ time, volumes, range }: Account, days: readonly TakeDay[]): DaysReply['taken'] {
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

/** `most`: so many gaps and exceedances are listed. Others' calls come in between. */
export async function presentDays(account: Account, now: number, most = TAKE_LISTED): Promise<DaysReply> {
  const { time, range, volumes } = account;
  const { gaps, count } = gapsIn(account, most);
  await breathe();
  const sums = await inTurns(eachDaySum(volumes.rows, time));
  const exceedances = (await exceedancesIn(account, sums)).toReversed();
  const listed = await mapInTurns(exceedances.slice(0, most), presentExceedance);
  const days = await daysIn(account, sums);
  const taken = takenIn(account, days);
  await breathe();
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
