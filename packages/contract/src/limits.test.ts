import { expect, it } from 'vitest';
import { FARM_CONST_1024, FARM_CONST_4 } from './limits.ts';

it("has the farm's two constants that are named without a meaning", () => {
  expect([FARM_CONST_1024, FARM_CONST_4]).toEqual([1024, 4]);
});
