import { expect, test } from 'vitest';
import { nightsOf } from './nights.ts';

const MINUTE = 60_000;
const greenwich = { lat: 51.48, lng: 0 };
const at = (text: string) => Date.parse(`${text}:00Z`);

// The almanac's times at Greenwich: 21 June 03:43 to 20:21 UTC, 21 December 08:04 to 15:53 UTC.
test.each([
  ['2026-06-21T12:00', '2026-06-21T20:21', '2026-06-22T03:43'],
  ['2026-12-21T12:00', '2026-12-21T15:53', '2026-12-22T08:04'],
])('a night at Greenwich from noon of %s on', (noon, sunset, sunrise) => {
  const [night] = nightsOf(greenwich, at(noon), at(noon) + 12 * 3_600_000);
  expect(Math.abs((night?.from ?? 0) - at(sunset))).toBeLessThan(6 * MINUTE);
  expect(Math.abs((night?.to ?? 0) - at(sunrise))).toBeLessThan(6 * MINUTE);
});

test('a day on the Canterbury plains in November has the end of one night and the beginning of the next', () => {
  const from = Date.parse('2026-11-21T00:00+13:00');
  const nights = nightsOf({ lat: -43.75, lng: 171.95 }, from, from + 86_400_000);
  const quarter = 15 * MINUTE;
  const clock = (time: number) =>
    new Date(Math.round(time / quarter) * quarter + 13 * 3_600_000).toISOString().slice(8, 16);
  expect(nights.map((night) => [clock(night.from), clock(night.to)])).toEqual([
    ['20T20:45', '21T05:45'],
    ['21T20:45', '22T05:45'],
  ]);
});

test('there is no night where the sun does not set', () => {
  const from = at('2026-06-21T00:00');
  expect(nightsOf({ lat: 70, lng: 25 }, from, from + 86_400_000)).toEqual([]);
});
