import type { Timeline, TimelineLine } from '@headrace/contract/timeline';
import type { Restriction, WaterTake } from '@headrace/contract/water-takes';

const [DAY_MS, QUARTER_MS] = [86_400_000, 900_000];
/** What is planned is asked for so many days of a restriction. */
export const PLAN_DAYS = 7;

export interface Span {
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
}

/** The part of a restriction that is still to come, a week at most; steady for a quarter of an hour, so that it is asked for once. */
export function spanAhead({ from, to }: Pick<Restriction, 'from' | 'to'>, now: number): Span | null {
  const start = Math.max(Date.parse(from), Math.floor(now / QUARTER_MS) * QUARTER_MS);
  const end = Math.min(Date.parse(to), start + PLAN_DAYS * DAY_MS);
  return end > start ? { from: start, to: end } : null;
}

/** A group that is to water in a time. */
export interface Watering {
  readonly id: string;
  readonly name: string;
  readonly turns: number;
  /** Of these, that may not come. */
  readonly unsure: number;
  /** When it next begins, epoch ms; null: it waters now. */
  readonly next: number | null;
}

export interface RestrictionPlan {
  /** The next first. */
  readonly groups: readonly Watering[];
  /** L/s, the most at once that is planned. */
  readonly peakLps: number;
  /** m³ that are planned, by the mean of each step. */
  readonly plannedM3: number;
  /** L/s that may be taken; null: the restriction is of a volume, or the consent has no rate. */
  readonly allowedLps: number | null;
  /** m³ that may be taken in this time, where the restriction is of the day's volume; null: it isn't. */
  readonly allowedM3: number | null;
  /** Sprinklers of which nobody knows what they hold. */
  readonly notIn: number;
}

const ahead = ({ turns }: TimelineLine) => turns.will + turns.unsure + turns.believed;

/** What sprinklers are to take in the time of a restriction, against what may be taken. */
export function restrictionPlan(
  { lines, flow, from, to, now }: Timeline,
  { kind, percent }: Restriction,
  { maxLps, maxM3Day }: Pick<WaterTake, 'maxLps' | 'maxM3Day'>,
): RestrictionPlan {
  const share = percent / 100;
  const seconds = flow.stepMin * 60;
  return {
    groups: lines
      .filter((line) => ahead(line) > 0)
      .map((line) => ({
        id: line.id,
        name: line.name,
        turns: ahead(line),
        unsure: line.turns.unsure,
        next: nextOf(line, now),
      }))
      .toSorted((one, other) => (one.next ?? 0) - (other.next ?? 0)),
    peakLps: Math.max(0, ...flow.planned),
    plannedM3: flow.planned.reduce((sum, lps) => sum + lps, 0) * (seconds / 1000),
    allowedLps: kind === 'cease' ? 0 : kind === 'rate' && maxLps !== null ? maxLps * share : null,
    allowedM3: kind === 'volume' && maxM3Day !== null ? ((maxM3Day * share) / DAY_MS) * (to - from) : null,
    notIn: flow.notIn,
  };
}

function nextOf({ busy }: TimelineLine, now: number): number | null {
  const planned = busy.filter(({ sign, endAt }) => endAt > now && !['wont', 'notHeard'].includes(sign));
  if (planned.some(({ startAt }) => startAt <= now)) return null;
  return planned.reduce<number>((first, { startAt }) => Math.min(first, startAt), Infinity);
}
