import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import WebSocket from 'ws';
import { connectDatabase } from '../db/client.ts';
import type { AccountRow } from '../db/schema.ts';
import { buildAccount } from '../testing/factories.ts';
import { createTestServer, type TestServer } from '../testing/test-server.ts';

const share = { max: 1, connectMs: 300, statementMs: 1000, lockMs: 200 };
const AWAY = 'The server has no connection to its database at the moment. Please try again soon.';
const BUSY = 'The server was too busy to answer in time. Please try again soon.';

let server: TestServer;
let account: AccountRow;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer();
  account = await buildAccount(server.database.db);
  headers = await server.signIn(account);
});
afterAll(() => server.close());

/** A second app on the same database, with few connections or none. */
async function other(url: string) {
  const { db, pool, close } = connectDatabase(url, { share });
  const app = await createTestServer({ db, pool });
  return {
    app,
    pool,
    async close() {
      await app.close();
      await close();
    },
  };
}

async function expectRefusal(of: TestServer, errorMessage: string, code: string) {
  const reply = await of.call('GET /settings', { headers });
  expect([reply.statusCode, reply.json()]).toEqual([503, { errorMessage, code }]);
  expect(reply.headers['retry-after']).toBe('5');
}

it('answers 503 with a sentence where the database refuses connections', async () => {
  const { app, close } = await other('postgres://nobody@127.0.0.1:1/none');
  await expectRefusal(app, AWAY, 'databaseAway');
  await close();
});

it('answers 503 where no connection gets free in time, and where a lock or a statement takes too long', async () => {
  const { app, pool, close } = await other(server.database.url);
  const only = await pool.connect();
  await expectRefusal(app, BUSY, 'busy');
  only.release();
  expect((await app.call('GET /settings', { headers })).statusCode).toBe(200);

  const locked = await server.database.pool.connect();
  await locked.query('begin; lock table session');
  await expectRefusal(app, BUSY, 'busy');
  await locked.query('rollback');
  locked.release();
  expect((await app.call('GET /settings', { headers })).statusCode).toBe(200);
  // query_canceled
  await expect(pool.query('select pg_sleep(10)')).rejects.toMatchObject({ code: '57014' });
  await close();
});

it('says that the disk is full where the database says so', async () => {
  const full = await createTestServer();
  const own = await full.signIn(await buildAccount(full.database.db));
  await full.database.pool.query(`
    create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
    create trigger full_disk before insert on page_view for each row execute function refuse()`);
  const reply = await full.call('POST /analytics/page-view', { headers: own, body: { key: '/tanks' } });
  expect([reply.statusCode, reply.json()]).toEqual([
    503,
    {
      errorMessage: "The server's disk is full: nothing can be saved until its operator makes room.",
      code: 'diskFull',
    },
  ]);
  await full.close();
});

it('asks nothing of a database that is known to be away, and opens no live connection', async () => {
  const without = await createTestServer({
    database: { check: async () => 'no answer within 2 s', isAway: () => true },
  });
  await expectRefusal(without, AWAY, 'databaseAway');
  expect((await without.http.inject('/healthz')).statusCode).toBe(200);
  const ready = await without.http.inject('/readyz');
  expect([ready.statusCode, ready.json()]).toEqual([
    503,
    { ready: false, checks: { database: 'no answer within 2 s' } },
  ]);
  await without.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = without.http.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, 'token');
  expect((await once(socket, 'close'))[0]).toBe(1013);
  await without.close();
});
