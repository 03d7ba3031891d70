import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Timezone } from '@headrace/contract/farms';
import { stepBetween } from '../series/step-between.ts';
import { type BucketGain, foldReadings, type LatestState, type Series } from './fold-rollups.ts';

const auckland: Timezone = {
  timeZoneId: 'Pacific/Auckland',
  rawOffset: 43_200,
  dstOffset: 3600,
  dstEnabled: true,
};
const tank: Series = { farmId: 1, id: 7, isCounter: false, zone: auckland };
const counter: Series = { ...tank, id: 8, isCounter: true };
/** 20 November 2026 10:00 in New Zealand. */
const ten = Date.parse('2026-11-19T21:00:00Z');
const minutes = (count: number) => ten + count * 60_000;
const fold = (series: Series, rows: [number, number | null][], before: LatestState[] = []) =>
  foldReadings(
    rows.map(([minute, value]) => ({ series, at: minutes(minute), value })),
    new Map(before.map((state) => [series.id, state])),
  );
const steps = (gain: BucketGain | undefined) => gain && [gain.n, gain.falls, gain.rises];

describe('falls and rises', () => {
  it.each([
    { before: null, value: 5, isCounter: false, fall: 0, rise: 0 },
    { before: 1200, value: 1190, isCounter: false, fall: 10, rise: 0 },
    { before: 1190, value: 1200, isCounter: false, fall: 0, rise: 10 },
    { before: -3, value: -8, isCounter: false, fall: 5, rise: 0 },
    { before: 100, value: 250, isCounter: true, fall: 0, rise: 150 },
    // Rolled over at the end of its 16 bits, or restarted: then what it shows is what it has counted since.
    { before: 65_530, value: 4, isCounter: true, fall: 0, rise: 10 },
    { before: 9000, value: 3, isCounter: true, fall: 0, rise: 3 },
    { before: 9000, value: 0, isCounter: true, fall: 0, rise: 0 },
    // A correction is no restart: counting 9,990 pulses for it would be water that never flowed.
    { before: 10_000, value: 9990, isCounter: true, fall: 0, rise: 0 },
  ])('$before then $value', ({ before, value, isCounter, fall, rise }) => {
    expect(stepBetween(before, value, { isCounter })).toEqual({ fall, rise });
  });

  it('belong to the bucket in which the later reading lies', () => {
    const { hour, day } = fold(tank, [
      [0, 1000],
      [30, 980],
      [61, 950],
      [90, 970],
    ]);
    expect(hour.map(steps)).toEqual([
      [2, 20, 0],
      [2, 30, 20],
    ]);
    expect(day.map(steps)).toEqual([[4, 50, 20]]);
  });

  it('count on from the last valid reading of before', () => {
    const before = { at: minutes(-10), value: null, heardAt: null, validAt: minutes(-40), validValue: 1005 };
    expect(steps(fold(tank, [[5, 1000]], [before]).hour[0])).toEqual([1, 5, 0]);
  });

  it('of a counter are what was counted, through a restart', () => {
    const { day } = fold(counter, [
      [0, 100],
      [10, 160],
      [20, 3],
      [30, 10],
    ]);
    expect(steps(day[0])).toEqual([4, 0, 60 + 3 + 7]);
  });
});

