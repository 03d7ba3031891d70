import type { Gap } from '@headrace/contract/rules/alerts/silence';
import {
  DAY_MS,
  QUARTER_MS,
  type StandardTime,
  standardName,
  takeDay,
  takeDayStart,
  waterYearStart,
} from '@headrace/contract/rules/water-take/clock';
import { gapsOf, type TakeGap as GapOfRows } from '@headrace/contract/rules/water-take/gaps';
import { type Exceedance, exceedancesOf } from '@headrace/contract/rules/water-take/limits';
import { checksOf } from '@headrace/contract/rules/water-take/register';
import type { TakeRow } from '@headrace/contract/rules/water-take/rows';
import { daySums, lpsOfQuarter, sumOf, type TakeSum } from '@headrace/contract/rules/water-take/sums';
import { useOf } from '@headrace/contract/rules/water-take/use';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type {
  TakeCheck,
  TakeDay,
  takeDays,
  TakeExceedance,
  TakeGap,
  TakeUseNow,
} from '@headrace/contract/water-takes';
import { TAKE_LISTED } from '@headrace/contract/water-takes';
import type { Range } from '../series/rollup-query.ts';
import type { TakeVolumes } from './take-volumes.ts';
import type { TakeRecord } from './takes.repo.ts';

type DaysReply = ReplyOf<typeof takeDays>;

export interface Account {
  readonly time: StandardTime;
  readonly take: TakeRecord;
  readonly volumes: TakeVolumes;
  /** What is asked for, whole days. */
  readonly range: Range;
  readonly notes: readonly { from: Date; to: Date; note: string }[];
  /** When we didn't listen to devices. */
  readonly outages: readonly Gap[];
}

/** What `volumes` has to hold for a range: seven days and the water year before its first day count for its limits. */
export const neededFor = (time: StandardTime, { from, to }: Range): Range => ({
  from: waterYearStart(time, from) - 6 * DAY_MS,
  to,
});

export function exceedancesIn({ time, take, volumes, range }: Account): Exceedance[] {
  const restrictions = take.restrictions.map(({ from, to, ...one }) => ({
    ...one,
    from: Date.parse(from),
    to: Date.parse(to),
  }));
  const days = daySums(volumes.rows, time);
  return exceedancesOf({ rows: volumes.rows, days }, take, {
    accuracy: volumes.accuracy,
    time,
    restrictions,
  }).filter(({ limit, at }) => {
    const begins = limit === 'rate' ? at - QUARTER_MS : at;
    return begins >= range.from && begins < range.to;
  });
}

export const rowsIn = (rows: readonly TakeRow[], { from, to }: Range): TakeRow[] =>
  rows.filter(({ end }) => end > from && end <= to);

export function gapsIn({ volumes, range, notes, outages, take }: Account): TakeGap[] {
  return gapsOf(rowsIn(volumes.rows, range)).map((gap) => ({
    from: iso(gap.from),
    to: iso(gap.to),
    rows: gap.rows,
    m3: gap.m3,
    cause: causeOf(gap, volumes, outages, take),
    note: notes.find(({ from, to }) => from.getTime() < gap.to && to.getTime() > gap.from)?.note ?? '',
  }));
}

/** What explains most of it: nobody listened; readings came, and one does not follow from the one before; or it was silent. */
function causeOf(
  gap: GapOfRows,
  { places }: TakeVolumes,
  outages: readonly Gap[],
  take: Pick<TakeRecord, 'meters'>,
): TakeGap['cause'] {
  const overlap = (one: Gap) => Math.max(0, Math.min(one.to, gap.to) - Math.max(one.from, gap.from));
  const out = outages.reduce((sum, one) => sum + overlap(one), 0);
  if (out * 2 >= gap.to - gap.from) return 'outage';
  const missing = places
    .flatMap(({ stretches }) => stretches)
    .filter(({ state, from, to }) => state === 'missing' && from < gap.to && to > gap.from);
  const isCounter = missing.some(({ m3, before, after }) => m3 === null && before !== null && after !== null);
  if (isCounter) return 'counter';
  const isInPlace = take.meters.some(
    ({ startsAt, endsAt }) => startsAt.getTime() < gap.to && (endsAt?.getTime() ?? Infinity) > gap.from,
  );
  return isInPlace ? 'silent' : 'notInPlace';
}

export function checksIn({ volumes, take, range }: Account): (TakeCheck & { from: string })[] {
  return volumes.places.flatMap(({ site, meters, stretches }) =>
    meters.flatMap((meter) => {
      const read = take.readings
        .filter(({ meterId }) => meterId === meter.id)
        .map(({ at, register }) => ({ at: at.getTime(), m3: register }));
      return checksOf(read, stretches)
        .filter(({ to, from }) => to > range.from && from < range.to)
        .map(({ from, to, ...check }) => ({ site, ...check, from: iso(from), to: iso(to) }));
    }),
  );
}

