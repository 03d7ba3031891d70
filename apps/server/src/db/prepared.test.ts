import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { connectDatabase, type DatabaseClient } from './client.ts';
import { prepared } from './prepared.ts';

let database: TestDatabase;
let client: DatabaseClient;
beforeAll(async () => {
  database = await createTestDatabase();
  await addFarms();
  client = connectDatabase(database.url, {
    share: { max: 1, connectMs: 1000, statementMs: 60_000, lockMs: 0 },
  });
});
afterAll(async () => {
  await client.close();
  await database.close();
});

async function addFarms(): Promise<void> {
  const { rows: owner } = await sql<{ id: number }>`
    insert into account (uid, email, name, type, password_hash, subscription_valid_until)
    values ('a', 'a@b.test', 'A', 'SUBSCRIBER', '', now()) returning id`.execute(database.db);
  await sql`insert into farm (id, uid, owner_id, name, lat, lng, wal_config, time_zone_id, raw_offset, dst_offset, dst_enabled)
    overriding system value select n, 'f' || n, ${owner[0]?.id}, 'Farm ' || n, -43, 171, '{}', 'Pacific/Auckland', 43200, 3600, true
    from generate_series(1001, 1003) n`.execute(database.db);
}

const farmNames = prepared<{ ids: readonly number[]; last: number }, { name: string }>(
  'test-names',
  (db, given) =>
    db
      .selectFrom('farm')
      .select('name')
      .where('id', '=', sql<number>`any(${given('ids')}::int[])`)
      .where('id', '<=', given('last'))
      .orderBy('id'),
);

it('takes what each call gives, and is planned once by a connection', async () => {
  expect(await farmNames(client.db, { ids: [1001, 1003], last: 2000 })).toEqual([
    { name: 'Farm 1001' },
    { name: 'Farm 1003' },
  ]);
  expect(await farmNames(client.db, { ids: [1001, 1002], last: 1001 })).toEqual([{ name: 'Farm 1001' }]);
  const { rows } =
    await sql`select name, from_sql, generic_plans + custom_plans as runs from pg_prepared_statements`.execute(
      client.db,
    );
  expect(rows).toEqual([{ name: 'test-names', from_sql: false, runs: '2' }]);
});

it('goes on after a newer server has added a column', async () => {
  const ask = () => farmNames(client.db, { ids: [1001], last: 2000 });
  await ask();
  await sql`alter table farm add column of_tomorrow int`.execute(database.db);
  expect(await ask()).toEqual([{ name: 'Farm 1001' }]);
});
