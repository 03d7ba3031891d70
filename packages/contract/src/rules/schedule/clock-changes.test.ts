import { expect, it } from 'vitest';
import { wateringStart } from '@headrace/device/watering-start';
import type { Timezone } from '../../farms.ts';
import { clockTime, dayStart, farmOffsetSeconds } from '../farm-time.ts';

/**
 * What clocks show is read minute by minute from the runtime's tables, as a person would from a clock: no offsets. Compared are
 * all days of 2024 to 2035 on which a clock of New Zealand or Australia changes, and other days once each.
 */
const MINUTE = 60_000;
const DAY = 86_400_000;
const zoneIds = Intl.supportedValuesOf('timeZone').filter((id) =>
  /^(Australia\/|Pacific\/(Auckland|Chatham)$|Antarctica\/Macquarie$)/.test(id),
);
const [first, last] = [Date.UTC(2024, 0, 1), Date.UTC(2036, 0, 1)];

function clockOf(timeZone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  return (at) => format.format(at);
}
const textOf = (date: string, minute: number) =>
  `${date} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const zoneOf = (timeZoneId: string): Timezone => ({
  timeZoneId,
  rawOffset: 0,
  dstOffset: 0,
  dstEnabled: true,
});
const isoDay = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Each minute of the day as its clock shows it, and when that is the first time; a minute that is skipped is undefined. */
function minutesShown(shows: (at: number) => string, date: string): (number | undefined)[] {
  const firstShown = new Map<string, number>();
  for (
    let at = Date.parse(`${date}T00:00Z`) - 15 * 60 * MINUTE;
    at < Date.parse(`${date}T17:00Z`);
    at += MINUTE
  ) {
    const text = shows(at);
    if (!firstShown.has(text)) firstShown.set(text, at);
  }
  return Array.from({ length: 1440 }, (_, minute) => firstShown.get(textOf(date, minute)));
}

/** Days whose noon and the noon before are not a day of the clock apart. */
function changeDays(shows: (at: number) => string): string[] {
  const days: string[] = [];
  for (let at = first; at < last; at += DAY)
    if (shows(at).slice(11) !== shows(at - DAY).slice(11)) days.push(shows(at).slice(0, 10));
  return days;
}

it('zones of New Zealand and Australia are known here', () => {
  expect(zoneIds).toEqual(expect.arrayContaining(['Pacific/Auckland', 'Australia/Lord_Howe']));
  expect(zoneIds.length).toBeGreaterThan(10);
  // Two a year.
  for (const id of ['Pacific/Auckland', 'Australia/Lord_Howe'])
    expect(changeDays(clockOf(id))).toHaveLength(24);
});

it.each(zoneIds)('%s: each minute of each day on which its clock changes', (timeZoneId) => {
  const shows = clockOf(timeZoneId);
  const zone = zoneOf(timeZoneId);
  const days = changeDays(shows);
  for (const date of days) {
    const midnight = dayStart(zone, Date.parse(`${date}T00:00Z`));
    expect(shows(midnight)).toBe(`${date} 00:00`);
    const shown = minutesShown(shows, date);
    const number = Date.parse(`${date}T00:00Z`) / DAY;
    let before = 0;
    const wrong = shown.flatMap((at, minute) => {
      if (at !== undefined) before = minute;
      const lastBefore = shown[before] ?? Number.NaN;
      // Skipped: for clocks as many minutes after the last one that was shown, for waterings at the change itself.
      const clock = at ?? lastBefore + (minute - before) * MINUTE;
      const watering = at ?? lastBefore + MINUTE;
      const started = wateringStart((when) => farmOffsetSeconds(zone, when) * 1000, number, minute);
      const isRight = clockTime(zone, midnight, minute * 60) === clock && started === watering;
      return isRight ? [] : [textOf(date, minute)];
    });
    expect(wrong).toEqual([]);
  }
});

it.each(zoneIds)('%s: midnight and half past two of every day', (timeZoneId) => {
  const shows = clockOf(timeZoneId);
  const zone = zoneOf(timeZoneId);
  const changes = new Set(changeDays(shows));
  for (let noon = first; noon < last; noon += DAY) {
    const date = isoDay(noon);
    if (changes.has(date)) continue;
    const midnight = dayStart(zone, noon);
    expect([shows(midnight), shows(clockTime(zone, midnight, 9000))]).toEqual([
      `${date} 00:00`,
      `${date} 02:30`,
    ]);
  }
});
