import type { Timezone } from '../../farms.ts';
import { graceMs } from '../valve-belief.ts';
import { plannedBy, type UnitPast } from './unit-diary.ts';

const DAY = 86_400_000;

/**
 * Until when (epoch ms) `unitDiary` tells the same of the same past as at `now`: a watering begins, or is over without a word. At once
 * where a run is under way: each moment makes it longer.
 */
export function diarySteadyUntil(
  past: UnitPast,
  zone: Timezone,
  { from, to }: { readonly from: number; readonly to: number },
  now: number,
): number {
  if (past.runs.some(({ closedAt }) => closedAt === null)) return now;
  const grace = graceMs(past.clockS);
  let until = Number.POSITIVE_INFINITY;
  for (const { startAt, endAt } of plannedBy(past.spans, zone, from - DAY, to + DAY).keys())
    for (const at of [startAt, endAt + grace]) if (at >= now && at < until) until = at;
  return until;
}
