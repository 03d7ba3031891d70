import { expect, it } from 'vitest';
import { readingsInOrder } from './readings-in-order.ts';

const MINUTE = 60_000;
const run = (from: number, count: number) =>
  Array.from({ length: count }, (_none, index) => ({ at: (from + index) * MINUTE, value: from + index }));

it('holds a water year of a meter that speaks each minute, and what two runs share once', () => {
  const found = readingsInOrder([run(0, 214_000), run(213_990, 20)]);
  expect(found).toHaveLength(214_010);
  expect(found.at(-1)).toEqual({ at: 214_009 * MINUTE, value: 214_009 });
  expect(new Set(found.map(({ at }) => at)).size).toBe(214_010);
});
