import { expect, it } from 'vitest';
import { createTurns } from './turns.ts';

/** Calls that end when they are told to. */
function openCalls() {
  const turns = createTurns(2);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const call = (whom: number, name: string) =>
    turns(whom, () => {
      begun.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (error) => (error ? reject(error) : resolve(name))),
      );
    });
  return { begun, call, end: (name: string, error?: Error) => ends.get(name)?.(error) };
}

it('lets two calls of one account begin, the others in their order as these end, and other accounts at once', async () => {
  const { begun, call, end } = openCalls();
  const [a, b, c] = ['a', 'b', 'c', 'd'].map((name) => call(1, name));
  const other = call(2, 'other');
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'other']);
  end('b');
  expect(await b).toBe('b');
  expect(begun).toEqual(['a', 'b', 'other', 'c']);
  end('a');
  end('c');
  expect([await a, await c]).toEqual(['a', 'c']);
  expect(begun).toEqual(['a', 'b', 'other', 'c', 'd']);
  end('other');
  expect(await other).toBe('other');
});

it('gives the turn of a call that failed to the next one, and is as at first when all are done', async () => {
  const { begun, call, end } = openCalls();
  const calls = ['a', 'b', 'c'].map((name) => call(1, name));
  await Promise.resolve();
  end('a', new Error('the database is away'));
  await expect(calls[0]).rejects.toThrow('the database is away');
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const name of ['b', 'c']) end(name);
  await Promise.all(calls.slice(1));
  for (const name of ['d', 'e', 'f']) void call(1, name);
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
});
