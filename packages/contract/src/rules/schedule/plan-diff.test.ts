import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubleMinutes, planDiff } from './plan-diff.ts';
import { programmeOf, type Programme, type Run } from './programme.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `A${index + 1}`);
const line = (units: readonly string[], duration: number): Run[] =>
  units.map((unit, index) => ({
    unit,
    group: 'g',
    scheduleGroup: 'A',
    start: index * duration,
    duration,
    cycle: 1,
  }));
const programmes = (runs: readonly Run[], cycleMin = 1440) =>
  new Map(runs.map((run) => [run.unit, programmeOf([run], cycleMin)]));
const kinds = (from: ReadonlyMap<string, Programme>, to: ReadonlyMap<string, Programme>) =>
  planDiff(from, to).map(({ unit, kind }) => `${unit} ${kind}`);

const six = programmes(line(names(6), 28));

it('E17: without A4 those behind it move up, and it is cleared', () => {
  const anew = line(['A1', 'A2', 'A3', 'A5', 'A6'], 28);
  expect(anew.map(({ start }) => start)).toEqual([0, 28, 56, 84, 112]);
  expect(kinds(six, programmes(anew))).toEqual([
    'A1 same',
    'A2 same',
    'A3 same',
    'A4 cleared',
    'A5 moved',
    'A6 moved',
  ]);
});

it('E18: A7 is new, and all else stays', () => {
  const seven = programmes(line(names(7), 28));
  expect(seven.get('A7')?.entries).toEqual([{ start: 168, duration: 28, cycle: 1 }]);
  expect(planDiff(six, seven).filter(({ kind }) => kind !== 'same')).toMatchObject([
    { unit: 'A7', kind: 'new' },
  ]);
});

it('E20: as many minutes in a longer cycle are less water', () => {
  expect(kinds(programmes(line(['A1'], 28)), programmes(line(['A1'], 28), 2880))).toEqual(['A1 shorter']);
});

describe('E19: a line of six while half of it has the new plan', () => {
  it.each([
    [28, 22, 'first', 0],
    [28, 22, 'last', 18],
    [22, 28, 'first', 18],
    [22, 28, 'last', 0],
  ] as const)('%d to %d min, from its %s on: %d min with two open', (from, to, direction, minutes) => {
    const units = names(6);
    expect(doubleMinutes(units, line(units, from), line(units, to), direction, 3)).toBe(minutes);
  });
});

const plan = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 20, max: 22 }),
    ),
  )
  .map(
    (units) =>
      new Map(
        units.map(([unit, start, duration]) => [
          `A${unit}`,
          programmeOf([{ start: start * 100, duration }], 1440),
        ]),
      ),
  );

describe('invariant 12', () => {
  it('a plan and itself are the same', () => {
    fc.assert(
      fc.property(plan, (one) => {
        expect(planDiff(one, one).filter(({ kind }) => kind !== 'same')).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('what changes one plan into the other gives the other', () => {
    fc.assert(
      fc.property(plan, plan, (from, to) => {
        const after = new Map(from);
        for (const { unit, kind, to: next } of planDiff(from, to)) {
          if (kind === 'cleared') after.delete(unit);
          else if (kind !== 'same' && next) after.set(unit, next);
        }
        expect(after).toEqual(to);
      }),
      { numRuns: 1000 },
    );
  });
});

it('invariant 16: from the first on for less water, from the last for more, no two ever water at once', () => {
  const minutes = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), minutes, minutes, (count, from, to) => {
      const units = names(count);
      const doubles = (direction: 'first' | 'last') =>
        Array.from({ length: count + 1 }, (_, sent) =>
          doubleMinutes(units, line(units, from), line(units, to), direction, sent),
        );
      const [chosen, other] = to <= from ? (['first', 'last'] as const) : (['last', 'first'] as const);
      expect(Math.max(...doubles(chosen))).toBe(0);
      expect(Math.max(...doubles(other))).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 1000 },
  );
});
