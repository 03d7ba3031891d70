import type { Timezone } from '@headrace/contract/farms';
import type { TimelineLine } from '@headrace/contract/timeline';
import { minuteText, numberText } from '../../ui/format.ts';
import { timeText } from '../sprinkler-dialog/now-labels.ts';

type Open = TimelineLine['open'][number];

/** "40 min", "3 h 5 min". */
export function lasting(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** "12 min left", "overdue by 2 h 5 min". */
export function restText({ state, until }: Open, now: number): string {
  if (state === 'openOverdue') return until === null ? 'overdue' : `overdue by ${lasting(now - until)}`;
  if (until === null) return 'end not known';
  return `${Math.max(0, Math.ceil((until - now) / 60_000))} min left`;
}

/** The worst first: one that should be closed, then as they end. */
export const byNeed = (one: Open, other: Open): number =>
  Number(other.state === 'openOverdue') - Number(one.state === 'openOverdue') ||
  (one.until ?? Infinity) - (other.until ?? Infinity) ||
  0;

/** How it is known. */
export function nowText({ state, basis, since, until }: Open, zone: Timezone, now: number): string {
  const time = (at: number | null) => (at === null ? '' : timeText(at, zone, now));
  if (state === 'openOverdue') return `Should have closed at ${time(until)}; said open at ${time(since)}`;
  if (basis === 'planned') return `Should be watering since ${time(since)}, not confirmed`;
  return `${basis === 'answered' ? 'Opened by command' : 'Said open'} since ${time(since)}`;
}

/** So many that water fit on a phone together with what comes next. */
const IN_SIGHT = 5;

/** "12 sprinklers water now. Next at 14:28: North A7 and 3 others." Null: their lists are short. */
export function inShort(lines: readonly TimelineLine[], zone: Timezone, now: number): string | null {
  const open = lines.reduce((sum, line) => sum + line.open.length, 0);
  if (open <= IN_SIGHT) return null;
  const begins = `${open} sprinklers water now, as far as is known.`;
  const all = lines
    .flatMap(({ name, next }) => (next ? [{ line: name, next }] : []))
    .toSorted((one, other) => one.next.startAt - other.next.startAt);
  const [first] = all;
  if (!first) return begins;
  const { startAt, name } = first.next;
  const others = all.filter(({ next }) => next.startAt === startAt).length - 1;
  const more = others === 0 ? '' : ` and ${others === 1 ? '1 other line' : `${others} other lines`}`;
  return `${begins} Next at ${minuteText(startAt, zone)}, in ${lasting(startAt - now)}: ${first.line} ${name}${more}.`;
}

/** Of whom nobody can say when they water. */
export const unknownText = (count: number): string =>
  count === 1
    ? 'Of 1 sprinkler it is not known what schedule it holds, so not when it waters.'
    : `Of ${numberText(count)} sprinklers it is not known what schedules they hold, so not when they water.`;
