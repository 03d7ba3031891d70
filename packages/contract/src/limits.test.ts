import { expect, it } from 'vitest';
import { DOUBLE_CLICK_MS, FARM_CONST_1024, FARM_CONST_4 } from './limits.ts';

it("has the farm's two constants that are named without a meaning", () => {
  expect([FARM_CONST_1024, FARM_CONST_4]).toEqual([1024, 4]);
});

it('takes two clicks within 300 ms for one double click', () => {
  expect(DOUBLE_CLICK_MS).toBe(300);
});
