import { DAY_MS, type StandardTime, waterYearStart } from './clock.ts';
import { consentTime, isAbove, mostThen, type TakeLimits, type TakeRestriction } from './limits.ts';
import { sumOfDays, type TakeSum } from './sums.ts';

export const crossedLimits = ['day', 'sevenDays', 'year'] as const;

/** A limit that was crossed on a day: a share of it, or all. */
export interface Crossing {
  readonly limit: (typeof crossedLimits)[number];
  readonly degree: 'near' | 'over';
  /** m³ by the end of the day, or until now. */
  readonly value: number;
  readonly most: number;
  /** False: something may have been taken that is in no figure. */
  readonly isWhole: boolean;
  readonly isWithinAccuracy: boolean;
  readonly isRestricted: boolean;
}

/**
 * What was crossed on a day of standard time (its start, epoch ms): on the day before there was less; of the water year what it is above
 * by the end of the day, on whichever day that came. What is above all of a limit isn't told as near to it. `days`: those of the water
 * year and of the seven before the day; only what is sure counts. `near`: of the limit, 0 to 1.
 */
export function crossingsOn(
  day: number,
  days: readonly TakeSum[],
  limits: TakeLimits,
  {
    near,
    accuracy,
    time,
    restrictions = [],
  }: { near: number; accuracy: number; time: StandardTime; restrictions?: readonly TakeRestriction[] },
): Crossing[] {
  const [first, end] = consentTime(limits, time);
  if (day < first || day >= end) return [];
  const upTo = (from: number, last = day) =>
    days.filter(({ at }) => at >= Math.max(first, from) && at <= last);
  const ofConsent = (most: number | null) => (most === null ? null : { most, isRestricted: false });
  const asked = [
    {
      limit: 'day',
      of: upTo(day),
      dayBefore: [],
      most: mostThen(limits.maxM3Day, restrictions, { kind: 'volume', from: day, to: day + DAY_MS }),
    },
    {
      limit: 'sevenDays',
      of: upTo(day - 6 * DAY_MS),
      dayBefore: upTo(day - 7 * DAY_MS, day - DAY_MS),
      most: ofConsent(limits.maxM37Day),
    },
    {
      limit: 'year',
      of: upTo(waterYearStart(time, day)),
      dayBefore: [],
      most: ofConsent(limits.maxM3Year),
    },
  ] as const;
  return asked.flatMap(({ limit, of, dayBefore, most }): Crossing[] => {
    if (!most) return [];
    const { m3: value, isWhole } = sumOfDays(of);
    const before = sumOfDays(dayBefore).m3;
    const crosses = (at: number) => !isAbove(before, at) && isAbove(value, at);
    const found = {
      limit,
      value,
      ...most,
      isWhole,
      isWithinAccuracy: !isAbove(value, most.most * (1 + accuracy)),
    };
    if (crosses(most.most)) return [{ ...found, degree: 'over' }];
    return !isAbove(value, most.most) && crosses(most.most * near) ? [{ ...found, degree: 'near' }] : [];
  });
}