/** As of now. */
export function useNow({ time, take, volumes }: Account, now: number): DaysReply['use'] {
  const { rows, until } = volumes;
  const today = takeDayStart(time, now);
  const lately = rows.filter(({ end }) => end > until - 4 * QUARTER_MS && end <= until);
  const isKnown = lately.length === 4 && until > now - 2 * 3_600_000;
  const taken = lately.reduce<number | null>(
    (sum, { m3 }) => (sum === null || m3 === null ? null : sum + m3),
    isKnown ? 0 : null,
  );
  const since = (from: number) =>
    sumOf(
      from,
      rows.filter(({ end }) => end > from && end <= now),
    );
  const year = Math.max(waterYearStart(time, now), startOf(time, take.validFrom));
  const use = (from: number, most: number | null, resets: number) =>
    presentUse(since(from), most, taken === null ? null : { taken, overMs: 4 * QUARTER_MS }, {
      until,
      resets,
    });
  return {
    today: use(today, take.maxM3Day, today + DAY_MS),
    sevenDays: use(today - 6 * DAY_MS, take.maxM37Day, Infinity),
    year: use(year, take.maxM3Year, Infinity),
    lps: taken === null ? null : lpsOfQuarter(taken / 4),
  };
}

const startOf = ({ offsetMs }: StandardTime, day: string | null) =>
  day === null ? -Infinity : Date.parse(`${day}T00:00Z`) - offsetMs;

function presentUse(
  { m3, isWhole, rows }: TakeSum,
  most: number | null,
  rate: { taken: number; overMs: number } | null,
  { until, resets }: { until: number; resets: number },
): TakeUseNow {
  const base = { used: m3, isWhole: isWhole && rows > 0 };
  if (most === null) return { ...base, most: null, left: null, reachedAt: null };
  const { left, lastsMs } = useOf(m3, most, rate);
  const reached = lastsMs === null ? Infinity : until + lastsMs;
  return { ...base, most, left, reachedAt: reached < Math.min(resets, FAR) ? iso(reached) : null };
}

/** Nobody waters at one rate for years. */
const FAR = Date.parse('2200-01-01T00:00Z');

const letters = { measured: 'm', shared: 's', estimated: 'e', missing: '-' } as const;

export function daysIn({ time, volumes, range }: Account): TakeDay[] {
  const rows = rowsIn(volumes.rows, range);
  const cells = new Map<number, string>();
  for (const { end, state, m3 } of rows) {
    const day = takeDayStart(time, end - QUARTER_MS);
    const letter = state === 'measured' && m3 === 0 ? 'z' : letters[state];
    cells.set(day, (cells.get(day) ?? '') + letter);
  }
  return daySums(rows, time).map(({ at, m3, isWhole, counts, highestLps, ...sum }) => ({
    day: takeDay(time, at),
    m3,
    isWhole,
    rows: sum.rows,
    ...counts,
    highestLps,
    cells: cells.get(at) ?? '',
  }));
}

export const presentExceedance = ({ at, limit, ...one }: Exceedance): TakeExceedance => ({
  ...one,
  limit,
  at: timeOfLimit[limit](at),
});

const between = (from: number, to: number) => ({ from: iso(from), to: iso(to) });
const timeOfLimit: Record<Exceedance['limit'], (at: number) => { from: string; to: string }> = {
  rate: (end) => between(end - QUARTER_MS, end),
  day: (start) => between(start, start + DAY_MS),
  sevenDays: (start) => between(start - 6 * DAY_MS, start + DAY_MS),
  year: (start) => between(start, start + DAY_MS),
};

const iso = (at: number) => new Date(at).toISOString();

/** `most`: so many gaps and exceedances are listed. */
export function presentDays(account: Account, now: number, most = TAKE_LISTED): DaysReply {
  const { time, range, volumes } = account;
  const gaps = gapsIn(account).toReversed();
  const exceedances = exceedancesIn(account).map(presentExceedance).toReversed();
  return {
    standardTime: standardName(time),
    from: takeDay(time, range.from),
    to: takeDay(time, range.to - 1),
    until: volumes.rows.length === 0 ? null : iso(volumes.until),
    days: daysIn(account),
    gaps: gaps.slice(0, most),
    gapCount: gaps.length,
    exceedances: exceedances.slice(0, most),
    exceedanceCount: exceedances.length,
    checks: checksIn(account),
    use: useNow(account, now),
  };
}
