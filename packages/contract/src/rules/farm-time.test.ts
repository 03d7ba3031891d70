import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timezone } from '../farms.ts';
import {
  addDays,
  clockTime,
  dayStart,
  farmOffsetSeconds,
  hourOfDay,
  hourStart,
  parseDay,
  zoneOffsetSeconds,
} from './farm-time.ts';

const HOUR = 3_600_000;
const zone = (timeZoneId: string, rawOffset: number, dstOffset = 0): Timezone => ({
  timeZoneId,
  rawOffset,
  dstOffset,
  dstEnabled: dstOffset > 0,
});
const auckland = zone('Pacific/Auckland', 43_200, 3600);
const chathams = zone('Pacific/Chatham', 45_900, 3600);
const lordHowe = zone('Australia/Lord_Howe', 37_800, 1800);
const adelaide = zone('Australia/Adelaide', 34_200, 3600);
const brisbane = zone('Australia/Brisbane', 36_000);
/** A farm in Auckland's zone that keeps standard time all year. */
const standard: Timezone = { ...auckland, dstEnabled: false };
const zones = { auckland, chathams, lordHowe, adelaide, brisbane, standard };

const at = (text: string) => Date.parse(text);
const iso = (time: number | null) => time && new Date(time).toISOString().replace(':00.000Z', 'Z');

// Clocks change at 14:00Z (New Zealand, Chathams), 16:30Z (Adelaide); Lord Howe at 15:00Z in April and 15:30Z in October.
// 2026: back on Sunday 5 April, forward on Sunday 27 September (New Zealand) and 4 October (Australia).
describe('offsets', () => {
  it.each([
    ['Pacific/Auckland', '2026-01-15T00:00Z', 46_800],
    ['Pacific/Auckland', '2026-07-15T00:00Z', 43_200],
    ['Pacific/Auckland', '2026-04-04T13:59:59Z', 46_800],
    ['Pacific/Auckland', '2026-04-04T14:00Z', 43_200],
    ['Pacific/Chatham', '2026-01-15T00:00Z', 49_500],
    ['Pacific/Chatham', '2026-09-26T13:59:59Z', 45_900],
    ['Pacific/Chatham', '2026-09-26T14:00Z', 49_500],
    ['Australia/Lord_Howe', '2026-04-04T14:59:59Z', 39_600],
    ['Australia/Lord_Howe', '2026-04-04T15:00Z', 37_800],
    ['Australia/Brisbane', '2026-01-15T00:00Z', 36_000],
    ['UTC', '2026-01-15T00:00Z', 0],
    ['America/St_Johns', '2026-01-15T00:00Z', -12_600],
  ])('of %s at %s', (id, time, seconds) => {
    expect(zoneOffsetSeconds(id, at(time))).toBe(seconds);
  });

  it('keep standard time all year where daylight saving is off', () => {
    expect(farmOffsetSeconds(standard, at('2026-01-15T00:00Z'))).toBe(43_200);
  });

  it('of a zone that does not exist are refused', () => {
    expect(() => zoneOffsetSeconds('Pacific/Atlantis', 0)).toThrow(RangeError);
  });
});

describe('days', () => {
  it.each([
    ['an ordinary summer day', auckland, '2026-01-15T10:59:59Z', '2026-01-14T11:00Z', '2026-01-15T11:00Z'],
    ['the first moment of a day', auckland, '2026-01-15T11:00:00Z', '2026-01-15T11:00Z', '2026-01-16T11:00Z'],
    [
      'the day of 25 hours, at its start',
      auckland,
      '2026-04-04T11:00:00Z',
      '2026-04-04T11:00Z',
      '2026-04-05T12:00Z',
    ],
    [
      'the day of 25 hours, at its end',
      auckland,
      '2026-04-05T11:59:59Z',
      '2026-04-04T11:00Z',
      '2026-04-05T12:00Z',
    ],
    ['the day of 23 hours', auckland, '2026-09-27T10:59:59Z', '2026-09-26T12:00Z', '2026-09-27T11:00Z'],
    [
      'the same day without daylight saving',
      standard,
      '2026-09-27T10:59:59Z',
      '2026-09-26T12:00Z',
      '2026-09-27T12:00Z',
    ],
    ['the Chathams, 25 hours', chathams, '2026-04-05T00:00:00Z', '2026-04-04T10:15Z', '2026-04-05T11:15Z'],
    [
      'Lord Howe, 24 and a half hours',
      lordHowe,
      '2026-04-05T00:00:00Z',
      '2026-04-04T13:00Z',
      '2026-04-05T13:30Z',
    ],
    [
      'Lord Howe, 23 and a half hours',
      lordHowe,
      '2026-10-04T00:00:00Z',
      '2026-10-03T13:30Z',
      '2026-10-04T13:00Z',
    ],
    [
      'Brisbane, that never changes',
      brisbane,
      '2026-10-04T00:00:00Z',
      '2026-10-03T14:00Z',
      '2026-10-04T14:00Z',
    ],
  ])('begin and end at local midnight: %s', (_name, farm, time, start, end) => {
    expect(iso(dayStart(farm, at(time)))).toBe(start);
    expect(iso(addDays(farm, at(start), 1))).toBe(end);
    expect(iso(addDays(farm, at(end), -1))).toBe(start);
  });

  it('can be counted over a whole year and back', () => {
    const start = at('2026-04-04T11:00Z');
    expect(iso(addDays(auckland, start, 365))).toBe('2027-04-04T12:00Z');
    expect(iso(addDays(auckland, at('2027-04-04T12:00Z'), -365))).toBe('2026-04-04T11:00Z');
  });
});

