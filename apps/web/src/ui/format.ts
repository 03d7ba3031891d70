import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { zoneName } from '@headrace/contract/rules/zone-name';
import type { Timezone } from '@headrace/contract/farms';

/** How numbers and times are written. Numbers by en-NZ; times on a 24-hour clock in the farm's zone. */
const DASH = '–';
const numberFormats = new Map<number, Intl.NumberFormat>();

function numberFormat(digits: number): Intl.NumberFormat {
  let format = numberFormats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat('en-NZ', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    numberFormats.set(digits, format);
  }
  return format;
}

/** A dash for what isn't known; never a zero in its place. */
export function numberText(value: number | null | undefined, digits = 0): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return DASH;
  const text = numberFormat(digits).format(value);
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text;
}

/** "91 %" in running text, kept on one line: a number at its end says nothing without its unit. */
export const withUnit = (number: string, unit: string): string => `${number}\u00a0${unit}`;

/** Decimals that say something: 7.25, 1.5, 998, 25,218; never more than the metric has. */
export function usefulDigits(value: number, metricDigits: number | null): number {
  const size = Math.abs(value);
  const most = metricDigits ?? (size >= 1000 ? 0 : size >= 100 ? 1 : 2);
  for (let digits = 0; digits < most; digits += 1)
    if (Math.abs(value - Number(value.toFixed(digits))) < 1e-9 * Math.max(1, size)) return digits;
  return most;
}

let ownZone = '';
/** The browser's time zone. Asking for it takes a slow phone longer than drawing a line of text, so it is asked once. */
export function viewerZone(): string {
  ownZone ||= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownZone;
}

/** Day and minute of `at` (epoch ms) on the clock that is `offsetSeconds` ahead of UTC. */
function onClock(at: number, offsetSeconds: number): { day: string; minute: string } {
  const iso = new Date(at + offsetSeconds * 1000).toISOString();
  return { day: iso.slice(0, 10), minute: iso.slice(11, 16) };
}

/** DD/MM/YYYY for people in New Zealand, else the browser's short date. `day` is YYYY-MM-DD. */
export function dayText(day: string, viewer = viewerZone()): string {
  const [year = '', month = '', date = ''] = day.split('-');
  if (viewer === 'Pacific/Auckland') return `${date}/${month}/${year}`;
  const options: Intl.DateTimeFormatOptions = {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    timeZone: 'UTC',
  };
  return new Intl.DateTimeFormat(undefined, options).format(Date.parse(`${day}T00:00:00Z`));
}

const viewerOffsetAt = (at: number) => -new Date(at).getTimezoneOffset() * 60;

/** The name of a farm's zone where its clock isn't the viewer's; else ''. `at` in epoch ms. */
export const foreignZone = (zone: Timezone, at: number): string =>
  farmOffsetSeconds(zone, at) === viewerOffsetAt(at) ? '' : zoneName(zone, at);

/**
 * "21/11/2026 18:04" on the farm's clock, with the zone's name when it isn't the viewer's. Without a zone, the
 * viewer's clock. `at` in epoch ms.
 */
export function exactTime(at: number, zone?: Timezone | null, viewer = viewerZone()): string {
  const { day, minute } = onClock(at, zone ? farmOffsetSeconds(zone, at) : viewerOffsetAt(at));
  return `${dayText(day, viewer)} ${minute} ${zone ? foreignZone(zone, at) : ''}`.trimEnd();
}

/** "21/11/2026 18:04 to 18:15" on the farm's clock; the day stands twice where it is another, or clocks change in between. As the server writes times. */
export function spanText(span: { from: string; to: string }, zone: Timezone): string {
  const [from, to] = [Date.parse(span.from), Date.parse(span.to)];
  const [begin, end] = [farmOffsetSeconds(zone, from), farmOffsetSeconds(zone, to)];
  const isOneDay = begin === end && onClock(from, begin).day === onClock(to, end).day;
  return `${exactTime(from, zone)} to ${isOneDay ? minuteText(to, zone) : exactTime(to, zone)}`;
}

/** "18:04" on the farm's clock. */
export function minuteText(at: number, zone: Timezone): string {
  return onClock(at, farmOffsetSeconds(zone, at)).minute;
}

/** As a sentence begins. */
export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
