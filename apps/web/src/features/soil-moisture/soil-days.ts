import type { Pinch } from '../../charts/pinch.ts';
import { isChosen, lastDays, rangeOf, type Period, type PeriodChoice } from '../../time-range/period.ts';

/** The farm's days to ask for, YYYY-MM-DD; `today` is the farm's. One day up to now begins yesterday: the night belongs to it. */
export function soilDays(choice: PeriodChoice, today: string): { from: string; to?: string } {
  const { period, from, to } = choice;
  if (isChosen(choice) && from && to) return to >= today ? { from } : { from, to };
  const { days } = rangeOf({ period });
  return { from: lastDays(today, Math.max(2, days))[0] };
}

const scales: readonly Period[] = ['Day', 'Week', 'Month', 'Year'];
/** Between which two a range of one's own lies: 60 days unless chosen. */
const CUSTOM = { closer: 'Month', wider: 'Year' } as const;

/** The time scale that two fingers lead to; the same at either end. */
export function zoomed(period: Period, turn: Pinch): Period {
  if (period === 'Custom') return CUSTOM[turn];
  const at = scales.indexOf(period) + (turn === 'closer' ? -1 : 1);
  return scales[Math.min(scales.length - 1, Math.max(0, at))] ?? period;
}
