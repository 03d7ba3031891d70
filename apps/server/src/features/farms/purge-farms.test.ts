import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildAccount, buildBatch, buildDevice, buildFarm } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { fateOfTables, purgeFarms } from './purge-farms.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

it('every table by farm is named, with what becomes of it when the farm is deleted', async () => {
  const { rows } = await server.database.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'farm_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  expect(Object.keys(fateOfTables).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

it('what could be undone on a farm goes 30 days after it was deleted, and stays on others', async () => {
  const { db } = server.database;
  const owner = await buildAccount(db);
  const left = async (farmId: number) =>
    (await db.selectFrom('change_batch').select('id').where('farm_id', '=', farmId).execute()).length;
  const farms = [await buildFarm(db, owner.id), await buildFarm(db, owner.id)] as const;
  for (const { id } of farms) await buildBatch(db, await buildDevice(db, id, 'poi'), 'delete poi');
  const at = new Date('2026-11-20T21:00:00Z');
  await db.updateTable('farm').set({ deleted_at: at }).where('id', '=', farms[0].id).execute();
  await purgeFarms(db, new Date('2026-12-20T21:00:00Z'));
  expect(await left(farms[0].id)).toBe(1);
  await purgeFarms(db, new Date('2026-12-20T21:00:01Z'));
  expect([await left(farms[0].id), await left(farms[1].id)]).toEqual([0, 1]);
});
