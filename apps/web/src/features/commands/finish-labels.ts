import type { Api } from '@headrace/contract/api';
import type { Command, CommandFinish } from '@headrace/contract/commands';
import type { Timezone } from '@headrace/contract/farms';
import { dayStart } from '@headrace/contract/rules/farm-time';
import { minuteText, numberText } from '../../ui/format.ts';
import { dayName } from './command-times.ts';

const MINUTE_MS = 60_000;
/** A first word that was this near is not told again, ms. */
const SAME_MS = 5 * MINUTE_MS;

/** When a send to many will be done, and what was said of it first; empty: nothing is known. `now` in epoch ms. */
export function finishText(
  { finish, firstFinish }: Pick<Command, 'finish' | 'firstFinish'>,
  zone: Timezone,
  now: number,
): string {
  if (!finish) return '';
  const time = (at: number) => timeText(at, zone, now);
  if (isLate(finish, now)) return `later than was said: ${time(middleOf(finish))}`;
  const [first, latest] = [firstFinish ? middleOf(firstFinish) : null, middleOf(finish)];
  const isMoved = first !== null && Math.abs(latest - first) > SAME_MS;
  return `${textOf(finish, time)}${isMoved ? `; first said: ${time(first)}` : ''}`;
}

/** The same of a command by its details: what was reckoned with units that it was cancelled for is said no more. */
export const finishTextOf = (
  { command, unitStates }: Pick<Api['GET /command']['reply'], 'command' | 'unitStates'>,
  zone: Timezone,
  now: number,
): string => (unitStates.cancelled ? '' : finishText(command, zone, now));

function textOf(finish: CommandFinish, time: (at: number) => string): string {
  if ('atMost' in finish)
    return `by ${time(Date.parse(finish.atMost))} at the latest: how fast its units answer is not known yet`;
  const [low, high] = [time(Date.parse(finish.low)), time(Date.parse(finish.high))];
  const about = `about ${time(Date.parse(finish.expected))}`;
  return low === high ? about : `${about}, between ${low} and ${high}`;
}

/** The same in short, without what was said of it first. */
export function shortFinish(finish: CommandFinish | null, zone: Timezone, now: number): string {
  if (!finish) return '';
  if (isLate(finish, now)) return `later than was said: ${timeText(middleOf(finish), zone, now)}`;
  if ('atMost' in finish) return `by ${timeText(Date.parse(finish.atMost), zone, now)} at the latest`;
  return `about ${timeText(Date.parse(finish.expected), zone, now)}`;
}

/** What was said last has come and gone: its gateway is away, or its units don't answer. */
const isLate = (finish: CommandFinish, now: number) =>
  Date.parse('atMost' in finish ? finish.atMost : finish.high) < now;

const middleOf = (finish: CommandFinish) => Date.parse('atMost' in finish ? finish.atMost : finish.expected);

/** "14:20", with its day where that is another than today. */
function timeText(at: number, zone: Timezone, now: number): string {
  const [today, minute] = [dayStart(zone, now), minuteText(at, zone)];
  return dayStart(zone, at) === today ? minute : `${dayName(at, today, zone)} ${minute}`;
}

/** "about 12 a minute", or an hour where that says more; empty: it is not known. */
export function paceText(perMinute: number | null): string {
  if (perMinute === null) return '';
  return perMinute >= 2
    ? `about ${numberText(perMinute)} a minute`
    : `about ${numberText(perMinute * 60)} an hour`;
}
