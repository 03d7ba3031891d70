import { describe, expect, it, test } from 'vitest';
import {
  daysBetween,
  farmDay,
  isChosen,
  isDailyRange,
  lastDays,
  pickedDayText,
  rangeOf,
  windowOf,
} from './period.ts';

const auckland = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const at = (iso: string) => Date.parse(iso);

test.each([
  [{ period: 'Day' }, { days: 1 }],
  [{ period: 'Week' }, { days: 7 }],
  [{ period: 'Month' }, { days: 30 }],
  [{ period: 'Year' }, { days: 365 }],
  [{ period: 'Custom' }, { days: 60 }],
  [{ period: 'Custom', from: '2026-11-01' }, { days: 60 }],
  [
    { period: 'Custom', from: '2026-10-23', to: '2026-11-21' },
    { days: 30, stopAt: '21-11-2026' },
  ],
  [
    { period: 'Custom', from: '2026-11-21', to: '2026-11-21' },
    { days: 1, stopAt: '21-11-2026' },
  ],
] as const)('%o asks for %o', (choice, range) => {
  expect(rangeOf(choice)).toEqual(range);
});

it('writes a picked day with its date first', () => {
  expect(pickedDayText('2026-02-01')).toBe('01/02/2026');
});

it('takes a range only with both dates, in order', () => {
  expect(isChosen({ period: 'Custom', from: '2026-11-02', to: '2026-11-01' })).toBe(false);
  expect(isChosen({ period: 'Week', from: '2026-11-01', to: '2026-11-02' })).toBe(false);
});

it('counts days with both ends, over a change of the clock', () => {
  expect(daysBetween('2026-09-26', '2026-09-28')).toBe(3);
  expect(daysBetween('2026-11-21', '2026-11-21')).toBe(1);
});

it('offers the last 30 days, today among them', () => {
  expect(lastDays('2026-11-21')).toEqual(['2026-10-23', '2026-11-21']);
});

it("knows the farm's day, not the browser's or UTC's", () => {
  // 11:30 UTC on the 20th is half past midnight on the 21st in a New Zealand summer.
  expect(farmDay(auckland, at('2026-11-20T11:30:00Z'))).toBe('2026-11-21');
});

it('draws from daily values beyond 60 days', () => {
  expect(isDailyRange({ period: 'Month' })).toBe(false);
  expect(isDailyRange({ period: 'Custom' })).toBe(false);
  expect(isDailyRange({ period: 'Year' })).toBe(true);
});

describe('a chart spans', () => {
  const now = at('2026-11-21T05:00:00Z');
  it("the farm's days that were asked for, up to now", () => {
    // Midnight of 15 November in Auckland (UTC+13) is 11:00 UTC on the 14th.
    expect(windowOf({ period: 'Week' }, auckland, now, [])).toEqual({
      from: at('2026-11-14T11:00:00Z'),
      to: now,
    });
  });
  it('whole days of the past', () => {
    const choice = { period: 'Custom', from: '2026-04-04', to: '2026-04-05' } as const;
    // The clock goes back on 5 April: that day ends at 12:00 UTC, the first began at 11:00 UTC.
    expect(windowOf(choice, auckland, now, [])).toEqual({
      from: at('2026-04-03T11:00:00Z'),
      to: at('2026-04-05T12:00:00Z'),
    });
  });
  it('the last 24 clock hours for one day up to now', () => {
    const halfPast = at('2026-11-21T05:30:00Z');
    expect(windowOf({ period: 'Day' }, auckland, halfPast, [])).toEqual({
      from: at('2026-11-20T06:00:00Z'),
      to: halfPast,
    });
  });
  it('whatever the answer holds besides', () => {
    const first = at('2026-11-20T01:00:00Z');
    expect(windowOf({ period: 'Day' }, auckland, now, [first]).from).toBe(first);
  });
});
