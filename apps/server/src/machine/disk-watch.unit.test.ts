import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { judge, watchDisks } from './disk-watch.ts';

const GIB = 2 ** 30;
const MIB = 2 ** 20;
const limits = { warnBytes: 4 * GIB, lowBytes: 512 * MIB };
const levelOf = (free: number, size: number) => judge({ name: 'database', free, size }, limits)?.[0] ?? null;

it.each([
  ['a large disk with room', 4 * GIB, 100 * GIB, null],
  ['one below the limit', 4 * GIB - 1, 100 * GIB, 'warning'],
  ['one that is all but full', 512 * MIB - 1, 100 * GIB, 'low'],
  ['a small disk of which a tenth is left', 2 * GIB, 20 * GIB, null],
  ['a small disk of which less is left', 2 * GIB - 1, 20 * GIB, 'warning'],
  ['a small disk of which a fiftieth is left', 0.4 * GIB, 20 * GIB, 'warning'],
  ['a small disk of which less than that is left', 0.4 * GIB - 1, 20 * GIB, 'low'],
  ['a full one', 0, 20 * GIB, 'low'],
])('%s', (_name, free, size, level) => {
  expect(levelOf(free, size)).toBe(level);
});

it('says how much is left of how much, and what lies there', () => {
  expect(judge({ name: 'database', free: 1.5 * GIB, size: 29.1 * GIB }, limits)).toEqual([
    'warning',
    'the disk is nearly full: 1.5 GiB of 29.1 GiB free where the database is',
  ]);
});

it('a disk of which the database says that it is full is told, wherever it is', () => {
  const told: string[][] = [];
  const tell = async (subject: string, sentences: readonly string[]) =>
    void told.push([subject, ...sentences]);
  const disks = watchDisks({
    dataDir: tmpdir(),
    isEmbedded: false,
    limits: { warnBytes: 0, lowBytes: 0 },
    notices: { tell },
  });
  onTestFinished(() => disks.stop());
  expect([disks.check(), told]).toEqual(['ok', []]);
  disks.databaseFull();
  expect(disks.check()).toBe("the database's disk is full: nothing can be stored");
  expect(told).toEqual([
    [
      'the disk is full',
      "the database's disk is full: nothing can be stored.",
      expect.stringContaining('Make room'),
    ],
  ]);
});
