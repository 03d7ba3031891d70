import type { Timezone } from '../farms.ts';

/**
 * The farm's clock. Days and hours of history are the farm's: its zone's offset, or its standard offset all year
 * when daylight saving is off. Zones at :30 and :45 and half-hour shifts (Lord Howe) are real customers.
 */
const SLOT_MS = 1_800_000;
const offsets = new Map<string, Map<number, number>>();
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zoneId: string): Intl.DateTimeFormat {
  let format = formats.get(zoneId);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zoneId, timeZoneName: 'longOffset' });
    formats.set(zoneId, format);
  }
  return format;
}

/** Seconds ahead of UTC that the zone's clocks show at this moment. Throws RangeError for an unknown zone. */
export function zoneOffsetSeconds(zoneId: string, at: number): number {
  const slot = Math.floor(at / SLOT_MS);
  let known = offsets.get(zoneId);
  if (!known) offsets.set(zoneId, (known = new Map()));
  let offset = known.get(slot);
  if (offset === undefined) {
    offset = readOffset(formatOf(zoneId).format(slot * SLOT_MS));
    if (known.size > 100_000) known.clear();
    known.set(slot, offset);
  }
  return offset;
}

function readOffset(text: string): number {
  const match = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(text);
  if (!match?.[1]) return 0;
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60;
  return match[1] === '-' ? -seconds : seconds;
}

/** A clock by which a farm went until `until`, epoch ms. */
export interface ClockBefore extends Timezone {
  readonly until: number;
}

/** A farm's clock with those that it went by before a person changed it, oldest first: what waters goes by the one of then. */
export interface FarmClock extends Timezone {
  readonly before?: readonly ClockBefore[];
}

/** Seconds ahead of UTC at `at` (epoch ms) on the farm's clock. */
export function farmOffsetSeconds(clock: FarmClock, at: number): number {
  const { dstEnabled, timeZoneId, rawOffset } = clock.before?.find(({ until }) => at < until) ?? clock;
  return dstEnabled ? zoneOffsetSeconds(timeZoneId, at) : rawOffset;
}

/**
 * Start (epoch ms) of the farm's clock hour that holds `at`, by the offset that holds at `at`. It names the hour: where the
 * clock moves within one (Lord Howe by half an hour, the Chathams at :45) the name can lie before the hour's first moment.
 */
export function hourStart(zone: Timezone, at: number): number {
  const offset = farmOffsetSeconds(zone, at) * 1000;
  return Math.floor((at + offset) / 3_600_000) * 3_600_000 - offset;
}

/** Start (epoch ms) of the farm's day that holds `at`: local midnight, by the offset that holds at midnight. */
export function dayStart(zone: Timezone, at: number): number {
  const offset = farmOffsetSeconds(zone, at) * 1000;
  const midnight = Math.floor((at + offset) / 86_400_000) * 86_400_000;
  const guess = midnight - offset;
  return midnight - farmOffsetSeconds(zone, guess) * 1000;
}

/** Start of the farm's day `days` later (or earlier, when negative) than the day that starts at `start`. */
export function addDays(zone: Timezone, start: number, days: number): number {
  return dayStart(zone, start + days * 86_400_000 + 43_200_000);
}

/** Hour of the day (0-23) on the farm's clock. */
export function hourOfDay(zone: Timezone, at: number): number {
  const local = at + farmOffsetSeconds(zone, at) * 1000;
  return Math.floor((((local % 86_400_000) + 86_400_000) % 86_400_000) / 3_600_000);
}

/**
 * Midnight at the start of a farm's calendar day given as DD-MM-YYYY, YYYY-MM-DD or an ISO time; null if it is none. A time that
 * says no zone is one on the farm's clock, wherever the server stands.
 */
export function parseDay(zone: Timezone, text: string): number | null {
  const dmy = /^(\d{2})-(\d{2})-(\d{4})$/.exec(text);
  const ymd = /^(\d{4})-(\d{2})-(\d{2})(T.*)?$/.exec(text);
  const [year, month, day] = dmy
    ? [Number(dmy[3]), Number(dmy[2]), Number(dmy[1])]
    : ymd
      ? [Number(ymd[1]), Number(ymd[2]), Number(ymd[3])]
      : [0, 0, 0];
  const utc = Date.UTC(year, month - 1, day);
  const read = new Date(utc);
  if (year < 1900 || read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day) return null;
  const time = ymd?.[4];
  const at = time === undefined ? utc : Date.parse(text);
  if (Number.isNaN(at)) return null;
  if (time !== undefined && /(?:Z|[+-]\d{2}:?\d{2})$/i.test(time)) return dayStart(zone, at);
  return dayStart(zone, utc + 43_200_000 - zone.rawOffset * 1000);
}

/**
 * The moment (epoch ms) when the farm's clock shows so many seconds after midnight on the day that starts at `start`. A time
 * that a clock change skips is read on the clock before the change (02:30 is 03:30 then); of one that it doubles, the first.
 */
export function clockTime(zone: Timezone, start: number, secondsOfDay: number): number {
  const noon = start + 43_200_000;
  const localNoon = noon + farmOffsetSeconds(zone, noon) * 1000;
  const local = Math.floor(localNoon / 86_400_000) * 86_400_000 + secondsOfDay * 1000;
  // Zones lie within 14 hours of UTC: a day to either side is surely before and after a change of that day.
  const [before, after] = [-86_400_000, 86_400_000].map(
    (away) => local - farmOffsetSeconds(zone, local + away) * 1000,
  ) as [number, number];
  const shows = (at: number) => at + farmOffsetSeconds(zone, at) * 1000 === local;
  return !shows(before) && shows(after) ? after : before;
}
