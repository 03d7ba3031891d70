import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ValveObservation, wateringRuns, observationsOfRun } from './watering-runs.ts';

const open = (at: number): ValveObservation => ({ at, isOpen: true, how: 'said' });
const closed = (at: number): ValveObservation => ({ at, isOpen: false, how: 'said' });

describe('the runs that words about a valve make', () => {
  const cases: [
    name: string,
    words: ValveObservation[],
    runs: [openedAt: number, openUntil: number, closedAt: number | null][],
  ][] = [
    ['nothing said is no run', [], []],
    ['open and closed', [open(5), closed(40)], [[5, 5, 40]]],
    ['open alone is under way', [open(5)], [[5, 5, null]]],
    ['closed without open is no run', [closed(40)], []],
    ['a second open keeps the first', [open(5), open(20), closed(40)], [[5, 20, 40]]],
    ['a second closed changes nothing', [open(5), closed(40), closed(60)], [[5, 5, 40]]],
    [
      'a closed in between makes two',
      [open(5), closed(10), open(20), closed(40)],
      [
        [5, 5, 10],
        [20, 20, 40],
      ],
    ],
    [
      'open and closed at one time: closed, and open again',
      [open(5), closed(10), open(10)],
      [
        [5, 5, 10],
        [10, 10, null],
      ],
    ],
  ];
  it.each(cases)('%s', (_, reports, runs) => {
    expect(
      wateringRuns(reports).map(({ openedAt, openUntil, closedAt }) => [openedAt, openUntil, closedAt]),
    ).toEqual(runs);
  });

  it('name who told of beginning and end, the surest where several tell the same', () => {
    const reports: ValveObservation[] = [
      { at: 5, isOpen: true, how: 'answered' },
      { at: 5, isOpen: true, how: 'said' },
      { at: 40, isOpen: false, how: 'answered' },
    ];
    expect(wateringRuns(reports)).toEqual([
      { openedAt: 5, openedHow: 'said', openUntil: 5, closedAt: 40, closedHow: 'answered' },
    ]);
  });
});

const report = fc.record({
  at: fc.integer({ min: 0, max: 30 }),
  isOpen: fc.boolean(),
  how: fc.constantFrom('said' as const, 'answered' as const, 'logged' as const),
});
const reports = fc.array(report, { maxLength: 25 });

describe('of any words', () => {
  it('the order in which they come and how often makes no difference', () => {
    fc.assert(
      fc.property(reports, fc.array(fc.nat()), (said, keys) => {
        const mixed = said
          .map((one, index) => ({ one, key: keys[index] ?? 0 }))
          .toSorted((a, b) => a.key - b.key);
        const again = [...mixed.map(({ one }) => one), ...said];
        expect(wateringRuns(again)).toEqual(wateringRuns(said));
      }),
    );
  });

  it('runs never overlap, end after they begin, and only the last may be under way', () => {
    fc.assert(
      fc.property(reports, (said) => {
        const runs = wateringRuns(said);
        for (const [index, run] of runs.entries()) {
          const next = runs[index + 1];
          expect(run.openUntil).toBeGreaterThanOrEqual(run.openedAt);
          if (run.closedAt !== null) expect(run.closedAt).toBeGreaterThan(run.openUntil - 1);
          if (next) expect(run.closedAt).toBeLessThanOrEqual(next.openedAt);
        }
      }),
    );
  });

  it('a stored run gives back the words that it is known by', () => {
    fc.assert(
      fc.property(reports, (said) => {
        const runs = wateringRuns(said);
        const again = wateringRuns(runs.flatMap(observationsOfRun));
        const times = (of: typeof runs) =>
          of.map(({ openedAt, openUntil, closedAt }) => [openedAt, openUntil, closedAt]);
        expect(times(again)).toEqual(times(runs));
      }),
    );
  });
});