describe('hours', () => {
  it.each([
    ['of a zone on the hour', auckland, '2026-01-15T03:59:59Z', '2026-01-15T03:00Z', 16],
    ['at :15 where the zone is at :45', chathams, '2026-01-15T03:14:59Z', '2026-01-15T02:15Z', 16],
    ['at :30 where the zone is at :30', adelaide, '2026-01-15T03:29:00Z', '2026-01-15T02:30Z', 13],
    ['02:00 the first time', auckland, '2026-04-04T13:30:00Z', '2026-04-04T13:00Z', 2],
    ['02:00 the second time', auckland, '2026-04-04T14:30:00Z', '2026-04-04T14:00Z', 2],
    ['03:00 straight after 01:59', auckland, '2026-09-26T14:10:00Z', '2026-09-26T14:00Z', 3],
    [
      '01:00 to 02:00 on Lord Howe before the change',
      lordHowe,
      '2026-04-04T14:59:00Z',
      '2026-04-04T14:00Z',
      1,
    ],
    [
      '01:30 to 02:00 once more, named by a 01:00 of its own',
      lordHowe,
      '2026-04-04T15:10:00Z',
      '2026-04-04T14:30Z',
      1,
    ],
    ['02:00 after it', lordHowe, '2026-04-04T15:30:00Z', '2026-04-04T15:30Z', 2],
    [
      '02:30 to 03:00, named by the 02:00 that there is not',
      lordHowe,
      '2026-10-03T15:45:00Z',
      '2026-10-03T15:00Z',
      2,
    ],
    [
      'the rest of an hour that the Chathams leave at 02:45 for 03:45',
      chathams,
      '2026-09-26T14:05:00Z',
      '2026-09-26T13:15Z',
      3,
    ],
  ])('begin on the farm clock: %s', (_name, farm, time, start, hour) => {
    expect(iso(hourStart(farm, at(time)))).toBe(start);
    expect(hourOfDay(farm, at(time))).toBe(hour);
  });
});

