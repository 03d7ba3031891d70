import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultStressBands } from '../default-settings.ts';
import { mendBands, moveStart } from './stress-bands.ts';

const starts = (bands: readonly { start: number }[]) => bands.map(({ start }) => start);
const moved = (idx: number, start: number) => starts(moveStart(defaultStressBands, idx, start));

test('the defaults are five, each with its colour', () => {
  expect(defaultStressBands.map(({ idx, name, start, color }) => [idx, name, start, color])).toEqual([
    [0, 'Too full', 0, '#07369e'],
    [1, 'Full', 10, '#2c7ed6'],
    [2, 'Normal', 30, '#09a509'],
    [3, 'Refill', 60, '#f99b18'],
    [4, 'Stress', 100, '#eb2d17'],
  ]);
});

test('a level started higher pushes those above it, and only those', () => {
  expect(moved(1, 75)).toEqual([0, 75, 75, 75, 100]);
  expect(moved(2, 31)).toEqual([0, 10, 31, 60, 100]);
});

test('a level started lower pushes those below it, and only those', () => {
  expect(moved(3, 5)).toEqual([0, 5, 5, 5, 100]);
  expect(moved(0, 0)).toEqual([0, 10, 30, 60, 100]);
});

test('the scale ends at 0 and 200 kPa', () => {
  expect(moved(0, 900)).toEqual([200, 200, 200, 200, 200]);
  expect(moved(4, -3)).toEqual([0, 0, 0, 0, 0]);
  expect(moved(4, 149.6)).toEqual([0, 10, 30, 60, 150]);
});

test('names and colours stay with their levels', () => {
  const { name, color } = moveStart(defaultStressBands, 3, 5)[2] ?? {};
  expect({ name, color }).toEqual({ name: 'Normal', color: '#09a509' });
});

test('after any moves starts are in order, on the scale, and the moved one is where it was put', () => {
  const move = fc.record({ idx: fc.integer({ min: 0, max: 4 }), start: fc.integer({ min: 0, max: 200 }) });
  fc.assert(
    fc.property(fc.array(move, { minLength: 1, maxLength: 12 }), (moves) => {
      const bands = moves.reduce(
        (before, { idx, start }) => moveStart(before, idx, start),
        [...defaultStressBands],
      );
      const last = moves.at(-1);
      expect(starts(bands)).toEqual(starts(bands).sort((a, b) => a - b));
      expect(bands.every(({ start }) => start >= 0 && start <= 200)).toBe(true);
      expect(bands[last?.idx ?? 0]?.start).toBe(last?.start);
    }),
  );
});

test('stored bands are mended one by one', () => {
  const stored = [
    { idx: 1, name: 7, start: 'many', color: 'red', note: 'mine' },
    { idx: 3, name: 'Water now', start: 20, color: '#ABCDEF' },
    'junk',
  ];
  expect(mendBands(stored)).toEqual([
    { idx: 0, name: 'Too full', start: 0, color: '#07369e' },
    { idx: 1, name: 'Full', start: 10, color: '#2c7ed6', note: 'mine' },
    { idx: 2, name: 'Normal', start: 30, color: '#09a509' },
    { idx: 3, name: 'Water now', start: 30, color: '#abcdef' },
    { idx: 4, name: 'Stress', start: 100, color: '#eb2d17' },
  ]);
});
