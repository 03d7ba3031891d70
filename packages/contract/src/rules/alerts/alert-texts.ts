import type { Timezone } from '../../farms.ts';
import { durationText } from '../contact.ts';
import { compareNatural } from '../natural-order.ts';
import { wholeText } from '../number-text.ts';
import { twoFigures } from '../two-figures.ts';
import { farmOffsetSeconds } from '../farm-time.ts';
import { type AlertKind, alertKindInfo, isMomentKind } from './alert-kinds.ts';

/** What the sentence about a device is made of, as it was when it was told. Times in epoch ms. */
export interface AlertFacts {
  readonly name: string;
  /** gateway, sprinkler, sensor…, where the sentence says it. */
  readonly kind?: string;
  /** It took another unit's place and has said nothing since. */
  readonly isUnheard?: boolean;
  /** What is wrong with it, in words that stand by themselves. */
  readonly fault?: string;
  /** When a valve should have closed; null: nothing that is known asked for it to open. */
  readonly until?: number | null;
  readonly unit?: string;
  readonly litresPerHour?: number;
  /** What went on or off: "Input 2 of". */
  readonly input?: string;
  readonly isOn?: boolean;
  /** Of a forecast: of which day, and whose it is. */
  readonly day?: string;
  readonly source?: string;
  /** Of a pump: for how long it has run, and how much the level rose. */
  readonly minutes?: number;
  readonly risePercent?: number;
  /** Sprinklers that water while nothing flows. */
  readonly watering?: number;
  /** Of waterings that were missed or cut short: how many of how many, by group, and why. */
  readonly missed?: readonly {
    readonly group: string;
    readonly count: number;
    readonly of: number;
    readonly why: string;
  }[];
  /** Which watering that was, by when the last of it was to end, and how many sprinklers it comes to, each counted once. */
  readonly missedOf?: { readonly endAt: number; readonly sprinklers: number };
  /** What is heard through it, by kind of device. */
  readonly behind?: Readonly<Record<string, number>>;
  /** Valves behind it that were open when it went, and when the last of them closes by its own clock. */
  readonly valves?: { readonly count: number; readonly until: number };
  /** It stayed away when what it is heard through came back, with so many devices behind it. */
  readonly back?: {
    readonly deviceId: number;
    readonly name: string;
    readonly at: number;
    readonly of: number;
  };
  /** Of what ended: a sentence that says how, where that isn't that it is no longer so. */
  readonly over?: string;
  /** Of what ended without being over: why nobody watches it any more. */
  readonly unwatched?: string;
  /** What it is heard through is offline: how old the word is. */
  readonly asOf?: number;
}

/** Of one device of an incident. Times in epoch ms. */
export interface AlertEpisode {
  readonly facts: AlertFacts;
  readonly since: number;
  readonly value: number | null;
  readonly peak: number | null;
  readonly endedAt: number | null;
  /** Over since then, and not yet told as over. */
  readonly overSince?: number | null;
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
      const asOf = facts.asOf === undefined ? '' : `, as of ${clock(facts.asOf)}: its gateway is offline`;
      return `${name} ${is} ${beyond(alert.kind, alert.condition)}${limit} since ${clock(since)}${asOf}.`;
    }
    case 'TankLeak':
      return facts.litresPerHour === undefined
        ? `${name} loses water that nobody is known to draw, since ${clock(since)}.`
        : `${name} loses about ${wholeText(twoFigures(facts.litresPerHour))} L an hour, since ${clock(since)}.`;
    case 'LowBattery':
      return value === null
        ? `The battery of ${name} is low.`
        : `The battery of ${name} is low: ${quantity(value, facts.unit ?? '%')}.`;
    case 'OutOfContact':
      return `${silenceText(facts, clock(since))}${behindText(facts, clock)}`;
    case 'SprinklerError':
      return `${name}: ${facts.fault ?? ''}`;
    case 'InputChange':
      return `${facts.input ? `${facts.input} ` : ''}${name} went ${facts.isOn ? 'on' : 'off'} at ${clock(since)}.`;
    case 'ValveOpen':
      return typeof facts.until === 'number'
        ? `The valve of ${name} should have closed at ${clock(facts.until)}. Nobody has reported it closed.`
        : `The valve of ${name} is open since ${clock(since)}, and nothing that is known asked for it.`;
    case 'Missed':
      return missedText(facts);
    case 'PumpRuns':
      return `The pump at ${name} runs since ${clock(since)}, and the level has risen by ${quantity(facts.risePercent ?? 0, '% of it')}.`;
    case 'EmptySoon':
      return `${name} may be empty in ${quantity(value ?? 0, 'days')} if it is used as in the last days.`;
    case 'Flow':
      return flowText(alert, episode, clock(since));
    case 'Frost':
      return `${forecastOf(facts)} says ${quantity(value ?? 0, '°C')} for ${facts.day ?? 'tonight'}.`;
    case 'Rain':
      return `${forecastOf(facts)} says ${quantity(value ?? 0, 'mm')} of rain for ${facts.day ?? 'today'}.`;
    case 'CommandFailed':
      return `${name}, ${clock(since)}: ${facts.fault ?? 'it failed.'}`;
    case 'TakeLimit':
    case 'TakeGap':
      return `Water take ${name}: ${facts.fault ?? ''}`;
    default:
      return alert.kind satisfies never;
  }
}

