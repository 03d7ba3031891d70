import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountRow, DeviceRow, FarmRow } from '../../db/schema.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { commands } from '../operator/operator-commands.ts';
import type { LetterBounds } from '../readings/letter-bounds.ts';

const bounds: LetterBounds = {
  rowsPerFarm: 6,
  messagesPerRow: 4,
  messagesADay: 12,
  bytesADay: 20_000,
  bytesPerFarm: 30_000,
  heldBytesPerFarm: 30_000,
};

let server: TestServer;
let kit: IngestKit;
let owner: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer({ takeAgain: (message) => kit.ingest.replay(message) });
});
afterAll(() => server.close());
beforeEach(async () => {
  kit = await createIngestKit({ letterBounds: bounds }, server.database);
  owner = await server.signIn(await accountOf(kit.farm));
  return () => kit.close();
});

const accountOf = ({ owner_id: id }: FarmRow): Promise<AccountRow> =>
  server.database.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 20, minute)).toISOString();
const level = (mac: string | null, minute: number, levelMm: unknown = minute) => ({
  items: [{ mac, at: at(minute), values: { levelMm } }],
});
const STRANGE = '70B3D5FFFF000001';

interface Letter {
  _id: string;
  reason: string;
  mac: string;
  deviceName: string;
  gatewayName: string;
  count: number;
  kept: number;
  taken: number;
}
async function letters(mac?: string, farm = kit.farm, headers = owner): Promise<Letter[]> {
  const query = { farmUID: farm.uid, ...(mac && { mac }) };
  const reply = await server.call('GET /dead-letters', { headers, query });
  expect(reply.statusCode).toBe(200);
  return reply.json<{ letters: Letter[] }>().letters;
}
const replay = async (id?: string) =>
  (
    await server.call('POST /dead-letters/replay', {
      headers: owner,
      body: { farmUID: kit.farm.uid, ...(id && { id }) },
    })
  ).json<{ taken: number; failed: number; left: number; reason: string }>();
const storedLevels = async () => {
  const { rows } = await server.database.pool.query<{ value: number }>(
    'select value from reading order by at',
  );
  return rows.map(({ value }) => value);
};
const sums = async (table: string, what: string) =>
  (
    await server.database.pool.query<{ n: number; of: number }>(
      `select count(*)::int as n, coalesce(sum(${what}), 0)::int as of from ${table}`,
    )
  ).rows[0];
const add = async (mac: string): Promise<DeviceRow> => {
  const tank = await buildTank(server.database.db, kit.farm.id, { mac, name: 'North tank' });
  kit.ingest.forget(kit.farm.id);
  return tank;
};

