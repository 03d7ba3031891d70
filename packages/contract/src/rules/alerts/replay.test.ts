import { expect, it } from 'vitest';
import { replay, type ReplayRule } from './replay.ts';

const MINUTE = 60_000;
const rule = (holdMin: number, over: Partial<ReplayRule> = {}): ReplayRule => ({
  limit: { condition: 'below', value: 20, clearValue: 25 },
  lifeRule: () => ({
    holdMs: holdMin * MINUTE,
    clearMs: Math.max(5, holdMin) * MINUTE,
    isUpward: false,
    isMoment: false,
  }),
  silentMs: 180 * MINUTE,
  class: 'important',
  mostNotices: 4,
  ...over,
});
/** A level each ten minutes. */
const levels = (...values: (number | null)[]) =>
  values.map((value, nth) => ({ at: nth * 10 * MINUTE, value }));
const summary = (found: ReturnType<typeof replay>) =>
  found.map(({ firedAt, endedAt, peak }) => [
    firedAt / MINUTE,
    endedAt === null ? null : endedAt / MINUTE,
    peak,
  ]);

it('tells what was below for its hold, as it ended and how low it was', () => {
  // Below from 10, told at 25; over at 50, known at 65.
  const points = levels(50, 18, 17, 12, 22, 30, 31, 32);
  expect(summary(replay(points, rule(15), 200 * MINUTE))).toEqual([[25, 50, 12]]);
});

it('tells nothing that was shorter than its hold, and what lies between limit and end ends nothing', () => {
  expect(replay(levels(50, 18, 30, 18, 30), rule(15), 200 * MINUTE)).toEqual([]);
  expect(summary(replay(levels(50, 18, 18, 22, 18, 22), rule(15), 60 * MINUTE))).toEqual([[25, null, 18]]);
});

it('what is invalid, or is not said, changes nothing; a hold is not over while a device is silent', () => {
  expect(replay(levels(18, null, null, null), rule(15), 200 * MINUTE)).toEqual([]);
  expect(summary(replay(levels(18, null, null, null, 17), rule(15), 200 * MINUTE))).toEqual([[40, null, 17]]);
  expect(replay(levels(18), rule(240), 1000 * MINUTE)).toEqual([]);
});

it('what comes and goes more than four times in six hours is told four times', () => {
  const points = levels(...Array.from({ length: 36 }, (_none, nth) => (nth % 2 === 0 ? 10 : 40)));
  const found = replay(points, rule(0), 400 * MINUTE);
  expect(found.length).toBe(18);
  expect(found.filter(({ isNotified }) => isNotified)).toHaveLength(4);
});

it('a longer hold never tells more', () => {
  const wave = levels(
    ...Array.from({ length: 500 }, (_none, nth) => 20 + 15 * Math.sin(nth / 7 + (nth % 5))),
  );
  const counts = [0, 15, 30, 60, 120, 240].map((hold) => replay(wave, rule(hold), 6000 * MINUTE).length);
  expect(counts).toEqual(counts.toSorted((one, other) => other - one));
});
