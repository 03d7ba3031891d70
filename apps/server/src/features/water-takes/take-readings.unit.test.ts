import { expect, it } from 'vitest';
import { readingsOf } from '@headrace/contract/rules/reading-numbers';
import { restingOn } from './take-readings.ts';

async function timesOf(pages: readonly (readonly number[])[], range: { from: number; to: number }) {
  async function* asked() {
    for (const page of pages)
      yield await Promise.resolve(Float64Array.from(page.flatMap((at) => [at, at * 10])));
  }
  const found: number[] = [];
  for await (const page of restingOn(asked(), range)) {
    expect([...readingsOf(page)].every(({ at, value }) => value === at * 10)).toBe(true);
    found.push(...[...readingsOf(page)].map(({ at }) => at));
  }
  return found;
}

/** By hand: what lies within, with the last up to where it begins and the first from where it ends. */
it.each([
  ['between others', { from: 3, to: 6 }, [3, 4, 5, 6]],
  ['that begins and ends between readings', { from: 2.5, to: 4.5 }, [2, 3, 4, 5]],
  ['before which there is none', { from: 0, to: 2 }, [1, 2]],
  ['after which there is none', { from: 7, to: 20 }, [7, 8]],
  ['in which there is none', { from: 10, to: 20 }, [8]],
])(
  'a range %s has the readings that it rests on, however they are split into pages',
  async (_of, range, times) => {
    for (const pages of [
      [[1, 2, 3, 4, 5, 6, 7, 8]],
      [[], [1], [2, 3], [4, 5, 6], [], [7, 8], []],
      [[1], [2], [3], [4], [5], [6], [7], [8]],
    ])
      expect(await timesOf(pages, range)).toEqual(times);
  },
);
