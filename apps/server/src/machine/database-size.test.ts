import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { type DatabaseSize, judgeSize, watchDatabaseSize } from './database-size.ts';

const GIB = 2 ** 30;
const MIB = 2 ** 20;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function watch(maxBytes: number): { size: DatabaseSize; told: string[] } {
  const told: string[] = [];
  const tell = async (subject: string) => void told.push(subject);
  const size = watchDatabaseSize({ db: database.db, maxBytes, warnBytes: 4 * GIB, notices: { tell } });
  return { size, told };
}

it.each([
  ['nobody said how large it may be', 900 * GIB, 0, null],
  ['there is room', 96 * GIB, 100 * GIB, null],
  ['less than the limit is left', 96.5 * GIB, 100 * GIB, '96.5 GiB of 100.0 GiB'],
  ['a tenth of a small one is left', 9 * GIB, 10 * GIB, null],
  ['less than a tenth of a small one is left', 9.1 * GIB, 10 * GIB, '9.1 GiB of 10.0 GiB'],
])('%s', (_name, bytes, maxBytes, sizes) => {
  expect(judgeSize(bytes, maxBytes, 4 * GIB)).toBe(
    sizes && `the database is nearly as large as it may be: ${sizes} (DATABASE_MAX_MB)`,
  );
});

it('that nears what the operator lets it grow to is told, by /readyz, notice and metric', async () => {
  // An empty one with our tables has more than 8 MiB.
  const { size, told } = watch(MIB);
  expect(size.check()).toBe('ok');
  await size.look();
  expect(size.check()).toMatch(
    /^warning: the database is larger than it may be: 0\.0 GiB of 0\.0 GiB \(DATABASE_MAX_MB\)$/,
  );
  expect(told).toEqual(['the database is nearly as large as it may be']);
  const registry = new Registry();
  size.metrics(registry);
  const bytes = Number(/^headrace_database_bytes (\d+)/m.exec(await registry.metrics())?.[1]);
  expect(bytes).toBeGreaterThan(8 * MIB);
  size.stop();
});

it('without a limit, or with room, is told to nobody', async () => {
  for (const maxBytes of [0, 100 * GIB]) {
    const { size, told } = watch(maxBytes);
    await size.look();
    expect([size.check(), told]).toEqual(['ok', []]);
    size.stop();
  }
});
