import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nestsDeeperThan } from './json-depth.ts';

it.each([
  ['', 0, false],
  ['5', 0, false],
  ['[]', 0, true],
  ['[]', 1, false],
  ['[{"a":[]}]', 2, true],
  ['[{"a":[]}]', 3, false],
  ['[[],[],{},[[]]]', 2, true],
  ['[[],[],{},[]]', 2, false],
  ['"[[[["', 0, false],
  ['{"[[":"{{\\"[[","b":1}', 1, false],
  ['["\\\\",[[]]]', 2, true],
  ['["open', 1, false],
])('%s is deeper than %i: %s', (text, levels, expected) => {
  expect(nestsDeeperThan(levels, text)).toBe(expected);
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

it('knows the depth of any document, however it is written', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const depth = depthOf(value);
      expect(nestsDeeperThan(depth, text)).toBe(false);
      if (depth > 0) expect(nestsDeeperThan(depth - 1, text)).toBe(true);
    }),
  );
});
