import type { LeakSigns, TankInsight } from '@headrace/contract/insights';
import type { Timezone } from '@headrace/contract/farms';
import { durationText } from '@headrace/contract/rules/contact';
import { twoFigures } from '@headrace/contract/rules/two-figures';
import { numberText } from '../../ui/format.ts';
import { farmDay } from '../../time-range/period.ts';
import { daysText, halves, rangeText } from './days-text.ts';

/** Findings are reckoned: the words never state them as facts, and each ends with how far it may be believed. */
const trust = (confidence: string) => `${confidence} confidence`;
const SHORT_DAYS = 0.5;
/** An end of a range beyond this says no more than that it is far off, days. */
const FAR_DAYS = 365;
const MINUTE = 60_000;
const about = (value: number) => `about ${numberText(twoFigures(value))}`;

/** "May be empty in about 6 days (5 to 8½); medium confidence". */
export function emptyText({ days, earliest, latest, confidence }: NonNullable<TankInsight['untilEmpty']>) {
  const end = days < SHORT_DAYS ? daysText : halves;
  const isFar = latest !== null && latest > FAR_DAYS;
  const range = rangeText(earliest, isFar ? null : latest, end);
  return `May be empty in about ${daysText(days)} (${range}); ${trust(confidence)}`;
}

/** "18 Nov" on the farm's calendar. */
function shortDay(at: number, zone: Timezone): string {
  return new Intl.DateTimeFormat('en-NZ', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    Date.parse(`${farmDay(zone, at)}T00:00:00Z`),
  );
}

/** What is said of a leak that counts as one: by the night's level, a flow that never stops, or several nights. */
export const LEAK_TEXT = 'Possible leak detected';

/** "Possible leak detected: about 40 L/h each night since 18 Nov, about 1,900 L so far; medium confidence". */
export function leakText(leak: LeakSigns, zone: Timezone, isSeen: boolean): string {
  const since = shortDay(Date.parse(leak.since), zone);
  const rate = `${about(leak.litresPerHour)} L/h each night since ${since}`;
  return `${isSeen ? LEAK_TEXT : 'May be leaking'}: ${rate}, ${about(leak.litresSoFar)} L so far; ${trust(leak.confidence)}`;
}

/** "Pump may be lifting too little: on for 1 hour, 20 minutes, level up 0.4 %; low confidence". */
export function pumpText({ minutes, risePercent, confidence }: NonNullable<TankInsight['pump']>): string {
  const level = risePercent < 0 ? 'down' : 'up';
  const rise = `level ${level} ${numberText(Math.abs(risePercent), 1)} %`;
  return `Pump may be lifting too little: on for ${durationText(minutes * MINUTE)}, ${rise}; ${trust(confidence)}`;
}
