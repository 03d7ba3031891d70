import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timezone } from '../farms.ts';
import { cycleDayNow, farmCalendar, lastRun, waterings } from './active-now.ts';

const auckland: Timezone = {
  timeZoneId: 'Pacific/Auckland',
  rawOffset: 43_200,
  dstOffset: 3600,
  dstEnabled: true,
};
const chathams: Timezone = {
  timeZoneId: 'Pacific/Chatham',
  rawOffset: 45_900,
  dstOffset: 3600,
  dstEnabled: true,
};
/** Standard time all year. */
const standard: Timezone = { ...auckland, dstEnabled: false };

const MINUTE = 60_000;
const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString().replace(':00.000Z', 'Z');
const oneDay = { day: 1, length: 1 };

function found(
  zone: Timezone,
  now: string,
  entry: { start: number; duration: number; cycle?: number },
  cycle = oneDay,
) {
  const [one] = waterings(farmCalendar(zone, at(now)), [{ cycle: 1, ...entry }], cycle);
  return one ? [iso(one.startAt), iso(one.endAt), one.activeNow] : [];
}

describe('a watering every day from 20:00 for an hour', () => {
  const evening = { start: 1200, duration: 60 };
  // New Zealand summer time: 20:00 is 07:00Z.
  it.each([
    ['2026-11-20T06:59Z', ['2026-11-20T07:00Z', '2026-11-20T08:00Z', false]],
    ['2026-11-20T07:00Z', ['2026-11-20T07:00Z', '2026-11-20T08:00Z', true]],
    ['2026-11-20T07:59:59Z', ['2026-11-20T07:00Z', '2026-11-20T08:00Z', true]],
    ['2026-11-20T08:00Z', ['2026-11-21T07:00Z', '2026-11-21T08:00Z', false]],
  ])('at %s', (now, expected) => {
    expect(found(auckland, now, evening)).toEqual(expected);
  });

  it("is at the farm's own 20:00", () => {
    expect(found(standard, '2026-11-20T08:30Z', evening)).toEqual([
      '2026-11-20T08:00Z',
      '2026-11-20T09:00Z',
      true,
    ]);
    expect(found(chathams, '2026-11-20T06:30Z', evening)).toEqual([
      '2026-11-20T06:15Z',
      '2026-11-20T07:15Z',
      true,
    ]);
  });
});

it.each([
  // 23:00 to 02:00, summer time: midnight is 11:00Z.
  ['2026-11-20T12:30Z', true, '2026-11-20T10:00Z'],
  ['2026-11-20T13:00Z', false, '2026-11-21T10:00Z'],
])('goes on after midnight: at %s it is under way: %s', (now, isActive, startAt) => {
  expect(found(auckland, now, { start: 1380, duration: 180 })).toMatchObject({ 0: startAt, 2: isActive });
});

it('goes on from the last day of the cycle into its first', () => {
  // Today is day 1 of 3; the watering of day 3 began yesterday at 23:30 (10:30Z).
  const entry = { start: 1410, duration: 120, cycle: 3 };
  expect(found(auckland, '2026-11-20T11:30Z', entry, { day: 1, length: 3 })).toEqual([
    '2026-11-20T10:30Z',
    '2026-11-20T12:30Z',
    true,
  ]);
});

it.each([
  [1, '2026-11-20T07:00Z'],
  [2, '2026-11-21T07:00Z'],
  [3, '2026-11-22T07:00Z'],
])('waters on its own day of the cycle only: day %d begins next at %s', (cycle, startAt) => {
  const entry = { start: 1200, duration: 60, cycle };
  expect(found(auckland, '2026-11-20T01:00Z', entry, { day: 1, length: 3 })).toMatchObject({
    0: startAt,
    2: false,
  });
});

it('has no watering of a day that the cycle has not', () => {
  expect(found(auckland, '2026-11-20T01:00Z', { start: 0, duration: 60, cycle: 2 })).toEqual([]);
});

it('reads a start after midnight of the second day as units do: minutes of that day', () => {
  const cycle = { day: 2, length: 2 };
  expect(
    found(auckland, '2026-11-20T01:00Z', { start: 1440 + 1200, duration: 60, cycle: 2 }, cycle),
  ).toMatchObject({ 0: '2026-11-20T07:00Z' });
});

