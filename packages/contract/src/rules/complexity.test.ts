import { expect, test } from 'vitest';
import { columnsOf, complexityLevels, complexityOf } from './complexity.ts';

test.each([
  [-1, 'None', 3],
  [0, 'None', 3],
  [1, 'Simple', 3],
  [4, 'Simple', 3],
  [5, 'Compact', 3],
  [8, 'Compact', 3],
  [9, 'Extensive', 5],
  [16, 'Extensive', 5],
  [17, 'Complex', 3],
] as const)('%s entries are %s, in %s columns', (size, name, columns) => {
  expect(complexityOf(size)).toBe(complexityLevels[name]);
  expect(columnsOf(complexityOf(size))).toBe(columns);
});