const forecastOf = ({ source }: AlertFacts) => (source ? `The forecast (${source})` : 'The forecast');

const GROUPS_NAMED = 3;

/** "North: 3 of 40 sprinklers were missed or cut short (battery low)." */
function missedText({ missed = [] }: AlertFacts): string {
  const named = missed
    .slice(0, GROUPS_NAMED)
    .map(({ group, count, of, why }) => `${group}: ${count} of ${of}${why ? ` (${why})` : ''}`);
  const more = missed.length - named.length;
  return `Sprinklers that did not water as planned, or were cut short: ${named.join('; ')}${more > 0 ? `; and ${more} more groups` : ''}.`;
}

function flowText({ condition, limit }: AlertSubject, { facts, value }: AlertEpisode, since: string): string {
  if (condition === 'none')
    return `Nothing flows through ${facts.name} since ${since}, while ${facts.watering ?? 'some'} sprinklers water.`;
  const than = limit === null ? '' : `, ${condition} ${quantity(limit, 'L/min')}`;
  return `${quantity(value ?? 0, 'L/min')} flow through ${facts.name}${than} since ${since}.`;
}

function silenceText({ name, kind, isUnheard }: AlertFacts, since: string): string {
  if (kind === 'gateway') return `Gateway ${name} is offline since ${since}.`;
  if (kind === NETWORK_SERVER) return `Nothing has come from the network server ${name} since ${since}.`;
  if (isUnheard) return `${name} has not been heard since another unit took its place (${since}).`;
  return `${name} has not been heard since ${since}.`;
}

/** " 26 devices are behind it: 4 tanks, 22 sprinklers." */
function behindText({ behind, valves }: AlertFacts, clock: (at: number) => string): string {
  const kinds = Object.entries(behind ?? {}).filter(([, count]) => count > 0);
  const all = kinds.reduce((sum, [, count]) => sum + count, 0);
  const parts = kinds.map(([kind, count]) => `${count} ${count === 1 ? kind : plural(kind)}`).join(', ');
  const are = all === 1 ? '1 device is' : `${all} devices are`;
  const open = valves
    ? ` ${valves.count === 1 ? '1 valve was open; it closes by its' : `${valves.count} valves were open; they close by their`} own clock until ${clock(valves.until)}.`
    : '';
  return `${all === 0 ? '' : ` ${are} behind it: ${parts}.`}${open}`;
}

const plural = (kind: string) => (kind.endsWith('ch') ? `${kind}es` : `${kind}s`);

/** The kind of what network servers are to alerts: they are no device. */
export const NETWORK_SERVER = 'network server';

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
  Missed: 'The diary says of each what is known.',
  PumpRuns: 'Stop it, and look for a dry intake, a burst pipe or a worn pump.',
  EmptySoon: 'See to its filling, or use less.',
  Flow: 'Look for a burst pipe, a closed valve or a pump that stands.',
  Frost: 'See to what frost harms.',
  Rain: 'See whether the next watering is needed.',
  CommandFailed: 'See in the app which sprinklers it did not reach, and send it again.',
  TakeLimit: 'See under Water takes what is left.',
  TakeGap: 'Before midnight: read its register and enter it under Water takes, and note why nothing came.',
};