describe('messages that were not taken', () => {
  it('of one device for one reason are one letter with how often, and name device and gateway', async () => {
    for (const minute of [1, 2, 3]) await kit.store('up/sensor', level(STRANGE, minute));
    await kit.store('up/sensor', level(kit.tank.mac, 5, 'deep'));
    const [bad, unknown, ...others] = await letters();
    expect(others).toEqual([]);
    expect(bad).toMatchObject({
      reason: 'items/0/values/levelMm must be either number or null',
      mac: kit.tank.mac,
      deviceName: kit.tank.name,
      gatewayName: kit.gateway.name,
      count: 1,
    });
    expect(unknown).toMatchObject({ reason: `unknown device ${STRANGE}`, mac: STRANGE, deviceName: '' });
    expect(unknown).toMatchObject({ count: 3, kept: 3, taken: 0 });
    expect(await letters(STRANGE)).toHaveLength(1);
    expect(await letters(kit.gateway.mac?.toLowerCase())).toHaveLength(2);
  });

  it('whose times or places in a list differ are one letter all the same', async () => {
    for (const minute of [20, 30, 40])
      await kit.store('up/sensor', {
        items: [{ mac: kit.tank.mac, at: at(60 + minute), values: { levelMm: 1 } }],
      });
    await kit.store('up/sensor', { items: [level(kit.tank.mac, 1).items[0], { mac: kit.tank.mac, at: 1 }] });
    await kit.store('up/sensor', { items: [{ mac: kit.tank.mac, at: 1 }] });
    expect((await letters()).map(({ count }) => count)).toEqual([2, 3]);
  });

  it('are shown whole, however long, with the bad item in it', async () => {
    const items = Array.from({ length: 90 }, (_, minute) => level(kit.tank.mac, minute % 60).items[0]);
    const sent = { items: [...items, level(STRANGE, 59).items[0]] };
    await kit.store('up/sensor', sent);
    const [letter] = await letters();
    const query = { farmUID: kit.farm.uid, id: letter?._id ?? '' };
    const reply = await server.call('GET /dead-letter', { headers: owner, query });
    expect(reply.json()).toMatchObject({ whole: true, encoding: 'text', message: JSON.stringify(sent) });
    expect(JSON.stringify(sent).length).toBeGreaterThan(4096);
  });

  it('that are no text are shown as bytes', async () => {
    await kit.store('up/sensor', Buffer.from([0xff, 0x00, 0x7b]));
    const [letter] = await letters();
    const query = { farmUID: kit.farm.uid, id: letter?._id ?? '' };
    const reply = await server.call('GET /dead-letter', { headers: owner, query });
    expect(reply.json()).toMatchObject({ whole: true, encoding: 'hex', message: 'ff007b' });
  });

  it("are another farm's business only there", async () => {
    const other = await buildFarm(server.database.db, (await buildAccount(server.database.db)).id);
    const gateway = await buildGateway(server.database.db, other.id);
    const from = { topic: `headrace/v1/${gateway.mac}/up/sensor`, sender: kit.sender(gateway) };
    await kit.store('up/sensor', level(STRANGE, 1), from);
    expect(await letters()).toEqual([]);
    const theirs = await server.signIn(await accountOf(other));
    const [letter] = await letters(undefined, other, theirs);
    const query = { farmUID: kit.farm.uid, id: letter?._id ?? '' };
    expect((await server.call('GET /dead-letter', { headers: owner, query })).statusCode).toBe(404);
    const body = { farmUID: kit.farm.uid, id: letter?._id };
    expect((await server.call('POST /dead-letters/replay', { headers: owner, body })).statusCode).toBe(404);
  });
});

describe('after the cause is gone', () => {
  it('are taken with their own times, once, and are letters no more', async () => {
    for (const minute of [1, 2, 3]) await kit.store('up/sensor', level(STRANGE, minute));
    await add(STRANGE);
    expect(await replay()).toEqual({ taken: 3, failed: 0, left: 0, reason: '' });
    expect(await storedLevels()).toEqual([1, 2, 3]);
    expect(await letters()).toEqual([expect.objectContaining({ count: 0, kept: 0, taken: 3 })]);
    expect(await replay()).toEqual({ taken: 0, failed: 0, left: 0, reason: '' });
    expect(await sums('kept_message', 'bytes')).toEqual({ n: 0, of: 0 });
  });

  it('what fails again stays, with its new reason', async () => {
    const both = [level(STRANGE, 1).items[0], level(kit.tank.mac, 2, 'deep').items[0]];
    await kit.store('up/sensor', { items: both });
    expect(await letters()).toHaveLength(2);
    await add(STRANGE);
    const bad = 'items/1/values/levelMm must be either number or null';
    expect(await replay()).toEqual({ taken: 0, failed: 1, left: 0, reason: bad });
    expect(await storedLevels()).toEqual([1]);
    expect((await letters()).map(({ reason, count, kept, taken }) => [reason, count, kept, taken])).toEqual([
      [bad, 1, 1, 0],
      [`unknown device ${STRANGE}`, 0, 0, 0],
    ]);
    await server.database.db.deleteFrom('device').where('mac', '=', kit.tank.mac).execute();
  });

  it('only those of the letter that was asked for are tried', async () => {
    await kit.store('up/sensor', level(STRANGE, 1));
    await kit.store('up/sensor', level('70B3D5FFFF000002', 2));
    await add(STRANGE);
    const [, first] = await letters();
    expect(await replay(first?._id)).toMatchObject({ taken: 1, left: 0 });
    expect((await letters()).map(({ count }) => count)).toEqual([1, 0]);
  });

  it('are taken of all farms, or of one letter, by the operator', async () => {
    const { db, pool } = server.database;
    const admin = (...args: string[]) =>
      commands['dead-letters']?.run({ db, pool, now: kit.clock.now }, ['replay', ...args]);
    await kit.store('up/sensor', level(STRANGE, 1));
    await kit.store('up/sensor', level('70B3D5FFFF000002', 2));
    const [second, first] = await letters();
    expect(await admin(first?._id ?? '')).toBe(
      `0 taken; 1 failed again, the last one: unknown device ${STRANGE}.`,
    );
    await add(STRANGE);
    expect(await admin('all')).toBe(
      '1 taken; 1 failed again, the last one: unknown device 70B3D5FFFF000002.',
    );
    await add('70B3D5FFFF000002');
    expect(await admin(kit.farm.uid)).toBe('1 taken.');
    expect(await storedLevels()).toEqual([1, 2]);
    await expect(admin(`${second?._id}0000`)).rejects.toThrow('There is no dead letter');
    await expect(admin()).rejects.toThrow('Give the number of a letter');
  });

  it('say nothing of who is in contact now', async () => {
    await kit.store('up/sensor', level(STRANGE, 1));
    await server.database.db.updateTable('gateway_state').set({ contact_at: null }).execute();
    await add(STRANGE);
    await replay();
    const state = await server.database.db.selectFrom('gateway_state').select('contact_at').execute();
    expect(state).toEqual([{ contact_at: null }]);
  });
});

