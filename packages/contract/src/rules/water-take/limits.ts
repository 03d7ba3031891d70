import { DAY_MS, QUARTER_MS, type StandardTime, takeDayAt, waterYearStart } from './clock.ts';
import type { TakeRow } from './rows.ts';
import { endedGapsM3, lpsOfQuarter, sevenDaySums, type TakeSum } from './sums.ts';

/** What a consent allows; null: it says nothing of that. Days are YYYY-MM-DD, both included. */
export interface TakeLimits {
  readonly maxLps: number | null;
  readonly maxM3Day: number | null;
  readonly maxM37Day: number | null;
  readonly maxM3Year: number | null;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/** A restriction that somebody entered, epoch ms: nothing may be taken, or a part of the rate or of the day's volume. */
export interface TakeRestriction {
  readonly from: number;
  readonly to: number;
  readonly kind: 'cease' | 'rate' | 'volume';
  /** % that is left; of `cease` it doesn't count. */
  readonly percent: number;
}

/** `ended`: the consent is over, and something is taken still. */
export const limitKinds = ['rate', 'day', 'sevenDays', 'year', 'ended'] as const;
export type LimitKind = (typeof limitKinds)[number];

export interface Exceedance {
  readonly limit: LimitKind;
  /** End of the quarter, or start of the day, epoch ms. */
  readonly at: number;
  /** L/s of a rate, else m³. */
  readonly value: number;
  readonly most: number;
  /** False: it is the least that is sure, and more may have been taken. */
  readonly isWhole: boolean;
  /** Above by less than the meter may be wrong. */
  readonly isWithinAccuracy: boolean;
  /** By a restriction, not by the consent alone. */
  readonly isRestricted: boolean;
}

/** How far a meter may be wrong by law, of its reading. */
export const accuracyOf = (pipe: 'full' | 'open'): number => (pipe === 'full' ? 0.05 : 0.1);

/** Sums of binary fractions differ from the decimal by less than this part. */
const ROUNDING = 1e-9;
export const isAbove = (value: number, most: number) => value > most * (1 + ROUNDING) + ROUNDING;

/**
 * The most that may be taken in a time, and whether a restriction makes it so. One counts where restrictions cover that time whole: of
 * a day that is restricted since noon nothing tells what was taken before. Several that cover it together leave it the greatest part
 * of theirs.
 */
export function mostThen(
  most: number | null,
  restrictions: readonly TakeRestriction[],
  { kind, from, to }: { kind: 'rate' | 'volume'; from: number; to: number },
): { most: number; isRestricted: boolean } | null {
  const held = restrictions
    .filter((one) => one.from < to && one.to > from && (one.kind === 'cease' || one.kind === kind))
    .map((one) => ({ ...one, percent: one.kind === 'cease' ? 0 : one.percent }))
    .toSorted((a, b) => a.from - b.from);
  const ceased = held.filter(({ kind: of }) => of === 'cease');
  if (most === null) return covers(ceased, from, to) ? { most: 0, isRestricted: true } : null;
  const percents = [...new Set(held.map(({ percent }) => percent))].toSorted((a, b) => a - b);
  const least = percents.find((percent) =>
    covers(
      held.filter((one) => one.percent <= percent),
      from,
      to,
    ),
  );
  if (least === undefined) return { most, isRestricted: false };
  return { most: (most * least) / 100, isRestricted: true };
}

/** Whether spans, the first first, leave nothing of a time out. */
function covers(
  spans: readonly { readonly from: number; readonly to: number }[],
  from: number,
  to: number,
): boolean {
  let at = from;
  for (const span of spans) {
    if (span.from > at) return false;
    at = Math.max(at, span.to);
  }
  return at >= to;
}

interface Taken {
  readonly rows: readonly TakeRow[];
  /** Since the start of the water year, or of what is known of it. */
  readonly days: readonly TakeSum[];
}

/** Quarters, days, weeks and the day of the year at which more was taken than may be, by time. Only what is sure counts. */
export function exceedancesOf(
  { rows, days }: Taken,
  limits: TakeLimits,
  {
    accuracy,
    time,
    restrictions = [],
  }: { accuracy: number; time: StandardTime; restrictions?: readonly TakeRestriction[] },
): Exceedance[] {
  const [first, end] = consentTime(limits, time);
  const holds = (at: number) => at >= first && at < end;
  const found: Exceedance[] = [];
  const judge = (
    limit: LimitKind,
    at: number,
    { value, isWhole }: { value: number; isWhole: boolean },
    most: { most: number; isRestricted: boolean },
  ) => {
    if (!isAbove(value, most.most)) return;
    const isWithinAccuracy = !isAbove(value, most.most * (1 + accuracy));
    found.push({ limit, at, value, isWhole, ...most, isWithinAccuracy });
  };
  for (const { end, m3, elsewhere } of rows) {
    const from = end - QUARTER_MS;
    const sure = m3 ?? elsewhere;
    if (sure === undefined || !holds(from)) continue;
    const most = mostThen(limits.maxLps, restrictions, { kind: 'rate', from, to: end });
    if (most) judge('rate', end, { value: lpsOfQuarter(sure), isWhole: m3 !== null }, most);
  }
  for (const { at, m3: value, isWhole } of days.filter((day) => holds(day.at))) {
    const most = mostThen(limits.maxM3Day, restrictions, { kind: 'volume', from: at, to: at + DAY_MS });
    if (most) judge('day', at, { value, isWhole }, most);
  }
  for (const { at, m3: value, isWhole } of days)
    if (at >= end) judge('ended', at, { value, isWhole }, { most: 0, isRestricted: false });
  const { maxM37Day, maxM3Year } = limits;
  if (maxM37Day !== null)
    for (const { at, m3: value, isWhole } of sevenDaySums(days.filter((day) => holds(day.at))))
      judge('sevenDays', at, { value, isWhole }, { most: maxM37Day, isRestricted: false });
  if (maxM3Year !== null)
    found.push(
      ...yearExceeded(
        days.filter((day) => holds(day.at)),
        maxM3Year,
        time,
        accuracy,
      ),
    );
  return found.toSorted((a, b) => a.at - b.at);
}

/** Of each year the first day at whose end more was taken than the year may have, and the first beyond what the meter may be wrong by. */
function yearExceeded(
  days: readonly TakeSum[],
  most: number,
  time: StandardTime,
  accuracy: number,
): Exceedance[] {
  const found: Exceedance[] = [];
  let [year, since, value, degree] = [0, 0, 0, 0];
  let hasUnknown = false;
  for (const day of days) {
    const { at, m3 } = day;
    const start = waterYearStart(time, at);
    if (start !== year) {
      [year, since, value, degree] = [start, at, 0, 0];
      hasUnknown = false;
    }
    hasUnknown ||= day.hasUnknown || day.cut.some(({ from }) => from < since);
    const isWhole = !hasUnknown && !day.cut.some(({ to }) => to > at + DAY_MS);
    value += m3 + endedGapsM3(day, since);
    const isWithinAccuracy = !isAbove(value, most * (1 + accuracy));
    const reached = isAbove(value, most) ? (isWithinAccuracy ? 1 : 2) : 0;
    if (reached <= degree) continue;
    degree = reached;
    found.push({ limit: 'year', at, value, isWhole, most, isWithinAccuracy, isRestricted: false });
  }
  return found;
}

/** Since when a consent holds, and when it is over, epoch ms. */
export function consentTime(
  { validFrom, validTo }: Pick<TakeLimits, 'validFrom' | 'validTo'>,
  time: StandardTime,
): [from: number, end: number] {
  const first = (validFrom === null ? null : takeDayAt(time, validFrom)) ?? -Infinity;
  const last = (validTo === null ? null : takeDayAt(time, validTo)) ?? Infinity;
  return [first, last + DAY_MS];
}
