import type { Timezone } from '@headrace/contract/farms';
import type { TimelineLine } from '@headrace/contract/timeline';
import { minuteText } from '../../ui/format.ts';
import { dayMinute, type Telling } from './turn-labels.ts';

const signs: Record<TimelineLine['busy'][number]['sign'], string> = {
  said: 'ran, they said so',
  believed: 'should be running, not confirmed',
  will: 'will run',
  unsure: 'may run',
  wont: 'won’t run',
  notHeard: 'planned, nothing was heard',
};

/** "North, 05:12 to 07:04, 4 waterings, will run". */
export const busyText = (
  name: string,
  { startAt, endAt, sign, turns }: TimelineLine['busy'][number],
  zone: Timezone,
): string =>
  `${name}, ${minuteText(startAt, zone)} to ${minuteText(endAt, zone)}, ${turns} ${turns === 1 ? 'watering' : 'waterings'}, ${signs[sign]}`;

/** Its sprinklers, and how many waterings stand out: "25 · 11× won't run". */
export function lineNote({ units, unknown, turns }: TimelineLine): string {
  const parts = [`${units}`];
  if (turns.wont > 0) parts.push(`${turns.wont}× won’t run`);
  if (turns.unsure > 0) parts.push(`${turns.unsure}× not sure`);
  if (unknown > 0) parts.push(`${unknown} not known`);
  return parts.join(' · ');
}

/** "Held until Thu 26 Nov 06:00: Cows in". */
export function holdText(
  { until, reason }: Pick<TimelineLine['holds'][number], 'until' | 'reason'>,
  { zone, now }: Telling,
): string {
  const why = reason === '' ? '' : `: ${reason}`;
  return `${until > now ? 'Held until' : 'Was held until'} ${dayMinute(until, zone, now)}${why}`;
}
