import { describe, expect, it } from 'vitest';
import { lastRound, type RoundSpan, roundStart } from './last-round.ts';

const HOUR = 3_600_000;
/** NZDT all the year round here: UTC+13. */
const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 46_800, dstOffset: 0, dstEnabled: false };
/** A time on the farm's clock in November 2026. */
const at = (day: number, hour: number) => Date.UTC(2026, 10, day) + (hour - 13) * HOUR;
const days = [20, 21, 22, 23, 24, 25];
const nightly = days.map((day): RoundSpan => ({ startAt: at(day, 20), endAt: at(day + 1, 5) }));
const daily = days.map((day): RoundSpan => ({ startAt: at(day, 9), endAt: at(day, 17) }));
const always = days.map((day): RoundSpan => ({ startAt: at(day, 0), endAt: at(day, 24) }));
const clock = (minute: number) => `${Math.floor(minute / 60)}:${minute % 60}`;

describe('where a farm’s watering day begins', () => {
  it.each([
    ['that waters from 20:00 to 05:00: in the middle of 05:00 to 20:00', nightly, '12:30'],
    ['that waters from 09:00 to 17:00: in the middle of 17:00 to 09:00', daily, '1:0'],
    ['that waters around the clock: in the morning', always, '7:0'],
  ])('one %s', (_, spans, start) => {
    expect(clock(roundStart(spans, zone))).toBe(start);
  });
});

describe('the last that is over', () => {
  const last = (spans: readonly RoundSpan[], now: number) => {
    const round = lastRound(roundStart(spans, zone), zone, now, 600_000, ({ from, to }) =>
      spans.filter(({ startAt }) => startAt >= from && startAt < to),
    );
    const span = spans.find(({ startAt }) => round && startAt >= round.from && startAt < round.to);
    return span ? new Date(span.startAt + 13 * HOUR).toISOString().slice(8, 13) : null;
  };
  it.each([
    ['in the morning after a night: that night', nightly, at(25, 6), '24T20'],
    ['while the last sprinkler still runs: the night before', nightly, at(25, 4), '23T20'],
    ['within ten minutes of its end: the night before', nightly, at(25, 5) + 300_000, '23T20'],
    ['in the afternoon: still last night', nightly, at(25, 15), '24T20'],
    ['while it waters by day: yesterday', daily, at(25, 12), '24T09'],
    ['in the evening after a day: that day', daily, at(25, 18), '25T09'],
    ['of who waters around the clock: the whole day before 07:00', always, at(25, 8), '24T00'],
    ['of a farm that rested: up to a week back', nightly.slice(0, 1), at(25, 6), '20T20'],
    ['of a farm that waters nothing: none', [], at(25, 6), null],
  ])('%s', (_, spans, now, begin) => {
    expect(last(spans, now)).toBe(begin);
  });
});
