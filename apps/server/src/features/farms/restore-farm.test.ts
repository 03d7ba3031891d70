import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { AccountRow, DeviceRow, FarmRow } from '../../db/schema.ts';
import {
  buildAccount,
  buildAccountShare,
  buildCodec,
  buildDevice,
  buildFarm,
  buildGateway,
  buildQueuedCommand,
  buildShare,
  buildTank,
} from '../../testing/factories.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { recordReadings } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { KEPT_TABLES } from './kept-farm.ts';
import { fateOfTables, purgeFarms } from './purge-farms.ts';
import { farmCalls } from './testing/farm-kit.ts';

let server: TestServer;
let owner: AccountRow;
let helper: AccountRow;
let farm: FarmRow;
let gateway: DeviceRow;
let tank: DeviceRow;
let unit: DeviceRow;
type Calls = Awaited<ReturnType<typeof farmCalls>>;
let owned: Calls;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.now = new Date('2026-11-20T21:00:00.000Z');
  const { db } = server.database;
  owner = await buildAccount(db, { name: 'Olive Owner' });
  helper = await buildAccount(db, { name: 'Ann Agent', type: 'AGENT' });
  farm = await buildFarm(db, owner.id, { name: 'Home farm' });
  gateway = await buildGateway(db, farm.id);
  tank = await buildTank(db, farm.id);
  unit = await buildSprinkler(db, farm.id, { name: 'A1', gateway });
  await buildGroup(db, farm.id, 'North', [unit]);
  await buildShare(db, farm.id, helper.id, presets.farmManager);
  await db.insertInto('farm_clock_change').values({ farm_id: farm.id, at: server.clock.now }).execute();
  // One that was deleted before stays so.
  const { id } = await buildDevice(db, farm.id, 'poi');
  const long = new Date('2026-11-01T00:00:00Z');
  await db.updateTable('device').set({ deleted_at: long }).where('id', '=', id).execute();
  await recordReadings(server.database, farm, tank, [
    { at: '2026-11-20T20:00:00Z', values: { levelMm: 900 } },
  ]);
  owned = await farmCalls(server, owner);
});

const restore = (calls: Calls, farmUID = farm.uid) => calls.call('POST /farm/restore', { body: { farmUID } });
const deletedOf = async (calls: Calls) =>
  (await calls.call('GET /farms/deleted')).json<{ farms: { name: string }[] }>().farms;
/** The owner signs in again: a session doesn't last as long. */
const later = async (days: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + days * 86_400_000);
  owned = await farmCalls(server, owner);
};

/** Every row of every table by farm, without times of change; logs tell what happened and are left out. */
async function everything(farmId: number) {
  const told = new Set(['change_log', 'access_log', 'change_batch', 'unit_grouping']);
  const rows: Record<string, unknown> = {};
  for (const table of Object.keys(fateOfTables).filter((name) => !told.has(name)))
    rows[table] = (
      await server.database.pool.query<{ row: object }>(
        `select to_jsonb(t) - 'updated_at' as row from ${table} t where farm_id = $1 order by to_jsonb(t)::text`,
        [farmId],
      )
    ).rows.map(({ row }) => row);
  return rows;
}