describe('a flood of garbage', () => {
  const garbage = (n: number) => Buffer.from(`${'x'.repeat(2000)} ${n}`);

  it('is counted on one row, and kept as far as a row may', async () => {
    const sent = Array.from({ length: 300 }, (_, n) => kit.send('up/sensor', garbage(n)));
    await kit.ingest.drain();
    expect(sent.every(({ isAcknowledged }) => isAcknowledged)).toBe(true);
    expect(await letters()).toEqual([expect.objectContaining({ count: 300, kept: 4 })]);
    expect(await sums('kept_message', 'octet_length(payload)')).toMatchObject({ n: 4 });
  });

  it('of ever other reasons has so many rows and bytes, and pushes out nothing of another farm', async () => {
    const other = await buildFarm(server.database.db, (await buildAccount(server.database.db)).id);
    const gateway = await buildGateway(server.database.db, other.id);
    const from = { topic: `headrace/v1/${gateway.mac}/up/sensor`, sender: kit.sender(gateway) };
    await kit.store('up/sensor', level(STRANGE, 1), from);
    const mac = (n: number) => `70B3D5EEEE${n.toString(16).toUpperCase().padStart(6, '0')}`;
    for (let n = 0; n < 40; n += 1)
      await kit.store('up/sensor', { note: 'y'.repeat(3000), ...level(mac(n), 1) });
    const own = await letters();
    expect(own).toHaveLength(bounds.rowsPerFarm + 1);
    expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(40);
    expect(own.filter(({ reason }) => reason.startsWith('other reasons'))).toMatchObject([{ count: 34 }]);
    const kept = await sums(
      'kept_message',
      `case when farm_id = ${kit.farm.id} then octet_length(payload) end`,
    );
    expect(kept?.of).toBeLessThanOrEqual(bounds.bytesADay);
    expect(await letters(undefined, other, await server.signIn(await accountOf(other)))).toMatchObject([
      { count: 1, kept: 1 },
    ]);
  });

  it('of many days keeps the newest', async () => {
    for (const day of [18, 19, 20]) {
      kit.clock.now = new Date(Date.UTC(2026, 10, day, 21));
      for (const n of [1, 2, 3])
        await kit.store('up/sensor', { note: 'z'.repeat(4500), ...level(`70B3D5EE0000${day}0${n}`, 1) });
    }
    const kept = await sums('kept_message', 'octet_length(payload)');
    expect(kept?.of).toBeLessThanOrEqual(bounds.bytesPerFarm);
    expect(kept?.n).toBe(6);
    const { rows } = await server.database.pool.query<{ day: string }>(
      "select distinct to_char(received_at at time zone 'utc', 'DD') as day from kept_message order by 1",
    );
    expect(rows.map(({ day }) => day)).toEqual(['19', '20']);
  });
});
