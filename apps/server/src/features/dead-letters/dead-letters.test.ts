import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FarmRow } from '../../db/schema.ts';
import { buildAccount, buildDeadLetter, buildFarm } from '../../testing/factories.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { formatDeadLetters } from './dead-letters.command.ts';
import { listDeadLetters, purgeDeadLetters } from './dead-letters.repo.ts';

let database: TestDatabase;
let farm: FarmRow;
const now = new Date('2026-11-20T21:00:00Z');
beforeAll(async () => {
  database = await createTestDatabase();
  farm = await buildFarm(database.db, (await buildAccount(database.db)).id, { name: 'Rakaia Downs' });
});
afterAll(() => database.close());
beforeEach(() => database.pool.query('truncate dead_letter cascade'));

const setAside = (reason: string, at = now, farmId: number | null = farm.id, payload = '{}') =>
  buildDeadLetter(database.db, farmId, { reason, at, payload: Buffer.from(payload, 'latin1') });
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
const listed = async (filter: { farmUid?: string; reason?: string } = {}) =>
  (await listDeadLetters(database.db, { limit: 10, ...filter })).map(({ reason }) => reason);

it('lists the newest first, of one farm or of one kind', async () => {
  await setAside('unknown device A', daysAgo(2));
  await setAside('message is not JSON', daysAgo(1));
  await setAside('unknown device B', now, null);
  expect(await listed()).toEqual(['unknown device B', 'message is not JSON', 'unknown device A']);
  expect(await listed({ farmUid: farm.uid })).toEqual(['message is not JSON', 'unknown device A']);
  expect(await listed({ reason: 'Unknown' })).toEqual(['unknown device B', 'unknown device A']);
});

it('drops what is older than 30 days', async () => {
  await setAside('old', daysAgo(30.1));
  for (const reason of ['a', 'b', 'c']) await setAside(reason, daysAgo(29));
  expect(await purgeDeadLetters(database.db, now)).toBe(1);
  expect(await listed()).toEqual(['c', 'b', 'a']);
});

it('shows each on three lines, with nothing in it that a terminal would obey', async () => {
  const id = await setAside('message is not JSON', now, farm.id, `\u001b[31m{"a":\xff\n${'x'.repeat(200)}`);
  const text = formatDeadLetters(await listDeadLetters(database.db, { limit: 1 }));
  expect(text.split('\n')).toEqual([
    `${id}  2026-11-20T21:00:00.000Z  1 not taken, 0 kept, 0 taken since: message is not JSON`,
    `    headrace/v1/70B3D50000000001/up/sensor  from gateway 70B3D50000000001, Rakaia Downs (${farm.uid}), 7000 bytes`,
    `    \\x1b[31m{"a":\\xff\\x0a${'x'.repeat(120 - 12)}…`,
  ]);
  expect(formatDeadLetters([])).toBe('No dead letters.');
});
