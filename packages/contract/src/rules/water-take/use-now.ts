import { DAY_MS, QUARTER_MS, quarterStart, takeDayStart, waterYearStart } from './clock.ts';
import { consentTime, mostThen, type TakeRestriction } from './limits.ts';
import { rowsIn, type TakeRow } from './rows.ts';
import { daySums, endedGapsM3, lpsOfQuarter, sumOf } from './sums.ts';
import { sevenDaysReachedAt, useOf } from './use.ts';
import type { ReplyOf } from '../../endpoint.ts';
import type { takeDays, TakeUseNow } from '../../water-takes.ts';
import type { TakeAccount } from './account.ts';

/** What the counter shows for gaps, m³. */
export const m3OfGaps = (gaps: readonly { readonly m3: number }[]): number =>
  gaps.reduce((sum, { m3 }) => sum + m3, 0);

type UseNow = ReplyOf<typeof takeDays>['use'];

export const restrictionsOf = ({
  restrictions,
}: Pick<TakeAccount['take'], 'restrictions'>): TakeRestriction[] =>
  restrictions.map(({ from, to, kind, percent }) => ({
    from: Date.parse(from),
    to: Date.parse(to),
    kind,
    percent,
  }));

/** What is used and left as of now, and when the rest is used at the rate of the last hour. */
export function useNow({ time, take, volumes: { rows, until } }: TakeAccount, now: number): UseNow {
  const today = takeDayStart(time, now);
  const [first, end] = consentTime(take, time);
  const consent = now >= end ? 'ended' : now < first ? 'notYet' : 'valid';
  const restrictions = restrictionsOf(take);
  // Nothing may be taken now: no rate uses up what is left.
  const ceased = restrictions.filter(({ kind, from, to }) => kind === 'cease' && from <= now && to > now);
  const perMs = ceased.length > 0 ? null : rateOf(rows, until, now);
  // What a pack tells is as of the last millisecond of its last day, whose last quarter is over by then.
  const known = { rows, until, over: quarterStart(now + 1) };
  const limitOf = (most: number | null) => (consent === 'valid' ? most : null);

  const dayMost = mostThen(take.maxM3Day, restrictions, { kind: 'volume', from: today, to: today + DAY_MS });
  const day = used(known, today, limitOf(dayMost?.most ?? null));
  const isCeasedToday = ceased.some(({ to }) => to >= today + DAY_MS);
  const week = Math.max(first, today - 6 * DAY_MS);
  const year = Math.max(first, waterYearStart(time, now));
  // 380 days after a 1 July the next one is past.
  const nextYear = waterYearStart(time, waterYearStart(time, now) + 380 * DAY_MS);
  const before = (at: number | null, resets: number) =>
    at !== null && at < Math.min(resets, end) ? new Date(at).toISOString() : null;
  const reached = (use: TakeUseNow, resets: number): TakeUseNow => ({
    ...use,
    reachedAt: before(atRate(use, perMs, until), resets),
  });
  const sevenDays = used(known, week, limitOf(take.maxM37Day));
  return {
    consent,
    today: {
      ...reached(day, today + DAY_MS),
      ...(isCeasedToday && day.left !== null && { left: Math.min(0, day.left) }),
      isRestricted: dayMost?.isRestricted === true || isCeasedToday,
    },
    sevenDays: {
      ...sevenDays,
      reachedAt: before(weekAtRate(sevenDays, { ...known, perMs, week, today }, time), Infinity),
    },
    year: reached(used(known, year, limitOf(take.maxM3Year)), nextYear),
    lps: rateText(rateOf(rows, until, now)),
  };
}

interface Known {
  readonly rows: readonly TakeRow[];
  readonly until: number;
  /** Quarters that end by then count, epoch ms. */
  readonly over: number;
}

/** m³ a millisecond in the last hour; null: it isn't known, or is long ago. */
function rateOf(rows: readonly TakeRow[], until: number, now: number): number | null {
  const lately = rowsIn(rows, { from: until - 4 * QUARTER_MS, to: until });
  if (lately.length < 4 || until <= now - 2 * 3_600_000) return null;
  let sum = 0;
  for (const { m3 } of lately) {
    if (m3 === null) return null;
    sum += m3;
  }
  return sum / (4 * QUARTER_MS);
}

const rateText = (perMs: number | null) => (perMs === null ? null : lpsOfQuarter(perMs * QUARTER_MS));

/** Since `from`. It is whole where each quarter that is due has a row, and the meter's total of each is known. */
function used({ rows, until, over }: Known, from: number, most: number | null): TakeUseNow {
  const own = rowsIn(rows, { from, to: over });
  const { m3, isWhole, cut } = sumOf(from, own);
  const [first, last] = [own[0], own.at(-1)];
  const due = Math.max(0, Math.floor((Math.min(until, over) - from) / QUARTER_MS));
  return {
    used: m3,
    isWhole: isWhole && own.length > 0 && own.length >= due,
    cutM3: m3OfGaps(cut),
    measuredFrom: first && first.end - QUARTER_MS > from ? iso(first.end - QUARTER_MS) : null,
    measuredTo: last && last.end < until ? iso(last.end) : null,
    most,
    left: most === null ? null : useOf(m3, most, null).left,
    reachedAt: null,
    isRestricted: false,
  };
}

const iso = (at: number) => new Date(at).toISOString();

function atRate({ used: taken, most }: TakeUseNow, perMs: number | null, until: number): number | null {
  if (most === null || perMs === null) return null;
  const { lastsMs } = useOf(taken, most, { taken: perMs, overMs: 1 });
  return lastsMs === null ? null : until + lastsMs;
}

function weekAtRate(
  { most }: TakeUseNow,
  { rows, until, over, perMs, week, today }: Known & { perMs: number | null; week: number; today: number },
  time: TakeAccount['time'],
): number | null {
  if (most === null || perMs === null || until < today) return null;
  // A gap over midnight counts on the day on which it ended: so it leaves the seven days last.
  const sums = new Map(
    daySums(rowsIn(rows, { from: week, to: over }), time).map((day) => [
      day.at,
      day.m3 + endedGapsM3(day, week),
    ]),
  );
  const days = Array.from({ length: 7 }, (_, index) => sums.get(today - (6 - index) * DAY_MS) ?? 0);
  return sevenDaysReachedAt(days, most, { perMs, at: until, dayEnd: today + DAY_MS });
}
