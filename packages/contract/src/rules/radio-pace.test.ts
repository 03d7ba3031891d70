import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnswerSeen,
  finishOf,
  inTimeOf,
  latestFinish,
  type Pace,
  paceOf,
  perMinuteOf,
  windowOf,
} from './radio-pace.ts';

/** Answers so many seconds apart, each with others waiting. */
function answersApart(...gaps: number[]): AnswerSeen[] {
  let at = 0;
  return [0, ...gaps].map((gap) => ({ at: (at += gap * 1000), waiting: 5 }));
}
const times = (count: number, gap: number) => Array<number>(count).fill(gap);
const pace = (secondsEach: number, low = secondsEach, high = secondsEach): Pace => ({
  secondsEach,
  low,
  high,
  from: 30,
});
const hours = (text: string) => {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return (hour * 60 + minute) * 60_000;
};

describe('the pace of a gateway', () => {
  it('is the promise of three minutes until ten answers are known', () => {
    expect(paceOf([])).toEqual({ secondsEach: 180, low: 180, high: 180, from: 0 });
    expect(paceOf(answersApart(...times(9, 5)))).toMatchObject({ secondsEach: 180, from: 9 });
    expect(paceOf(answersApart(...times(10, 5)))).toEqual({ secondsEach: 5, low: 5, high: 5, from: 10 });
  });

  it('is a mean, so that one silent unit that is asked again and again counts with its time', () => {
    // (9 × 5 + 55) ÷ 10
    expect(paceOf(answersApart(...times(9, 5), 55)).secondsEach).toBe(10);
  });

  it('rests on the last thirty answers, its range on blocks of ten', () => {
    const { secondsEach, low, high, from } = paceOf(
      answersApart(...times(10, 20), ...times(10, 4), ...times(10, 6), ...times(10, 11)),
    );
    // (4 + 6 + 11) ÷ 3
    expect({ secondsEach, low, high, from }).toEqual({ secondsEach: 7, low: 4, high: 20, from: 40 });
  });

  it('does not count a pause in which no unit waited, nor one in which the gateway was away', () => {
    const quiet = answersApart(...times(10, 5)).map((each, index) =>
      index === 4 ? { ...each, waiting: 0 } : each,
    );
    const idle = quiet.map((each, index) => (index > 4 ? { ...each, at: each.at + 3_600_000 } : each));
    expect(paceOf([...idle, { at: idle[10]!.at + 5000, waiting: 1 }])).toMatchObject({
      secondsEach: 5,
      from: 10,
    });
    const away = answersApart(...times(10, 5), 3 * 3600, ...times(2, 5));
    expect(paceOf(away)).toMatchObject({ secondsEach: 5, from: 12 });
  });

  it('is the same in whatever order the answers came, and within its range', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 600 }), { minLength: 10, maxLength: 120 });
    fc.assert(
      fc.property(gaps, (given) => {
        const answers = answersApart(...given);
        const { secondsEach, low, high } = paceOf(answers);
        expect(paceOf(answers.toReversed())).toEqual(paceOf(answers));
        expect(low).toBeLessThanOrEqual(secondsEach);
        expect(secondsEach).toBeLessThanOrEqual(high);
      }),
    );
  });
});

it.each([
  [180, 2],
  [60, 2],
  [40, 3],
  [9.4, 13],
  [1.5, 80],
  [0.1, 100],
  [0, 100],
])('at %d s a unit a gateway is given %i at a time', (secondsEach, units) => {
  expect(windowOf(pace(secondsEach))).toBe(units);
});