/** "A12, A13, A14 and 4 more", each once, however often it came. */
function names(episodes: readonly AlertEpisode[], most = NAMED): string {
  const all = [...new Set(episodes.map(({ facts }) => facts.name))];
  const more = all.length - most;
  if (more > 0) return `${all.slice(0, most).join(', ')} and ${more} more`;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** At least so much is left of a farm's name. */
const FARM_LEAST = 10;

/**
 * Of an incident: "Tank low: Trough 4", behind the farm's name, which is cut before anything else is; then fewer devices are named.
 * `after` is never cut.
 */
export function alertTitle(
  farmName: string,
  { kind }: AlertSubject,
  episodes: readonly AlertEpisode[],
  after = '',
): string {
  const most = TITLE_MAX - after.length;
  const whats = [NAMED, 2, 1].map(
    (named) => `${alertKindInfo[kind].label}: ${names(byName(episodes), named)}`,
  );
  const what = whats.find(({ length }) => length <= most - 2 - FARM_LEAST) ?? whats.at(-1) ?? '';
  const room = most - what.length - 2;
  const farm = Array.from(farmName).slice(0, Math.max(FARM_LEAST, room)).join('').trimEnd();
  return `${Array.from(`${farm}: ${what}`).slice(0, most).join('').trimEnd()}${after}`;
}

/** What is so, of one device or of many, and what to do. */
export function alertMessage(
  alert: AlertSubject,
  episodes: readonly AlertEpisode[],
  zone: Timezone,
  now: number,
): string {
  return [...whatIsSo(alert, episodes, zone, now), remedy(alert, episodes)].filter(Boolean).join(' ');
}

/** What is so, without what to do. */
export const shortMessage = (...of: Parameters<typeof whatIsSo>): string => whatIsSo(...of).join(' ');

function whatIsSo(
  alert: AlertSubject,
  episodes: readonly AlertEpisode[],
  zone: Timezone,
  now: number,
): readonly string[] {
  const back = episodes[0]?.facts.back;
  if (back && episodes.every(({ facts }) => facts.back?.name === back.name)) {
    const are = episodes.length === 1 ? 'is' : 'are';
    const since = farmClock(zone, back.at, now);
    return [
      `${back.name} is back since ${since}. ${episodes.length} of ${back.of} behind it ${are} not: ${names(byName(episodes))}.`,
    ];
  }
  const [fault, ...others] = new Set(episodes.map(({ facts }) => facts.fault));
  if (alert.kind === 'SprinklerError' && episodes.length > 1 && fault && others.length === 0)
    return [`${names(byName(episodes))}: ${fault}`];
  const sentences = byName(episodes)
    .slice(0, NAMED)
    .map((episode) => alertSentence(alert, episode, zone, now));
  const more = episodes.length - sentences.length;
  return [...sentences, ...(more > 0 ? [`And ${more} more.`] : [])];
}

const byName = (episodes: readonly AlertEpisode[]) =>
  episodes.toSorted((one, other) => compareNatural(one.facts.name, other.facts.name));

/** It may come back yet: it is told as over when it has been so for a while. Null: it isn't. */
export function overText(episodes: readonly AlertEpisode[], zone: Timezone, now: number): string | null {
  const over = episodes.flatMap(({ overSince }) => overSince ?? []);
  if (episodes.length === 0 || over.length < episodes.length) return null;
  return `It is over since ${farmClock(zone, Math.max(...over), now)}, if it stays so.`;
}

const remedy = ({ kind }: AlertSubject, episodes: readonly AlertEpisode[]): string =>
  episodes.length > 0 && episodes.every(({ facts }) => facts.kind === NETWORK_SERVER)
    ? 'See whether it runs, and whether it still reaches Headrace.'
    : toDo[kind];

/** When we listened to no device, by the farm's clock. */
export function outageSentence(
  { from, to }: { readonly from: number; readonly to: number },
  zone: Timezone,
  now: number,
): string {
  const [since, until] = [from, to].map((at) => farmClock(zone, at, now));
  return `Headrace did not listen from ${since} to ${until}: what devices said meanwhile may be missing, and none was called silent for it.`;
}

/** Of what is no state of a device. */
const ownEnds: Partial<Record<AlertKind, string>> = {
  Missed: 'The next watering went as planned.',
  Frost: 'The forecast says no frost any more.',
  Rain: 'The forecast says no such rain any more.',
};

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
  // What was a moment has no end: it is what was told.
  const isMoment =
    isMomentKind(alert.kind, alert.condition) || (alert.kind === 'InputChange' && end === since);
  if (isMoment) return alertMessage(alert, episodes, zone, now);
  const unwatched = unwatchedEnd(episodes, zone, now);
  if (unwatched !== null) return unwatched;
  const own = episodes.find(({ endedAt }) => endedAt === end)?.facts.over ?? ownEnds[alert.kind];
  if (own) return own;
  return `${names(byName(episodes))}: it ended at ${farmClock(zone, end, now)} after ${lasted}.${peakText(alert, episodes)}`;
}

/** Those of an incident that ended last, where nobody watches them any more: of the others that are over it is known. */
const lastUnwatched = (episodes: readonly AlertEpisode[]) => {
  const end = Math.max(...episodes.map(({ endedAt }) => endedAt ?? Infinity));
  return episodes.filter(({ endedAt, facts }) => endedAt === end && facts.unwatched !== undefined);
};

/** Whether what is no longer told of may be so still. */
export const isUnwatched = (episodes: readonly AlertEpisode[]): boolean => lastUnwatched(episodes).length > 0;

/** "Trough 4: no longer watched since 06:12, 49 min after it began." Null: it is over. */
function unwatchedEnd(episodes: readonly AlertEpisode[], zone: Timezone, now: number): string | null {
  const last = lastUnwatched(episodes);
  const [first] = last;
  if (first?.facts.unwatched === undefined) return null;
  const end = first.endedAt ?? now;
  const lasted = durationText(Math.max(0, end - Math.min(...last.map(({ since }) => since))));
  return `${names(byName(last))}: ${first.facts.unwatched} since ${farmClock(zone, end, now)}, ${lasted} after it began.`;
}

function peakText({ kind, condition }: AlertSubject, episodes: readonly AlertEpisode[]): string {
  if (kind === 'EmptySoon' || kind === 'Flow') return '';
  const unit = alertKindInfo[kind].value?.unit;
  const peak = episodes.length === 1 ? (episodes[0]?.peak ?? null) : null;
  if (peak === null || unit === undefined || kind === 'OutOfContact') return '';
  return ` ${beyond(kind, condition) === 'above' ? 'Highest' : 'Lowest'}: ${quantity(peak, unit)}.`;
}
