import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ReportedRun } from './applied.ts';
import { type HeldSpan, turnsOf, type TurnUnit } from './turns.ts';
import { turnsSteadyUntil } from './turns-steady.ts';

const MINUTE = 60_000;
const DAY_MINUTES = 1440;
/** A farm without summer time at UTC, so that times are as they read. */
const zone = { timeZoneId: 'UTC', rawOffset: 0, dstOffset: 0, dstEnabled: false };
const NIGHT = Date.UTC(2026, 10, 20);
const at = (minute: number) => NIGHT + minute * MINUTE;
const range = { zone, from: NIGHT, to: at(2 * DAY_MINUTES) };

/** 05:12 to 05:40 each day. */
const entries = [{ start: 312, duration: 28, cycle: 1 }];
const span: HeldSpan = { from: at(-10 * DAY_MINUTES), until: null, entries, cycleDays: 1, stoppedAt: null };
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
const unit = (more: Partial<TurnUnit> = {}, facts: Partial<TurnUnit['facts']> = {}): TurnUnit => ({
  facts: {
    held: { entries },
    isOnItsWay: false,
    isInService: true,
    isInhibited: false,
    isStopWanted: false,
    isDayOut: false,
    holdUntil: null,
    heardAt: NIGHT,
    clockS: null,
    ...facts,
  },
  held: [span],
  wanted: null,
  runs: [],
  openings: [],
  ...more,
});
const turnsAt = (one: TurnUnit, now: number) => turnsOf(one, { ...range, now });
/** In minutes after midnight. */
const until = (one: TurnUnit, minute: number) =>
  (turnsSteadyUntil(one, turnsAt(one, at(minute)), at(minute)) - NIGHT) / MINUTE;

it.each([
  ['an hour before a watering', 100, 252],
  ['until it begins', 300, 312],
  ['until it is over', 330, 340],
] as const)('turns are the same %s', (_what, minute, expected) => {
  expect(until(unit(), minute)).toBe(expected);
});

it('turns of a week that is over are the same for good', () => {
  const one = unit({ runs: [ran(313, 340)] }, { heardAt: at(10 * DAY_MINUTES) });
  expect(until(one, 20 * DAY_MINUTES)).toBe(Number.POSITIVE_INFINITY);
});

it('turns are other ones each moment while a valve is open, and once the unit was silent for three days', () => {
  expect(until(unit({ runs: [ran(313, null)] }), 330)).toBe(330);
  expect(until(unit({ held: [] }), 400)).toBeCloseTo(3 * DAY_MINUTES, 3);
});

it('is right whatever was planned and reported', () => {
  const minute = fc.integer({ min: -DAY_MINUTES, max: 3 * DAY_MINUTES });
  const run = fc
    .tuple(minute, fc.integer({ min: 1, max: 90 }), fc.boolean())
    .map(([from, long, isOpen]) => ran(from, isOpen ? null : from + long));
  const entry = fc.record({
    start: fc.integer({ min: 0, max: DAY_MINUTES - 1 }),
    duration: fc.integer({ min: 1, max: 300 }),
    cycle: fc.integer({ min: 1, max: 2 }),
  });
  const programme = fc.array(entry, { maxLength: 3 });
  const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
  const facts = fc.record({
    held: fc.constantFrom('foreign', 'nothing', 'unknown', 'known'),
    isOnItsWay: fc.boolean(),
    isInhibited: fc.boolean(),
    isStopWanted: fc.boolean(),
    holdUntil: orNull(minute),
    heardAt: orNull(fc.integer({ min: -4 * DAY_MINUTES, max: 2 * DAY_MINUTES })),
    clockS: orNull(fc.integer({ min: -900, max: 900 })),
  });
  fc.assert(
    fc.property(
      facts,
      programme,
      orNull(programme),
      fc.array(run, { maxLength: 4 }),
      orNull(minute),
      minute,
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (known, own, wanted, runs, changed, nowMinute, share) => {
        const spanNow = { ...span, entries: own, cycleDays: 2 };
        const held =
          changed === null
            ? [spanNow]
            : [
                { ...span, until: at(changed) },
                { ...spanNow, from: at(changed) },
              ];
        const one = unit(
          {
            held,
            runs: runs.toSorted((a, b) => a.openedAt - b.openedAt),
            wanted: wanted && { entries: wanted, cycleDays: 2 },
            openings: runs
              .slice(0, 1)
              .map(({ openedAt }) => ({ from: openedAt, to: openedAt + 30 * MINUTE })),
          },
          {
            ...known,
            held: known.held === 'known' ? { entries: own } : known.held,
            holdUntil: known.holdUntil === null ? null : at(known.holdUntil),
            heardAt: known.heardAt === null ? null : at(known.heardAt),
          },
        );
        const now = at(nowMinute);
        const turns = turnsAt(one, now);
        const steady = Math.min(turnsSteadyUntil(one, turns, now), now + 5 * DAY_MINUTES * MINUTE);
        if (steady <= now) return;
        const later = now + Math.floor((steady - now) * share);
        expect(turnsAt(one, later)).toEqual(turns);
      },
    ),
    { numRuns: 1000 },
  );
});