describe('when a send is done', () => {
  it('is a range from the measured pace', () => {
    // 768 units: × 9.4 s = 7,219 s; × 7.9 s = 6,067 s; × 14.1 s = 10,829 s.
    const finish = finishOf(768, pace(9.4, 7.9, 14.1), 0);
    expect(finish).toEqual({ expected: 7_219_200, low: 6_067_200, high: 10_828_800 });
  });

  it('is said as "at most" while the pace is unknown', () => {
    // 768 × 3 min = 38 h 24 min
    expect(finishOf(768, paceOf([]), 0)).toEqual({ atMost: hours('38:24') });
  });

  it('is that of the slowest of several gateways', () => {
    const quick = finishOf(10, pace(5, 4, 9), 0);
    const slow = finishOf(10, pace(6, 6, 6), 0);
    expect(latestFinish([quick, slow])).toEqual({ expected: 60_000, low: 60_000, high: 90_000 });
    expect(latestFinish([quick, finishOf(1, paceOf([]), 0)])).toEqual({ atMost: 180_000 });
    expect(latestFinish([])).toBeNull();
  });

  it('is never before now, and never earlier for more units', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 60 });
    fc.assert(
      fc.property(gaps, fc.nat(5000), fc.nat(100), (given, units, more) => {
        const known = paceOf(answersApart(...given));
        const ends = (finish: ReturnType<typeof finishOf>) =>
          'atMost' in finish ? [finish.atMost] : [finish.low, finish.expected, finish.high];
        const [first, then] = [ends(finishOf(units, known, 1000)), ends(finishOf(units + more, known, 1000))];
        expect(first).toEqual(first.toSorted((a, b) => a - b));
        for (const [index, end] of first.entries()) {
          expect(end).toBeGreaterThanOrEqual(1000);
          expect(then[index]).toBeGreaterThanOrEqual(end);
        }
      }),
    );
  });
});

it.each([
  [75, 0, 9.4, 10, 63],
  [75, 60, 9.4, 10, 3],
  [75, 100, 9.4, 10, 0],
  [5, 0, 9.4, 10, 5],
  [75, 0, 180, 10, 3],
])(
  'of %i units behind %i others at %d s each, %i min are enough for %i',
  (units, ahead, each, minutes, inTime) => {
    expect(inTimeOf(units, ahead, pace(each), minutes)).toBe(inTime);
  },
);

describe('units a minute', () => {
  /** Eleven answers, the last of them at noon. */
  const noon = Date.parse('2026-11-20T00:00:00Z');
  const until = (count: number, seconds: number) =>
    Array.from({ length: count }, (_, index) => noon - index * seconds * 1000);
  const minutes = (count: number) => noon + count * 60_000;

  it('are known from ten gaps between answers on, and add up over gateways', () => {
    expect(perMinuteOf([until(10, 5)], noon)).toBeNull();
    expect(perMinuteOf([until(11, 5)], noon)).toBe(12);
    expect(perMinuteOf([until(11, 5), until(31, 20)], noon)).toBe(15);
    expect(perMinuteOf([until(11, 5), until(2, 20)], noon)).toBeNull();
    expect(perMinuteOf([], noon)).toBeNull();
  });

  it('are not known where a gateway has gone silent, or told all at once', () => {
    // Ten in 50 s, and none for two minutes, of which the next one's turn took 5 s.
    expect(perMinuteOf([until(11, 5)], minutes(2))).toBeCloseTo(600 / 165);
    expect(perMinuteOf([until(11, 5)], minutes(2.1))).toBeNull();
    // One a minute is silent after ten.
    expect(perMinuteOf([until(11, 60)], minutes(1))).toBe(1);
    expect(perMinuteOf([until(11, 60)], minutes(10))).toBeCloseTo(600 / 1140);
    expect(perMinuteOf([until(11, 60)], minutes(10.1))).toBeNull();
    expect(perMinuteOf([until(40, 0)], noon)).toBeNull();
    // So many within a few seconds say nothing of how fast the others will be; in twenty they do.
    expect(perMinuteOf([until(12, 0.1)], noon)).toBeNull();
    expect(perMinuteOf([until(101, 0.06)], noon)).toBeNull();
    expect(perMinuteOf([until(11, 2)], noon)).toBeCloseTo(30);
    expect(perMinuteOf([until(401, 0.06)], noon)).toBeCloseTo(1000);
  });

  it('are those of the last minute where many of them came at once', () => {
    // Thirty in 1.8 s, and one each 2 s before: thirty of these make up the minute. By the thirty alone it was 1,000 a minute.
    const burst = until(31, 0.06);
    const before = Array.from({ length: 70 }, (_, index) => noon - 1800 - (index + 1) * 2000);
    expect(perMinuteOf([[...burst, ...before]], noon)).toBeCloseTo((60 * 60) / 61.8);
    expect(paceOf([...burst, ...before].map((at) => ({ at, waiting: 1 }))).secondsEach).toBeCloseTo(
      61.8 / 60,
    );
  });
});
