import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReportedRun } from './applied.ts';
import { diarySteadyUntil } from './diary-steady.ts';
import { type PlanSpan, unitDiary, type UnitPast } from './unit-diary.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1440;
/** A farm without summer time at UTC, so that times are as they read. */
const zone = { timeZoneId: 'UTC', rawOffset: 0, dstOffset: 0, dstEnabled: false };
const NIGHT = Date.UTC(2026, 10, 20);
const at = (minute: number) => NIGHT + minute * MINUTE;
const DAY = { from: NIGHT, to: at(DAY_MINUTES) };

/** 05:12 to 05:40 each day. */
const plan: PlanSpan = {
  since: at(-10 * DAY_MINUTES),
  until: null,
  crc: 'AA:AA',
  programme: { entries: [{ start: 312, duration: 28, cycle: 1 }], cycleDays: 1 },
  stoppedAt: null,
  holds: 'this',
  holdsSince: null,
};
const ran = (from: number, to: number | null): ReportedRun => ({
  unit: 'A1',
  openedAt: at(from),
  openedHow: 'said',
  openUntil: at(from),
  closedAt: to === null ? null : at(to),
  closedHow: to === null ? null : 'said',
  lps: 4,
  mmPerMin: 0.1724,
});
const past = (more: Partial<UnitPast> = {}): UnitPast => ({
  spans: [plan],
  runs: [],
  clockS: 0,
  saidClosed: [],
  logged: [],
  openings: [],
  ...more,
});
const until = (one: UnitPast, minute: number) =>
  (diarySteadyUntil(one, zone, DAY, at(minute)) - NIGHT) / MINUTE;

it('says the same until the next watering begins', () => {
  expect(until(past(), 100)).toBe(312);
});

it('says the same until the watering is over without a word', () => {
  const end = until(past(), 320);
  expect(end).toBeGreaterThanOrEqual(340);
  expect(end).toBeLessThan(360);
});

it('says the same for good once the day after it is over', () => {
  expect(until(past(), 3 * DAY_MINUTES)).toBe(Number.POSITIVE_INFINITY);
});

it('says another thing each moment while the valve is open', () => {
  expect(until(past({ runs: [ran(313, null)] }), 330)).toBe(330);
});

it('is right whatever was planned and heard', () => {
  const minute = fc.integer({ min: -DAY_MINUTES, max: 2 * DAY_MINUTES });
  const run = fc
    .tuple(minute, fc.integer({ min: 1, max: 90 }), fc.boolean())
    .map(([from, long, isOpen]) => ran(from, isOpen ? null : from + long));
  const entry = fc.record({
    start: fc.integer({ min: 0, max: DAY_MINUTES - 1 }),
    duration: fc.integer({ min: 1, max: 300 }),
    cycle: fc.constant(1),
  });
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 3 }),
      fc.array(run, { maxLength: 4 }),
      fc.option(minute, { nil: null }),
      fc.option(fc.integer({ min: -900, max: 900 }), { nil: null }),
      minute,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (entries, runs, stopped, clockS, nowMinute, share) => {
        const stoppedAt = stopped === null ? null : at(stopped);
        const one = past({
          spans: [{ ...plan, programme: { entries, cycleDays: 1 }, stoppedAt }],
          runs,
          clockS,
          openings: runs.slice(0, 1).map(({ openedAt }) => ({ from: openedAt, to: openedAt + 30 * MINUTE })),
        });
        const now = at(nowMinute);
        const steady = Math.min(diarySteadyUntil(one, zone, DAY, now), now + 5 * DAY_MINUTES * MINUTE);
        if (steady <= now) return;
        const later = now + Math.floor((steady - now) * share);
        expect(unitDiary(one, zone, DAY, later)).toEqual(unitDiary(one, zone, DAY, now));
      },
    ),
    { numRuns: 500 },
  );
});
