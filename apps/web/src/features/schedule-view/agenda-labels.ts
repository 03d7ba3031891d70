import type { Timezone } from '@headrace/contract/farms';
import type { TimelineLine } from '@headrace/contract/timeline';
import { minuteText } from '../../ui/format.ts';

type Open = TimelineLine['open'][number];

/** "12 min left", "overdue". */
export function restText({ state, until }: Open, now: number): string {
  if (state === 'openOverdue') return '! overdue';
  if (until === null) return 'end not known';
  return `${Math.max(0, Math.ceil((until - now) / 60_000))} min left`;
}

/** How it is known. */
export function nowText({ state, basis, since, until }: Open, zone: Timezone): string {
  const time = (at: number | null) => (at === null ? '' : minuteText(at, zone));
  if (state === 'openOverdue') return `Should have closed at ${time(until)}; said open ${time(since)}`;
  if (basis === 'planned') return `Should be watering since ${time(since)}, not confirmed`;
  return `${basis === 'answered' ? 'Opened by command' : 'Said open'} since ${time(since)}`;
}
