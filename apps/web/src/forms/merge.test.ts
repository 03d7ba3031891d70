import { expect, test } from 'vitest';
import { differing, merged } from './merge.ts';

test.each([
  ['what both changed to something else', { mine: 'B', theirs: 'C' }, true],
  ['what they changed and I did not', { mine: 'A', theirs: 'C' }, true],
  ['what I alone changed', { mine: 'B', theirs: 'A' }, false],
  ['what both changed to the same', { mine: 'B', theirs: 'B' }, false],
  ['what nobody changed', { mine: 'A', theirs: 'A' }, false],
])('two people are asked about %s, or not', (_name, { mine, theirs }, isAsked) => {
  const conflict = { base: { name: 'A' }, mine: { name: mine }, theirs: { name: theirs }, version: 2 };
  expect(differing(conflict)).toEqual(isAsked ? ['name'] : []);
});

test('what nobody is asked about stays as I entered it', () => {
  const conflict = {
    base: { name: 'A', channel: 1 },
    mine: { name: 'B', channel: 1 },
    theirs: { name: 'A', channel: 2 },
    version: 2,
  };
  expect(differing(conflict)).toEqual(['channel']);
  expect(merged(conflict, { channel: 'theirs' })).toEqual({ name: 'B', channel: 2 });
});