describe('a deleted farm that is restored', () => {
  it('has everything that it had, and its people and gateways get in as before', async () => {
    const before = await everything(farm.id);
    for (const table of KEPT_TABLES) expect(before[table], table).not.toEqual([]);
    await owned.remove(farm.uid);
    expect((await everything(farm.id))['share']).toEqual([]);
    await later(2);
    expect(await deletedOf(owned)).toEqual([
      {
        farmUID: farm.uid,
        name: 'Home farm',
        deletedAt: '2026-11-20T21:00:00.000Z',
        deletedBy: 'Olive Owner',
        until: '2026-12-20T21:00:00.000Z',
        devices: 3,
      },
    ]);
    const reply = await restore(owned);
    expect([reply.statusCode, reply.json()]).toEqual([200, { away: [] }]);
    expect(await everything(farm.id)).toEqual(before);
    const helping = await farmCalls(server, helper);
    expect((await helping.farm(farm.uid)).name).toBe('Home farm');
    expect((await owned.changes(farm.uid)).changes).toMatchObject([
      { what: 'restored', by: 'Olive Owner' },
      { what: 'deleted', by: 'Olive Owner' },
    ]);
    expect((await owned.call('GET /access-log')).json()).toMatchObject({
      events: [
        { what: 'given back', whom: helper.name, note: 'The deleted farm was restored.' },
        { what: 'revoked', whom: helper.name },
      ],
    });
    expect(await deletedOf(owned)).toEqual([]);
    expect((await restore(owned)).statusCode).toBe(404);
    // And away again, once more with a way back.
    await owned.remove(farm.uid);
    expect((await restore(owned)).statusCode).toBe(200);
    expect((await helping.farm(farm.uid)).name).toBe('Home farm');
  });

  it('is known to its owner by mail, with who deleted it and the way back, at an address that is proved', async () => {
    const { db } = server.database;
    const mails = () =>
      db.selectFrom('outbox').select(['recipient', 'subject', 'body']).where('way', '=', 'mail').execute();
    const proved = (email_confirmed_at: Date | null) =>
      db.updateTable('account').set({ email_confirmed_at }).where('id', '=', owner.id).execute();
    await proved(server.clock.now);
    await owned.remove(farm.uid);
    expect(await mails()).toEqual([
      {
        recipient: owner.email,
        subject: 'A farm of yours was deleted',
        body: expect.stringMatching(
          /Home farm was deleted from your account[^]*For 30 days it can be brought back/,
        ) as string,
      },
    ]);
    await restore(owned);
    const helping = await farmCalls(server, helper);
    await helping.remove(farm.uid);
    expect((await mails()).at(-1)?.body).toContain('Home farm was deleted by Ann Agent');
    await restore(owned);
    await proved(null);
    await owned.remove(farm.uid);
    expect(await mails()).toHaveLength(2);
  });

  it('leaves devices away whose MAC another has by now, and says which', async () => {
    await owned.remove(farm.uid);
    const other = await buildFarm(server.database.db, owner.id);
    const { id } = await buildDevice(server.database.db, other.id, 'gateway', { mac: gateway.mac ?? '' });
    await server.database.db
      .insertInto('gateway_key')
      .values({ farm_id: other.id, device_id: id, mac: gateway.mac ?? '', key_hash: Buffer.alloc(32) })
      .execute();
    const reply = await restore(owned);
    const why = 'Its MAC address is in use by another device.';
    expect(reply.json()).toEqual({ away: [{ kind: 'gateway', name: gateway.name, why }] });
    const { rows } = await server.database.pool.query<{ farm_id: number }>(
      'select farm_id from gateway_key where mac = $1',
      [gateway.mac],
    );
    expect(rows).toEqual([{ farm_id: other.id }]);
  });

  it('ends what waited, but for stops, and sends nothing of it', async () => {
    const { db } = server.database;
    const waiting = await buildQueuedCommand(db, gateway, server.clock.now);
    await owned.remove(farm.uid);
    await restore(owned);
    const command = await db
      .selectFrom('command')
      .select(['id', 'state'])
      .where('uid', '=', waiting)
      .executeTakeFirstOrThrow();
    expect(command.state).toBe('cancelled');
    const units = await db
      .selectFrom('command_unit')
      .select('note')
      .where('command_id', '=', command.id)
      .execute();
    expect(units).toEqual([{ note: 'Not sent: the farm was deleted meanwhile.' }]);
  });

  it.each([
    ['its owner', null, null, 200],
    ['a farm manager that it was shared with', presets.farmManager, null, 200],
    ['an agent without the right to delete it', presets.agent, null, 404],
    ['a farm manager whose share has ended', presets.farmManager, '2026-11-21T00:00:00Z', 404],
  ])('comes back for %s as %#', async (who, permissions, endsAt, status) => {
    const { db } = server.database;
    const person = permissions ? await buildAccount(db, { type: 'AGENT' }) : owner;
    if (permissions)
      await buildShare(db, farm.id, person.id, permissions, endsAt === null ? null : new Date(endsAt));
    await owned.remove(farm.uid);
    await later(1);
    const calls = await farmCalls(server, person);
    expect((await restore(calls)).statusCode, who).toBe(status);
  });

  it('comes back for those who may delete farms of the whole account, and for no stranger', async () => {
    const { db } = server.database;
    const agent = await buildAccount(db, { type: 'AGENT' });
    await buildAccountShare(db, owner.id, agent.id, presets.farmManager);
    await owned.remove(farm.uid);
    const stranger = await farmCalls(server, await buildAccount(db));
    expect([await deletedOf(stranger), (await restore(stranger)).statusCode]).toEqual([[], 404]);
    const helping = await farmCalls(server, agent);
    expect(await deletedOf(helping)).toMatchObject([{ name: 'Home farm' }]);
    expect((await restore(helping)).statusCode).toBe(200);
  });

  it('of two who restore it at once, one does', async () => {
    await owned.remove(farm.uid);
    const replies = await Promise.all([restore(owned), restore(owned)]);
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 404]);
  });
});

describe('after 30 days', () => {
  it('nothing is purged of a farm that is being restored at that moment', async () => {
    const { pool, db } = server.database;
    await owned.remove(farm.uid);
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('update farm set deleted_at = null where id = $1', [farm.id]);
      const purge = purgeFarms(db, new Date('2027-01-01T00:00:00Z'));
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await pool.query(waits)).rowCount).toBe(1);
      await client.query('commit');
      await purge;
    } finally {
      client.release();
    }
    expect((await everything(farm.id))['reading']).toHaveLength(1);
  });

  it('it can no longer be restored, and what it had is erased', async () => {
    await buildQueuedCommand(server.database.db, gateway, server.clock.now);
    await buildCodec(server.database.db, farm.id);
    await owned.remove(farm.uid);
    await later(30);
    expect(await deletedOf(owned)).toHaveLength(1);
    await later(1 / 86_400_000);
    expect(await deletedOf(owned)).toEqual([]);
    const refused = await restore(owned);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { errorMessage: "It was deleted more than 30 days ago and can't be restored." },
    ]);
    await purgeFarms(server.database.db, server.clock.now);
    expect((await restore(owned)).statusCode).toBe(404);
    const left = await everything(farm.id);
    for (const [table, fate] of Object.entries(fateOfTables))
      if (fate === 'goes' || fate === 'gone') expect(left[table] ?? [], table).toEqual([]);
  });

  it('what leaves with a farm is what comes back with it', () => {
    const gone = Object.keys(fateOfTables).filter((table) => fateOfTables[table] === 'gone');
    expect([...KEPT_TABLES].toSorted()).toEqual(gone.toSorted());
  });
});
