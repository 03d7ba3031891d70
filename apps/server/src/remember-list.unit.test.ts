import { expect, it } from 'vitest';
import { rememberList } from './remember-list.ts';

function counted() {
  const made: string[] = [];
  const names = rememberList(
    (unit: { name: string }, farm: string) => {
      made.push(unit.name);
      return { text: `${unit.name} of ${farm}` };
    },
    (one, other) => one === other,
  );
  return { names, made };
}
const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];

it('makes only what is new at its place, and keeps the rest as it was', () => {
  const { names, made } = counted();
  const before = names(1, [a, b, c], 'F');
  const changed = { name: 'b2' };
  const after = names(1, [a, changed, c], 'F');
  expect(after.map(({ text }) => text)).toEqual(['a of F', 'b2 of F', 'c of F']);
  expect([after[0], after[2]]).toEqual([before[0], before[2]]);
  expect(after[0]).toBe(before[0]);
  expect(made).toEqual(['a', 'b', 'c', 'b2']);
});

it.each([
  ['longer', [c, a, b]],
  ['shorter', [b]],
  ['another order', [b, a]],
])('follows a list that is %s', (_, list) => {
  const { names } = counted();
  names(1, [a, b], 'F');
  expect(names(1, list, 'F').map(({ text }) => text)).toEqual(list.map(({ name }) => `${name} of F`));
});

it('makes all anew when what they share is something else', () => {
  const { names } = counted();
  names(1, [a, b], 'F');
  expect(names(1, [a, b], 'G').map(({ text }) => text)).toEqual(['a of G', 'b of G']);
});

it('keeps the lists of several keys apart, and forgets the oldest of many', () => {
  const { names, made } = counted();
  const first = names(0, [a], 'F');
  for (let key = 1; key <= 16; key += 1) names(key, [b], 'F');
  expect(names(16, [b], 'F')[0]?.text).toBe('b of F');
  expect(made).toHaveLength(17);
  expect(names(0, [a], 'F')[0]).not.toBe(first[0]);
  expect(made).toHaveLength(18);
});