describe('on nights when the clocks change', () => {
  it.each([
    // Sunday 27 September 2026: 02:00 becomes 03:00 at 14:00Z on the 26th; midnight is 12:00Z.
    ['before the skipped hour', '2026-09-26T12:30Z', 90, '2026-09-26T13:30Z'],
    ['in the skipped hour', '2026-09-26T12:30Z', 150, '2026-09-26T14:00Z'],
    ['after the skipped hour', '2026-09-26T12:30Z', 240, '2026-09-26T15:00Z'],
    ['in the evening of that day', '2026-09-26T12:30Z', 1200, '2026-09-27T07:00Z'],
    // Sunday 5 April 2026: 03:00 becomes 02:00 at 14:00Z on the 4th; midnight is 11:00Z.
    ['before the hour that comes twice', '2026-04-04T11:30Z', 90, '2026-04-04T12:30Z'],
    ['in the hour that comes twice', '2026-04-04T11:30Z', 150, '2026-04-04T13:30Z'],
    ['after the hour that comes twice', '2026-04-04T11:30Z', 240, '2026-04-04T16:00Z'],
    ['in the evening of that day', '2026-04-04T11:30Z', 1200, '2026-04-05T08:00Z'],
  ])('%s: at %s the watering of minute %d begins next at %s', (_name, now, start, expected) => {
    expect(found(auckland, now, { start, duration: 30 })).toMatchObject({ 0: expected });
  });

  const sydney: Timezone = {
    timeZoneId: 'Australia/Sydney',
    rawOffset: 36_000,
    dstOffset: 3600,
    dstEnabled: true,
  };
  const lordHowe: Timezone = {
    timeZoneId: 'Australia/Lord_Howe',
    rawOffset: 37_800,
    dstOffset: 1800,
    dstEnabled: true,
  };
  it.each([
    // 02:00 becomes 03:00 on 4 October 2026 at 16:00Z, and 03:00 becomes 02:00 on 5 April at 16:00Z.
    ['New South Wales in spring', sydney, '2026-10-03T15:00Z', 150, '2026-10-03T16:00Z'],
    ['New South Wales in autumn', sydney, '2026-04-04T15:00Z', 150, '2026-04-04T15:30Z'],
    // Lord Howe: 02:00 becomes 02:30 at 15:30Z, and 02:00 becomes 01:30 at 15:00Z.
    ['Lord Howe in spring', lordHowe, '2026-10-03T15:00Z', 135, '2026-10-03T15:30Z'],
    ['Lord Howe in autumn', lordHowe, '2026-04-04T14:30Z', 105, '2026-04-04T14:45Z'],
    // The Chathams: 02:45 becomes 03:45, and 03:45 becomes 02:45, both at 14:00Z.
    ['the Chathams in spring', chathams, '2026-09-26T13:00Z', 180, '2026-09-26T14:00Z'],
    ['the Chathams in autumn', chathams, '2026-04-04T13:00Z', 210, '2026-04-04T13:45Z'],
    ['where the farm keeps standard time', standard, '2026-09-26T13:00Z', 150, '2026-09-26T14:30Z'],
  ])('%s', (_name, zone, now, start, expected) => {
    expect(found(zone, now, { start, duration: 30 })).toMatchObject({ 0: expected });
  });

  it('begins once in a doubled hour: the second time it is over, and next is the day after', () => {
    expect(found(auckland, '2026-04-04T14:30Z', { start: 150, duration: 30 })).toEqual([
      '2026-04-05T14:30Z',
      '2026-04-05T15:00Z',
      false,
    ]);
  });

  it('lasts its minutes, whatever the clock does meanwhile', () => {
    // 01:30 for two hours: the clock shows 04:30 when it ends in spring, 02:30 in autumn.
    expect(found(auckland, '2026-09-26T14:59Z', { start: 90, duration: 120 })).toEqual([
      '2026-09-26T13:30Z',
      '2026-09-26T15:30Z',
      true,
    ]);
    expect(found(auckland, '2026-04-04T14:29Z', { start: 90, duration: 120 })).toEqual([
      '2026-04-04T12:30Z',
      '2026-04-04T14:30Z',
      true,
    ]);
  });
});

it('set back by a person during a watering from 02:30 has it go on to its end, and none again an hour later', () => {
  // At 02:40 on 21 November, which is 01:40 from then on.
  const back = { ...standard, before: [{ ...auckland, until: at('2026-11-20T13:40Z') }] };
  const entry = { start: 150, duration: 28 };
  expect(found(back, '2026-11-20T13:50Z', entry)).toEqual(['2026-11-20T13:30Z', '2026-11-20T13:58Z', true]);
  expect(found(back, '2026-11-20T14:40Z', entry)).toEqual(['2026-11-21T14:30Z', '2026-11-21T14:58Z', false]);
});

