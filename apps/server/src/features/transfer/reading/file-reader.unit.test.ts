import { expect, it } from 'vitest';
import type { ReadJob, ReadOutcome } from './file-content.ts';
import { createFileReader } from './file-reader.ts';
import { readContent } from './read-content.mjs';

const jobOf = (data: string): ReadJob => ({ typeFile: 'kml', data, farm: { lat: -43.75, lng: 171.95 } });

/** A reader whose files are read when they are let go, with the order in which they began. */
function held() {
  const begun: string[] = [];
  const waiting: (() => void)[] = [];
  const read = createFileReader(({ data }) => {
    begun.push(data);
    return new Promise<ReadOutcome>((resolve) => {
      waiting.push(() => resolve({ kind: 'fault', fault: data }));
    });
  });
  return {
    begun,
    read: (data: string, account: number) => read(jobOf(data), account),
    next: () => waiting.shift()?.(),
  };
}

it('accounts take turns: the second file of one waits for the first of all others', async () => {
  const { begun, read, next } = held();
  const all = [read('A1', 1), read('A2', 1), read('B1', 2), read('C1', 3)];
  for (const count of [1, 2, 3, 4]) {
    await expect.poll(() => begun.length).toBe(count);
    next();
  }
  await Promise.all(all);
  expect(begun).toEqual(['A1', 'B1', 'C1', 'A2']);
});

it('a third file of one account is refused while two are read, and taken after that', async () => {
  const { begun, read, next } = held();
  const first = read('A1', 1);
  const second = read('A2', 1);
  await expect(read('A3', 1)).rejects.toThrow(
    'Two files of yours are being read already. Please try again in a minute.',
  );
  const other = read('B1', 2);
  await expect.poll(() => begun.length).toBe(1);
  next();
  await first;
  const third = read('A3', 1);
  for (const count of [2, 3, 4]) {
    await expect.poll(() => begun.length).toBe(count);
    next();
  }
  await Promise.all([second, other, third]);
  expect(begun).toEqual(['A1', 'B1', 'A2', 'A3']);
});

it.each<[string, ReadJob['typeFile'], string]>([
  [
    'a long list',
    'podlist',
    ['name;serial;lat', ...Array.from({ length: 4000 }, (_none, n) => `${n};UNIT-${n};-43.${n}`)].join('\n'),
  ],
  [
    'two sets of thousands of waterings',
    'schedules',
    [
      'set;group;serial_number;start;duration',
      ...Array.from({ length: 40_000 }, (_none, n) => `S${n % 2};G;U${n};${n % 1440};${n === 7 ? 'x' : 9}`),
    ].join('\n'),
  ],
])('%s from the thread is what is read without it', async (_what, typeFile, data) => {
  const job = { ...jobOf(data), typeFile };
  const outcome = await createFileReader()(job, 1);
  expect(outcome).toEqual(await readContent(job));
  expect(JSON.stringify(outcome).length).toBeGreaterThan(100_000);
});
