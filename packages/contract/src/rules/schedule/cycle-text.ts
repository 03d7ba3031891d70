import { DAY_MINUTES } from './plan.ts';

/** The length of a cycle: under a day in minutes, else in days. spec 2 §9 */
export function cycleText(cycleMin: number): string {
  if (cycleMin < DAY_MINUTES) return `${cycleMin} mins`;
  const days = Math.ceil(cycleMin / DAY_MINUTES);
  return days === 1 ? '1 day' : `${days} days`;
}