describe('the day of the cycle', () => {
  const said = (day: number, time: string) => ({ day, at: at(time) });
  it.each([
    // Midnight is 11:00Z.
    ['the same day', said(2, '2026-11-19T11:00Z'), '2026-11-20T10:59Z', 3, 2],
    ['after midnight', said(2, '2026-11-19T11:00Z'), '2026-11-20T11:00Z', 3, 3],
    ['round the end of the cycle', said(3, '2026-11-20T10:59Z'), '2026-11-20T11:00Z', 3, 1],
    ['ten days later', said(1, '2026-11-10T00:00Z'), '2026-11-20T00:00Z', 3, 2],
    ['over the clocks going forward', said(1, '2026-09-26T00:00Z'), '2026-09-27T00:00Z', 2, 2],
    ['over the clocks going back', said(1, '2026-04-04T00:00Z'), '2026-04-05T12:00Z', 4, 3],
    ['of a unit whose clock is ahead', said(1, '2026-11-20T11:01Z'), '2026-11-20T10:59Z', 3, 3],
  ])('%s', (_name, report, now, length, expected) => {
    expect(cycleDayNow(farmCalendar(auckland, at(now)), report, length)).toBe(expected);
  });

  it('is 1 of 1, and unknown of a longer cycle that nobody spoke of', () => {
    const calendar = farmCalendar(auckland, at('2026-11-20T00:00Z'));
    expect(cycleDayNow(calendar, null, 1)).toBe(1);
    expect(cycleDayNow(calendar, null, 2)).toBeNull();
  });
});

describe('the last run of a unit', () => {
  const last = (now: string, ...entries: { start: number; duration: number; cycle?: number }[]) => {
    const run = lastRun(
      farmCalendar(auckland, at(now)),
      entries.map((entry) => ({ cycle: 1, ...entry })),
      { day: 1, length: 2 },
    );
    return run && [iso(run.startAt), iso(run.endAt)];
  };
  // 05:12 in New Zealand's summer time is 16:12 UTC of the day before; day 1 is the 21st.
  const morning = { start: 312, duration: 29 };

  it.each([
    ['2026-11-20T16:11:00Z', ['2026-11-18T16:12Z', '2026-11-18T16:41Z']],
    ['2026-11-20T16:12:00Z', ['2026-11-20T16:12Z', '2026-11-20T16:41Z']],
    ['2026-11-20T20:00:00Z', ['2026-11-20T16:12Z', '2026-11-20T16:41Z']],
  ])('at %s', (now, expected) => {
    expect(last(now, morning)).toEqual(expected);
  });

  it('of several is the one that ends last, and there is none without entries or on a day that the cycle lacks', () => {
    const evening = { start: 1200, duration: 60, cycle: 2 };
    expect(last('2026-11-20T15:00:00Z', morning, evening)).toEqual([
      '2026-11-20T07:00Z',
      '2026-11-20T08:00Z',
    ]);
    expect(last('2026-11-20T17:00:00Z', morning, evening)?.[0]).toBe('2026-11-20T16:12Z');
    expect(last('2026-11-20T17:00:00Z')).toBeNull();
    expect(last('2026-11-20T17:00:00Z', { ...morning, cycle: 3 })).toBeNull();
  });
});

it('always finds a watering that ends later than now, under way exactly when it has begun', () => {
  const entry = fc.record({
    start: fc.integer({ min: 0, max: 1439 }),
    duration: fc.integer({ min: 1, max: 1440 }),
    cycle: fc.integer({ min: 1, max: 14 }),
  });
  const time = fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2027-01-01T00:00Z') });
  const zone = fc.constantFrom(auckland, chathams, standard);
  fc.assert(
    fc.property(zone, time, entry, fc.integer({ min: 1, max: 14 }), (where, now, one, today) => {
      const [watering] = waterings(farmCalendar(where, now), [one], { day: today, length: 14 });
      expect(watering).toBeDefined();
      if (!watering) return;
      expect(watering.endAt).toBeGreaterThan(now);
      expect(watering.endAt - watering.startAt).toBe(one.duration * MINUTE);
      expect(watering.activeNow).toBe(watering.startAt <= now);
      // The one before it, a cycle earlier, is over.
      expect(watering.endAt - 14 * 86_400_000).toBeLessThanOrEqual(now + 2 * 3_600_000);
    }),
  );
});
