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
export function lineNote({ units, unknown, turns, mixed, newsLate }: TimelineLine): string {
  const parts = [`${units}`];
  if (turns.wont > 0) parts.push(`${turns.wont}× won’t run`);
  if (turns.unsure > 0) parts.push(`${turns.unsure}× not sure`);
  if (mixed) parts.push('two schedules');
  if (unknown > 0) parts.push(`${unknown} not known`);
  if (newsLate > 0) parts.push(newsText({ units, newsLate }));
  return parts.join(' · ');
}

/** Units water by their own clocks while their gateway is away. */
export const newsText = ({ units, newsLate }: Pick<TimelineLine, 'units' | 'newsLate'>): string =>
  newsLate < units ? `gateway of ${newsLate} away: news comes late` : 'gateway away: news comes late';

/** Of a line whose sprinklers go by two schedules; null: they don't, as far as is known. */
export function mixedText(
  { name, mixed }: Pick<TimelineLine, 'name' | 'mixed'>,
  { zone, now }: Telling,
): { name: string; text: string; isAtOnce: boolean } | null {
  if (!mixed) return null;
  const { newer, older, atOnce } = mixed;
  const two = `two schedules: ${older} of ${older + newer} sprinklers still ${older === 1 ? 'goes' : 'go'} by an older one`;
  const clash = atOnce
    ? `${atOnce.older} and ${atOnce.newer} water at once from ${dayMinute(atOnce.at, zone, now)}`
    : 'no two of them are to water at once in the time shown';
  return { name, text: `${two}; ${clash}. Send the schedule to the rest.`, isAtOnce: atOnce !== null };
}

/** "Held until Thu 26 Nov 06:00: Cows in". */
export function holdText(
  { until, reason }: Pick<TimelineLine['holds'][number], 'until' | 'reason'>,
  { zone, now }: Telling,
): string {
  const why = reason === '' ? '' : `: ${reason}`;
  return `${until > now ? 'Held until' : 'Was held until'} ${dayMinute(until, zone, now)}${why}`;
}