describe('a fold', () => {
  it('holds count, sum, extremes, first and last of each bucket', () => {
    const { hour } = fold(tank, [
      [1, 4],
      [2, 9],
      [3, 2],
    ]);
    expect(hour).toEqual([
      {
        series: tank,
        start: ten,
        n: 3,
        min: 2,
        max: 9,
        sum: 15,
        falls: 7,
        rises: 5,
        firstAt: minutes(1),
        firstValue: 4,
        lastAt: minutes(3),
        lastValue: 2,
        area: null,
        coveredMin: null,
        fastest: null,
      },
    ]);
  });

  it('of a rate holds what it amounts to from its first to its last reading, at most three hours of a silence', () => {
    const before = { at: minutes(-10), value: 90, heardAt: null, validAt: minutes(-10), validValue: 90 };
    const { hour, day } = fold(
      { ...tank, isRate: true },
      [
        [0, 0],
        [30, 60],
        [31, 60],
        [90, 0],
        [690, 10],
      ],
      [before],
    );
    // 0 to 60 in half an hour, 60 for a minute; then 59 minutes down to 0, and 0 to 10 of which three hours are known.
    expect(hour.map(({ area, coveredMin }) => [area, coveredMin])).toEqual([
      [900 + 60, 31],
      [0, 0],
      [0, 0],
    ]);
    // The day began before: from 90 to 0 in ten minutes too.
    expect(day.map(({ area, coveredMin }) => [area, coveredMin])).toEqual([
      [450 + 960 + 30 * 59 + 5 * 180, 10 + 31 + 59 + 180],
    ]);
  });

  it('of a counter holds its quickest step, where two readings within a minute show no pace', () => {
    const rows: [number, number][] = [
      [0, 100],
      [10, 160],
      [10.1, 163],
      [20, 3],
    ];
    expect(fold(counter, rows).hour[0]?.fastest).toBe(6);
    expect(fold({ ...tank, isDelta: true }, rows).hour[0]?.fastest).toBe(163);
  });

  it('takes an invalid reading as latest, and in no bucket', () => {
    const { latest, hour } = fold(tank, [
      [1, 4],
      [2, null],
    ]);
    expect(latest[0]?.state).toEqual({
      at: minutes(2),
      value: null,
      heardAt: null,
      validAt: minutes(1),
      validValue: 4,
    });
    expect(hour.map((gain) => gain.n)).toEqual([1]);
  });

  it('adds a valid reading from between the last valid and an invalid one', () => {
    const before = { at: minutes(20), value: null, heardAt: null, validAt: minutes(10), validValue: 8 };
    const { latest, hour, late } = fold(tank, [[15, 6]], [before]);
    expect(late).toEqual([]);
    expect(steps(hour[0])).toEqual([1, 2, 0]);
    expect(latest[0]?.state).toEqual({
      at: minutes(20),
      value: null,
      heardAt: null,
      validAt: minutes(15),
      validValue: 6,
    });
  });

  it('names readings from before the newest valid one as late and leaves latest alone', () => {
    const before = { at: minutes(20), value: 8, heardAt: null, validAt: minutes(20), validValue: 8 };
    const { latest, hour, late } = fold(tank, [[15, 6]], [before]);
    expect([latest, hour, late.map(({ at }) => at)]).toEqual([[], [], [minutes(15)]]);
  });

  it('shows what was received later before what was ahead of the clock, and still counts by the own times', () => {
    const fast = { series: counter, at: minutes(9), value: 900, receivedAt: ten };
    const held = foldReadings([fast], new Map()).latest[0]?.state;
    expect(held).toMatchObject({ at: minutes(9), value: 900, heardAt: ten });
    const state = { at: minutes(1), value: 850, heardAt: null, validAt: minutes(9), validValue: 900 };
    const right = { series: counter, at: minutes(1), value: 850, receivedAt: minutes(1) };
    const then = foldReadings([right], new Map([[counter.id, held as LatestState]]));
    expect([then.latest[0]?.state, then.late]).toEqual([state, [right]]);
    // What was taken before it was received, of a gateway that was away, changes nothing.
    const old = { series: counter, at: minutes(-5), value: 800, receivedAt: minutes(2) };
    expect(foldReadings([old], new Map([[counter.id, state]])).latest).toEqual([]);
  });

  it('shows what was taken last, a reading ahead of the clock when it was received, in any order', () => {
    const row = fc.record({
      minute: fc.integer({ min: 0, max: 30 }),
      lead: fc.integer({ min: -20, max: 10 }),
      value: fc.option(fc.integer({ min: 0, max: 9 })),
    });
    const rows = fc.uniqueArray(row, { selector: ({ minute }) => minute, minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        rows.chain((some) => fc.shuffledSubarray(some, { minLength: some.length })),
        (arrivals) => {
          let state: LatestState | undefined;
          for (const { minute, lead, value } of arrivals) {
            const reading = { series: tank, at: minutes(minute), value, receivedAt: minutes(minute - lead) };
            state = foldReadings([reading], new Map(state && [[tank.id, state]])).latest[0]?.state ?? state;
          }
          const takenAt = (one: { minute: number; lead: number }) =>
            Math.min(one.minute, one.minute - one.lead);
          const [newest] = arrivals.toSorted((a, b) => takenAt(b) - takenAt(a) || b.minute - a.minute);
          expect([state?.at, state?.value]).toEqual([minutes(newest?.minute ?? 0), newest?.value]);
        },
      ),
    );
  });

  it('comes to the same in one batch or in many', () => {
    const row = fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.option(fc.integer({ min: -50, max: 50 })));
    fc.assert(
      fc.property(
        fc.uniqueArray(row, { selector: ([minute]) => minute }),
        fc.boolean(),
        (rows, isCounter) => {
          const series = isCounter ? counter : tank;
          const sorted = rows.toSorted(([a], [b]) => a - b);
          const whole = fold(series, sorted);
          const state: { now?: LatestState } = {};
          const totals = { n: 0, sum: 0, falls: 0, rises: 0 };
          for (const one of sorted) {
            const part = fold(series, [one], state.now ? [state.now] : []);
            state.now = part.latest[0]?.state ?? state.now;
            addTotals(totals, part.day);
          }
          const inOne = { n: 0, sum: 0, falls: 0, rises: 0 };
          addTotals(inOne, whole.day);
          expect(totals).toEqual(inOne);
          expect(state.now).toEqual(whole.latest[0]?.state);
        },
      ),
    );
  });
});

function addTotals(
  totals: { n: number; sum: number; falls: number; rises: number },
  gains: readonly BucketGain[],
): void {
  for (const gain of gains) {
    totals.n += gain.n;
    totals.sum += gain.sum;
    totals.falls += gain.falls;
    totals.rises += gain.rises;
  }
}
