import type { Timezone } from '@headrace/contract/farms';
import type { SprinklerCounts } from '@headrace/contract/groups';
import { exactTime, minuteText, numberText } from '../../ui/format.ts';

/** Starts within this time go without their day, ms. */
const NEAR_MS = 12 * 3_600_000;

/**
 * What waters, by what that rests on: "12 watering now: 9 said so, 2 should by their schedule, 1 should be closed by now".
 * Those that are counted as needing attention or offline besides are among them.
 */
export function wateringText({ said, planned, overdue }: SprinklerCounts['watering']): string {
  const all = said + planned + overdue;
  if (all === 0) return 'None is watering now, as far as is known.';
  const parts = [
    ...(said > 0 ? [`${numberText(said)} said so`] : []),
    ...(planned > 0 ? [`${numberText(planned)} should by schedule, not confirmed`] : []),
    ...(overdue > 0 ? [`${numberText(overdue)} should be closed by now`] : []),
  ];
  return `${numberText(all)} watering now: ${parts.join(', ')}.`;
}

/** What was asked and isn't known to be so; null: nothing. */
export const stopLabel = (count: number): string | null =>
  count === 0
    ? null
    : `${numberText(count)} to be inhibited ${count === 1 ? 'has' : 'have'} not said so yet.`;

/** "Next: 14 at 05:12 (Line 3)."; null: nothing is planned. Times on the farm's clock; `now` in epoch ms. */
export function nextLabel(
  next: SprinklerCounts['next'],
  zone: Timezone | null | undefined,
  now: number,
): string | null {
  if (!next) return null;
  const isNear = zone && next.startAt - now < NEAR_MS;
  const at = isNear ? minuteText(next.startAt, zone) : exactTime(next.startAt, zone);
  return `Next: ${numberText(next.units)} at ${at}${next.group ? ` (${next.group})` : ''}.`;
}
