import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { ReadJob, ReadOutcome } from './file-content.ts';
import { createFileReader, readInThread } from './file-reader.ts';
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

/** As site.json has them: with blanks, and an unit for each. */
function siteOf(units: number, sets: number): string {
  const names = Array.from({ length: units }, (_none, n) => `IPC10${n}`);
  const turn = (serialNumber: string, nth: number) => ({
    group: `Wāhi ${nth % 9}`,
    name: `A${nth}`,
    scheduleGroup: `Wāhi ${nth % 9}/2`,
    schedules: Array.from({ length: 9 }, (_none, n) => ({
      cycle: 1 + Math.floor((n * 300) / 1440),
      duration: 28,
      start: n * 300,
    })),
    serialNumber,
  });
  const site = {
    ipcs: names.map((serialNumber, n) => ({
      _id: `a${n}`,
      name: `A${n}`,
      serialNumber,
      settings: { channel: 1 },
    })),
    schedules: Array.from({ length: sets }, (_none, n) => ({
      _id: `s${n}`,
      name: `Set ${n}`,
      settings: { cycleLen: 2880 },
      schedules: names.map(turn),
    })),
    version: 1,
  };
  return JSON.stringify(site, null, 2);
}
/** With the room that every file has, and time also on a machine that has much else to do. */
const ofSite = (text: string) =>
  readInThread(
    {
      ...jobOf(`data:application/octet-stream;base64,${gzipSync(text).toString('base64')}`),
      typeFile: 'ims',
    },
    { megabytes: 256, seconds: 120 },
  );

it('a farm of 5,000 sprinklers with three sets of 45,000 waterings is read, packed, in the room that a file has', async () => {
  const text = siteOf(5000, 3);
  expect(text.length).toBeGreaterThan(15_000_000);
  const outcome = await ofSite(text);
  expect(outcome).toMatchObject({ kind: 'content', content: { units: { length: 5000 } } });
  if (outcome.kind === 'content')
    expect(outcome.content.sets.map(({ turns, faults }) => [turns.length, faults])).toEqual(
      Array.from({ length: 3 }, () => [5000, []]),
    );
}, 150_000);

it('of a farm with more waterings than a file may have all else is read, and what to do is said', async () => {
  const outcome = await ofSite(
    siteOf(100, 0).replace('"schedules": []', () => `"schedules": [${longSets()}]`),
  );
  expect(outcome).toMatchObject({
    content: {
      units: { length: 100 },
      sets: [],
      notes: [
        'Not imported: its schedules, which have more than 250,000 waterings. Import those of site.zip one by one.',
      ],
    },
  });
}, 150_000);

/** 12,000 sprinklers with 21 waterings. */
function longSets(): string {
  const schedules = Array.from({ length: 21 }, (_none, n) => ({ cycle: 1, start: n * 60, duration: 5 }));
  const turns = Array.from({ length: 12_000 }, (_none, n) => ({
    serialNumber: `U${n}`,
    group: 'G',
    schedules,
  }));
  return JSON.stringify({ _id: 's', name: 'Long', settings: { cycleLen: 1440 }, schedules: turns });
}

it('a file that takes more room or time than it may is refused, and the next one is read', async () => {
  const heap = jobOf(`[${'"x",'.repeat(100)}`);
  const read = createFileReader((job) => readInThread(job, { megabytes: 8, seconds: 20 }));
  const lists = Array.from({ length: 60_000 }, (_none, n) => `${n};UNIT-${n};${'y'.repeat(40)}`);
  const large = { ...heap, typeFile: 'podlist' as const, data: ['name;serial;x', ...lists].join('\n') };
  expect(await read(large, 1)).toEqual({
    kind: 'fault',
    fault: 'The file could not be read: it is too large or damaged.',
  });
  const late = createFileReader((job) => readInThread(job, { megabytes: 256, seconds: 0.001 }));
  expect(await late(large, 1)).toEqual({
    kind: 'fault',
    fault: 'The file took longer than 0.001 seconds to read. Please divide it.',
  });
  const next = await createFileReader()(
    { ...large, data: `name;serial\n${lists.slice(0, 4000).join('\n')}` },
    1,
  );
  expect(next.kind).toBe('content');
}, 60_000);
