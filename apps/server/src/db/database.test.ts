import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { buildAccount, buildFarm, buildTank } from '../testing/factories.ts';
import { createLog } from '../log.ts';
import { connectDatabase } from './client.ts';
import { newUid } from './ids.ts';
import { migrate } from './migrate.ts';
import { ensurePartitions } from './partitions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const partitions = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select relname as name from pg_class where relname like 'reading\\_2%' and relkind = 'r' order by 1",
  );
  return rows.map((row) => row.name);
};

it('migrates once when several servers start together', async () => {
  const clients = [
    connectDatabase(database.url),
    connectDatabase(database.url),
    connectDatabase(database.url),
  ];
  await Promise.all(clients.map((client) => migrate(client.db)));
  await Promise.all(clients.map((client) => client.close()));
  const { rows } = await database.pool.query('select name from kysely_migration');
  expect(rows.map((row: { name: string }) => row.name)).toEqual([
    ...new Set(rows.map((row: { name: string }) => row.name)),
  ]);
});

it('refuses a database that a newer Headrace has migrated', async () => {
  const newer = await createTestDatabase();
  await newer.pool.query("insert into kysely_migration values ('9999-later', now()::text)");
  await expect(migrate(newer.db)).rejects.toThrow(
    /^This database was migrated by a newer Headrace \(9999-later, and this one knows up to \d{4}-[a-z-]+\): start that version/,
  );
  await newer.close();
});

it('takes what is missing below what it has: branches land their numbers in any order', async () => {
  const earlier = await createTestDatabase();
  await earlier.pool.query('alter table alert_episode drop column other_unit_at');
  await earlier.pool.query("delete from kysely_migration where name like '0170-%'");
  await migrate(earlier.db);
  const { rows } = await earlier.pool.query(
    "select 1 from information_schema.columns where table_name = 'alert_episode' and column_name = 'other_unit_at'",
  );
  expect(rows).toHaveLength(1);
  await earlier.close();
});

it('opens the months that readings lie in, once, also when two writers open the same', async () => {
  const times = [
    Date.parse('2026-11-30T23:59:59Z'),
    Date.parse('2026-12-01T00:00:00Z'),
    Date.parse('2025-01-15T00:00:00Z'),
  ];
  const other = connectDatabase(database.url);
  await Promise.all([ensurePartitions(database.pool, times), ensurePartitions(other.pool, times)]);
  await other.close();
  expect(await partitions()).toEqual(['reading_2025_01', 'reading_2026_11', 'reading_2026_12']);
});

it('is closed once PostgreSQL has let go of every connection, and says nothing of them', async () => {
  const said: Error[] = [];
  for (let round = 0; round < 5; round += 1) {
    const client = connectDatabase(database.url, { log: (error) => said.push(error) });
    const name = `closing ${round}`;
    const connections = await Promise.all(Array.from({ length: 12 }, () => client.pool.connect()));
    for (const each of connections) await each.query(`set application_name = '${name}'`);
    for (const each of connections) each.release();
    await client.close();
    const { rows } = await database.pool.query(
      'select pid from pg_stat_activity where application_name = $1',
      [name],
    );
    expect(rows).toEqual([]);
  }
  expect(said).toEqual([]);
});

it('a connection that breaks is told in a line, not with all that hangs on it', async () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const client = connectDatabase(database.url, {
    log: (err) => log.warn({ err }, 'database connection lost'),
  });
  const { rows } = await client.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  await database.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await expect.poll(() => lines.length).toBe(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 40,
    msg: 'database connection lost',
    err: { code: '57P01' },
  });
  expect(lines[0]).not.toContain('connectionParameters');
  expect(lines[0]?.length).toBeLessThan(2000);
  await client.close();
});

it('keeps a reading in the month of its UTC time', async () => {
  const farm = await buildFarm(database.db, (await buildAccount(database.db)).id);
  const tank = await buildTank(database.db, farm.id);
  const { id } = await database.db
    .insertInto('series')
    .values({ farm_id: farm.id, device_id: tank.id, metric: 'levelMm' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ensurePartitions(database.pool, [Date.parse('2026-12-01T00:00:00Z')]);
  await database.db
    .insertInto('reading')
    .values({ farm_id: farm.id, series_id: id, at: new Date('2026-12-01T00:00:00Z'), value: 1200 })
    .execute();
  const { rows } = await database.pool.query('select value from reading_2026_12');
  expect(rows).toEqual([{ value: 1200 }]);
});

it('gives ids of 24 hex characters that sort by time', () => {
  const early = newUid(new Date('2026-01-01T00:00:00Z'));
  const late = newUid(new Date('2026-01-01T00:00:01Z'));
  expect(early).toMatch(/^[0-9a-f]{24}$/);
  expect(early < late).toBe(true);
});
