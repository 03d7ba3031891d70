import { expect, test } from 'vitest';
import type { TakeExceedance } from '@headrace/contract/water-takes';
import { joinedExceedances } from './joined-exceedances.ts';

const time = (minute: number) => new Date(Date.parse('2026-11-20T12:00:00Z') + minute * 60_000).toISOString();
const rate = (minute: number, value: number, over: Partial<TakeExceedance> = {}): TakeExceedance => ({
  limit: 'rate',
  at: { from: time(minute), to: time(minute + 15) },
  value,
  most: 12.25,
  isWithinAccuracy: false,
  isRestricted: false,
  isWhole: true,
  ...over,
});
const joined = (...exceedances: TakeExceedance[]) =>
  joinedExceedances(exceedances).map(({ limit, at, count, value }) => [limit, at.from, at.to, count, value]);

test('quarters above the rate that follow each other are one, by the highest, also over what else is told of a midnight', () => {
  const day = rate(0, 449, { limit: 'day', at: { from: time(-1440), to: time(0) }, most: 430 });
  expect(joined(rate(30, 13), rate(15, 13.1), rate(0, 12.9), day, rate(-15, 12.8), rate(-60, 12.5))).toEqual([
    ['rate', time(-15), time(45), 4, 13.1],
    ['day', time(-1440), time(0), 1, 449],
    ['rate', time(-60), time(-45), 1, 12.5],
  ]);
});

test('a restriction begins another, and one quarter that is not whole or not within the accuracy tells of all', () => {
  const restricted = rate(15, 8, { most: 6, isRestricted: true });
  expect(joined(rate(30, 13), restricted, rate(0, 13))).toHaveLength(3);
  const [one] = joinedExceedances([
    rate(15, 12.5, { isWithinAccuracy: true }),
    rate(0, 13, { isWhole: false }),
  ]);
  expect(one).toMatchObject({ count: 2, isWhole: false, isWithinAccuracy: false });
});
