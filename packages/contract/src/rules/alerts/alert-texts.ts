import type { Timezone } from '../../farms.ts';
import { durationText } from '../contact.ts';
import { farmOffsetSeconds } from '../farm-time.ts';
import { type AlertKind, alertKindInfo } from './alert-kinds.ts';

/** What the sentence about a device is made of, as it was when it was told. Times in epoch ms. */
export interface AlertFacts {
  readonly name: string;
  /** gateway, sprinkler, sensor…, where the sentence says it. */
  readonly kind?: string;
  /** What is wrong with it, in words that stand by themselves. */
  readonly fault?: string;
  /** When a valve should have closed; null: nothing that is known asked for it to open. */
  readonly until?: number | null;
  readonly unit?: string;
  readonly litresPerHour?: number;
  /** What went on or off: "Input 2 of". */
  readonly input?: string;
  readonly isOn?: boolean;
}

/** Of one device of an incident. Times in epoch ms. */
export interface AlertEpisode {
  readonly facts: AlertFacts;
  readonly since: number;
  readonly value: number | null;
  readonly peak: number | null;
  readonly endedAt: number | null;
}

export interface AlertSubject {
  readonly kind: AlertKind;
  readonly condition: string;
  /** Its limit; null where it has none. */
  readonly limit: number | null;
}

const TITLE_MAX = 60;
const NAMED = 3;
const DAY_MS = 86_400_000;
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** By the farm's clock: 05:52, or with its day where that isn't within a day of `now`. */
export function farmClock(zone: Timezone, at: number, now: number): string {
  const local = new Date(at + farmOffsetSeconds(zone, at) * 1000);
  const time = local.toISOString().slice(11, 16);
  if (Math.abs(now - at) < DAY_MS) return time;
  return `${days[local.getUTCDay()]} ${local.getUTCDate()} ${months[local.getUTCMonth()]}, ${time}`;
}

/** 12 %, 3.41 V; no more digits than a reading has. */
export function quantity(value: number, unit: string): string {
  const digits = unit === 'V' ? 2 : unit === '%' || unit === 'kPa' ? 0 : 1;
  return `${Number(value.toFixed(digits))} ${unit}`.trim();
}

const beyond = (kind: AlertKind, condition: string) =>
  kind === 'TankHigh' || condition === 'above' ? 'above' : 'below';

/** What is so with one device, in a sentence: what, where, how much against which limit, since when. */
export function alertSentence(
  alert: AlertSubject,
  episode: AlertEpisode,
  zone: Timezone,
  now: number,
): string {
  const { facts, since, value } = episode;
  const { name } = facts;
  const clock = (at: number) => farmClock(zone, at, now);
  switch (alert.kind) {
    case 'TankLow':
    case 'TankHigh':
    case 'SoilMoisture': {
      const unit = alertKindInfo[alert.kind].value?.unit ?? '';
      const limit = alert.limit === null ? '' : ` ${quantity(alert.limit, unit)}`;
      const is = value === null ? 'is' : `is at ${quantity(value, unit)},`;
      return `${name} ${is} ${beyond(alert.kind, alert.condition)}${limit} since ${clock(since)}.`;
    }
    case 'TankLeak':
      return facts.litresPerHour === undefined
        ? `${name} loses water that nobody is known to draw, since ${clock(since)}.`
        : `${name} loses about ${quantity(facts.litresPerHour, 'L')} an hour, since ${clock(since)}.`;
    case 'LowBattery':
      return value === null
        ? `The battery of ${name} is low.`
        : `The battery of ${name} is low: ${quantity(value, facts.unit ?? '%')}.`;
    case 'OutOfContact':
      return facts.kind === 'gateway'
        ? `Gateway ${name} is offline since ${clock(since)}.`
        : `${name} has not been heard since ${clock(since)}.`;
    case 'SprinklerError':
      return `${name}: ${facts.fault ?? ''}`;
    case 'InputChange':
      return `${facts.input ? `${facts.input} ` : ''}${name} went ${facts.isOn ? 'on' : 'off'} at ${clock(since)}.`;
    case 'ValveOpen':
      return typeof facts.until === 'number'
        ? `The valve of ${name} should have closed at ${clock(facts.until)}. Nobody has reported it closed.`
        : `The valve of ${name} is open since ${clock(since)}, and nothing that is known asked for it.`;
    default:
      return alert.kind satisfies never;
  }
}

const toDo: Readonly<Record<AlertKind, string>> = {
  TankLow: 'See what fills it, and what draws from it.',
  TankHigh: 'See whether it fills without a stop.',
  TankLeak: 'Look for a leak, or for what was left on.',
  LowBattery: 'Change or charge it soon.',
  OutOfContact: 'Check its power and its aerial.',
  SprinklerError: 'Open it in the app: it says what mends it.',
  SoilMoisture: 'See whether to irrigate.',
  InputChange: '',
  ValveOpen: 'Check it, or send Valve Off.',
};

/** "A12, A13, A14 and 4 more", each once, however often it came. */
function names(episodes: readonly AlertEpisode[]): string {
  const all = [...new Set(episodes.map(({ facts }) => facts.name))];
  const more = all.length - NAMED;
  if (more > 0) return `${all.slice(0, NAMED).join(', ')} and ${more} more`;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** Of an incident: "Tank low: Trough 4", behind the farm's name, which is cut before anything else is. */
export function alertTitle(
  farmName: string,
  { kind }: AlertSubject,
  episodes: readonly AlertEpisode[],
): string {
  const what = `${alertKindInfo[kind].label}: ${names(episodes)}`;
  const room = TITLE_MAX - what.length - 2;
  const farm = Array.from(farmName).slice(0, Math.max(10, room)).join('').trimEnd();
  return Array.from(`${farm}: ${what}`).slice(0, TITLE_MAX).join('');
}

/** What is so, of one device or of many, and what to do. */
export function alertMessage(
  alert: AlertSubject,
  episodes: readonly AlertEpisode[],
  zone: Timezone,
  now: number,
): string {
  const sentences = episodes.slice(0, NAMED).map((episode) => alertSentence(alert, episode, zone, now));
  const more = episodes.length - sentences.length;
  return [...sentences, ...(more > 0 ? [`And ${more} more.`] : []), toDo[alert.kind]]
    .filter(Boolean)
    .join(' ');
}

/** "It ended by itself at 06:41 after 49 min. Lowest: 9 %." Null: it isn't over. */
export function endMessage(
  alert: AlertSubject,
  episodes: readonly AlertEpisode[],
  zone: Timezone,
  now: number,
): string | null {
  const ends = episodes.flatMap(({ endedAt }) => endedAt ?? []);
  if (ends.length < episodes.length || ends.length === 0) return null;
  const end = Math.max(...ends);
  const since = Math.min(...episodes.map((episode) => episode.since));
  const lasted = durationText(Math.max(0, end - since));
  return `${names(episodes)}: it ended at ${farmClock(zone, end, now)} after ${lasted}.${peakText(alert, episodes)}`;
}

function peakText({ kind, condition }: AlertSubject, episodes: readonly AlertEpisode[]): string {
  const unit = alertKindInfo[kind].value?.unit;
  const peak = episodes.length === 1 ? (episodes[0]?.peak ?? null) : null;
  if (peak === null || unit === undefined || kind === 'OutOfContact') return '';
  return ` ${beyond(kind, condition) === 'above' ? 'Highest' : 'Lowest'}: ${quantity(peak, unit)}.`;
}
