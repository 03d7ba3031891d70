import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { presets } from '@headrace/contract/permissions';
import type { AccountRow, DeviceRow } from '../../db/schema.ts';
import { listenToDatabase } from '../../live/database-news.ts';
import {
  buildAccount,
  buildAccountShare,
  buildFarm,
  buildShare,
  buildTank,
} from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

const HOUR = 3_600_000;
const START = new Date('2026-11-20T21:00:00Z');

let server: TestServer;
let other: TestServer;
let ears: { stop(): Promise<void> }[];
let world: FarmWorld;
let tank: DeviceRow;
let agent: AccountRow;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await createTestServer();
  other = await createTestServer({}, server);
  ears = await Promise.all([server, other].map(listening));
});
afterAll(async () => {
  for (const ear of ears) await ear.stop();
  await other.close();
  await server.close();
});
beforeEach(async () => {
  server.clock.now = START;
  other.clock.now = START;
  world = await buildFarmWorld(server);
  tank = await buildTank(db(), world.farm.id);
  agent = await buildAccount(db(), { type: 'AGENT' });
  headers = await server.signIn(agent);
});

const db = () => server.database.db;
const nobody = { onNews: () => {}, onGap: () => {} };
async function listening({ accessListener }: TestServer) {
  const ear = listenToDatabase(server.database.url, nobody, { warn() {} }, accessListener);
  await ear.listening;
  return ear;
}

const ask = (at: TestServer) =>
  at.call('GET /lvl/history', { headers, query: { sensorUid: tank.uid, days: '1' } });
const statuses = async () => (await Promise.all([ask(server), ask(other)])).map((reply) => reply.statusCode);

/** How often a call asks the database, besides for the news. */
async function asks(call: () => Promise<unknown>): Promise<number> {
  let asked = 0;
  const counter = () => (asked += 1);
  server.database.pool.on('acquire', counter);
  await call();
  server.database.pool.off('acquire', counter);
  return asked;
}

/** Both servers know that the agent may see the tank, once they have heard of what was done before. */
async function remembered() {
  for (const at of [server, other]) await expect.poll(() => asks(() => ask(at))).toBe(1);
  expect(await statuses()).toEqual([200, 200]);
}

const share = (endsAt?: Date) => buildShare(db(), world.farm.id, agent.id, presets.agent, endsAt);
const ofAgent = (change: Record<string, unknown>) =>
  db().updateTable('account').set(change).where('id', '=', agent.id).execute();
const ofTank = (change: Record<string, unknown>) =>
  db().updateTable('device').set(change).where('id', '=', tank.id).execute();

describe('what is remembered of a person’s rights', () => {
  it('saves the question at the next call, and is asked again after a minute', async () => {
    await share();
    await remembered();
    server.clock.now = new Date(START.getTime() + 60_000);
    expect(await asks(() => ask(server))).toBe(2);
  });

  it.each<[string, number, () => Promise<unknown>]>([
    ['the share is deleted', 404, () => sql`delete from share where agent_id = ${agent.id}`.execute(db())],
    [
      'the share gives less',
      403,
      () =>
        db()
          .updateTable('share')
          .set({ permissions: JSON.stringify(presets.none) })
          .where('agent_id', '=', agent.id)
          .execute(),
    ],
    [
      'a share of the farm gives less than that of the account did',
      403,
      () => buildShare(db(), world.farm.id, agent.id, presets.none),
    ],
    ['the session is signed out at one server', 401, () => server.call('POST /account/logout', { headers })],
    [
      'the session is deleted',
      401,
      () => sql`delete from session where account_id = ${agent.id}`.execute(db()),
    ],
    ['the account may not sign in any more', 401, () => ofAgent({ approved: false })],
    ['the account needs a new password', 403, () => ofAgent({ must_change_password: true })],
    [
      'the farm is deleted',
      404,
      () => db().updateTable('farm').set({ deleted_at: START }).where('id', '=', world.farm.id).execute(),
    ],
    [
      'the farm gets another owner',
      404,
      async () =>
        db()
          .updateTable('farm')
          .set({ owner_id: (await buildAccount(db())).id })
          .where('id', '=', world.farm.id)
          .execute(),
    ],
    ['the device is deleted', 404, () => ofTank({ deleted_at: START })],
  ])('ends at once on every server when %s', async (_, status, change) => {
    await buildAccountShare(db(), world.owner.id, agent.id, presets.agent);
    await remembered();
    await change();
    expect(await statuses()).toEqual([status, status]);
  });

  it('ends at once with a farm’s own share when it ends by itself', async () => {
    await share(new Date(START.getTime() + 10_000));
    await remembered();
    for (const at of [server, other]) at.clock.now = new Date(START.getTime() + 10_000);
    expect(await statuses()).toEqual([404, 404]);
  });

  it('ends when somebody is support staff no more', async () => {
    await ofAgent({ is_staff: true });
    const given = { account_id: agent.id, farm_id: world.farm.id, reason: 'asked', opened_at: START };
    await db()
      .insertInto('support_session')
      .values({ ...given, ends_at: new Date(START.getTime() + HOUR) })
      .execute();
    await remembered();
    await ofAgent({ is_staff: false });
    expect(await statuses()).toEqual([404, 404]);
  });

  it('shows a device as it is now, and not on the farm that it left', async () => {
    await share();
    await remembered();
    const elsewhere = await buildFarm(db(), world.owner.id);
    await sql`delete from device where id = ${tank.id}`.execute(db());
    tank = await buildTank(db(), elsewhere.id);
    await sql`update device set uid = ${tank.uid} || '-' where id = ${tank.id}`.execute(db());
    expect(await statuses()).toEqual([404, 404]);
  });

  it('is nothing while changes may go unheard, and comes back with the connection', async () => {
    await share();
    await remembered();
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'headrace news' and datname = current_database()`.execute(db());
    await sql`delete from share where agent_id = ${agent.id}`.execute(db());
    expect(await statuses()).toEqual([404, 404]);
    await share();
    await expect.poll(() => asks(() => ask(server)), { timeout: 10_000 }).toBe(1);
  });
});

describe('a database that doesn’t tell of every change', () => {
  afterEach(() => sql`alter table share enable trigger tell_access_update`.execute(db()));

  it('is asked each time', async () => {
    await sql`alter table share disable trigger tell_access_update`.execute(db());
    const deaf = await createTestServer({}, server);
    const ear = await listening(deaf);
    await share();
    for (let call = 0; call < 4; call += 1) expect(await asks(() => ask(deaf))).toBeGreaterThan(1);
    await ear.stop();
    await deaf.close();
  });
});