describe('at any time in any zone', () => {
  const farms = fc.constantFrom(...Object.values(zones));
  const times = fc.integer({ min: at('2000-01-01T00:00Z'), max: at('2040-01-01T00:00Z') });
  /** Within a day of the changes of 2026, where mistakes live. */
  const nearChanges = fc
    .tuple(
      fc.constantFrom('2026-04-04T14:00Z', '2026-09-26T14:00Z', '2026-10-03T15:30Z'),
      fc.integer({ min: -26 * 60, max: 26 * 60 }),
    )
    .map(([change, minutes]) => at(change) + minutes * 60_000);
  const moments = fc.oneof(times, nearChanges);

  it('a day starts at midnight, holds the moment, and lasts 23 to 25 hours', () => {
    fc.assert(
      fc.property(farms, moments, (farm, now) => {
        const start = dayStart(farm, now);
        const end = addDays(farm, start, 1);
        expect(start).toBeLessThanOrEqual(now);
        expect(end).toBeGreaterThan(now);
        expect(hourOfDay(farm, start)).toBe(0);
        expect(dayStart(farm, start)).toBe(start);
        expect(dayStart(farm, end - 1)).toBe(start);
        expect(Math.abs(end - start - 24 * HOUR)).toBeLessThanOrEqual(HOUR);
      }),
    );
  });

  it('an hour starts no more than an hour ago', () => {
    fc.assert(
      fc.property(farms, moments, (farm, now) => {
        const age = now - hourStart(farm, now);
        expect(age).toBeGreaterThanOrEqual(0);
        expect(age).toBeLessThan(HOUR);
      }),
    );
  });

  it('an hour starts within itself and its day, where clocks move by whole hours on the hour', () => {
    const whole = fc.constantFrom(auckland, adelaide, brisbane, standard);
    fc.assert(
      fc.property(whole, moments, (farm, now) => {
        const start = hourStart(farm, now);
        expect(hourStart(farm, start)).toBe(start);
        expect(hourOfDay(farm, start)).toBe(hourOfDay(farm, now));
        expect(dayStart(farm, start)).toBe(dayStart(farm, now));
      }),
    );
  });

  it('later is never an earlier hour', () => {
    fc.assert(
      fc.property(farms, moments, fc.integer({ min: 0, max: 2 * HOUR }), (farm, now, later) => {
        expect(hourStart(farm, now + later)).toBeGreaterThanOrEqual(hourStart(farm, now));
      }),
    );
  });

  it('days forward and as many back come to the same day', () => {
    fc.assert(
      fc.property(farms, moments, fc.integer({ min: -800, max: 800 }), (farm, now, days) => {
        const start = dayStart(farm, now);
        expect(addDays(farm, addDays(farm, start, days), -days)).toBe(start);
      }),
    );
  });

  it('a day written down is read as the same day, in each spelling', () => {
    fc.assert(
      fc.property(farms, moments, (farm, now) => {
        const start = dayStart(farm, now);
        const [year, month, day] = new Date(start + farmOffsetSeconds(farm, start) * 1000)
          .toISOString()
          .slice(0, 10)
          .split('-');
        expect(parseDay(farm, `${day}-${month}-${year}`)).toBe(start);
        expect(parseDay(farm, `${year}-${month}-${day}`)).toBe(start);
        expect(parseDay(farm, new Date(now).toISOString())).toBe(start);
      }),
    );
  });
});

describe('days as text', () => {
  it.each([
    ['15-01-2026', '2026-01-14T11:00Z'],
    ['2026-01-15', '2026-01-14T11:00Z'],
    ['05-04-2026', '2026-04-04T11:00Z'],
    ['29-02-2028', '2028-02-28T11:00Z'],
    ['2026-01-15T12:00:00Z', '2026-01-15T11:00Z'],
    ['2026-01-15T12:00:00+13:00', '2026-01-14T11:00Z'],
    // Without a zone the farm's, not the server's.
    ['2026-01-15T00:00', '2026-01-14T11:00Z'],
    ['2026-01-15T23:59:59.999', '2026-01-14T11:00Z'],
  ])('%s', (text, start) => {
    expect(iso(parseDay(auckland, text))).toBe(start);
  });

  it.each([
    '29-02-2026',
    '31-04-2026',
    '00-01-2026',
    '01-13-2026',
    '2026-13-01',
    '2026-01-15Tnoon',
    '2026-02-31T00:00:00Z',
    '15/01/2026',
    '',
  ])('"%s" is no day', (text) => {
    expect(parseDay(auckland, text)).toBeNull();
  });
});

describe("the moment when the farm's clock shows a time", () => {
  it.each([
    ['an ordinary one', auckland, '15-01-2026', 9, '2026-01-14T20:00Z'],
    ['before clocks go forward', auckland, '27-09-2026', 1.5, '2026-09-26T13:30Z'],
    // 02:30 by the clock before the change, which is 03:30 after it.
    ['skipped', auckland, '27-09-2026', 2.5, '2026-09-26T14:30Z'],
    ['after clocks went forward', auckland, '27-09-2026', 3.5, '2026-09-26T14:30Z'],
    ['before clocks go back', auckland, '05-04-2026', 1.5, '2026-04-04T12:30Z'],
    // 02:30 comes at 13:30Z and again at 14:30Z.
    ['doubled', auckland, '05-04-2026', 2.5, '2026-04-04T13:30Z'],
    ['after clocks went back', auckland, '05-04-2026', 3, '2026-04-04T15:00Z'],
    ['on a farm that keeps standard time', standard, '27-09-2026', 2.5, '2026-09-26T14:30Z'],
    ['skipped by half an hour', lordHowe, '04-10-2026', 2.25, '2026-10-03T15:45Z'],
    ['at midnight', adelaide, '05-04-2026', 0, '2026-04-04T13:30Z'],
  ] as const)('%s', (_what, farm, day, hours, expected) => {
    const start = parseDay(farm, day) ?? 0;
    expect(iso(clockTime(farm, start, hours * 3600))).toBe(expected);
  });
});
