import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpoints } from '@headrace/contract/api';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { AccountRow, FarmRow } from '../db/schema.ts';
import {
  buildAccount,
  buildDevice,
  buildFarm,
  buildGateway,
  buildInvite,
  setGatewayOnline,
} from '../testing/factories.ts';
import { farmEntry } from '../testing/farm-entry.ts';
import { buildGroup, buildSprinkler, buildTemplate } from '../testing/irrigation-factories.ts';
import { buildTake, takeEntries } from '../testing/take-factories.ts';
import { createTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let owner: AccountRow;
let farm: FarmRow;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
let count = 0;
beforeEach(async () => {
  owner = await buildAccount(server.database.db, { email_confirmed_at: server.clock.now });
  farm = await buildFarm(server.database.db, owner.id);
  headers = await server.signIn(owner);
  count += 1;
});

const db = () => server.database.db;
const call = (key: string, body: object, once?: string) =>
  server.call(key, { headers: { ...headers, ...(once && { 'idempotency-key': once }) }, body });
const radio = (prefix: string) => ({
  name: 'New',
  serialNumber: `N${count}`,
  macAddress: `${prefix}${count.toString(16).padStart(10, '0')}`,
});
const place = { lat: -43.75, lng: 171.95 };

/** A body for each, that makes one thing. */
const listed = () => {
  const { name, serialNumber, macAddress } = radio('0004AB');
  const data = `name;serial;mac\n${name};${serialNumber};${macAddress}`;
  return { typeFile: 'podlist', data, filename: 'pods.csv' };
};
const bodies: Record<string, () => object | Promise<object>> = {
  'POST /farm': () => farmEntry,
  'POST /group': () => ({ farmUID: farm.uid, name: 'River' }),
  'POST /gateway': () => ({ farmUID: farm.uid, ...radio('0004A8'), type: 0 }),
  'POST /ipc': () => ({ farmUID: farm.uid, ...radio('0004A4') }),
  'POST /ipc/bulk-add': () => ({ farmUID: farm.uid, units: [radio('0004A5')] }),
  'POST /import/file': () => ({ farmUID: farm.uid, ...listed() }),
  'POST /import/apply': async () => {
    const body = { farmUID: farm.uid, ...listed() };
    const { revision } = (await call('POST /import/plan', body)).json<{ revision: string }>();
    return { ...body, revision };
  },
  'POST /backup': () => ({ farmUID: farm.uid, desc: 'Before lambing' }),
  'POST /poi': () => ({ farmUID: farm.uid, name: 'Gate', ...place }),
  'POST /repeater': () => ({ farmUID: farm.uid, ...radio('0004A9') }),
  'POST /sensor': () => ({ farmUID: farm.uid, ...radio('0004AA'), type: 0 }),
  'POST /codec': () => ({
    farmUID: farm.uid,
    name: 'New',
    script: 'function decodeUplink() { return { data: {} }; }',
  }),
  'POST /integration-key': () => ({ farmUID: farm.uid, name: 'ChirpStack' }),
  'POST /permissions': () => ({
    contacts: [{ name: 'New Person', email: `once${count}@example.com` }],
    farms: [farm.uid],
    isAccountShare: false,
    template: 4,
    permissions: {},
  }),
  'POST /alert': () => ({
    farmUID: farm.uid,
    name: 'Low',
    enabled: true,
    kind: 'TankLow',
    deviceIds: [],
    condition: 'below',
    value: 20,
    holdMinutes: 15,
  }),
  'POST /paddock-hold': async () => {
    const gateway = await buildGateway(db(), farm.id);
    await setGatewayOnline(db(), gateway, server.clock.now);
    await buildSprinkler(db(), farm.id, { name: 'A1', gateway });
    return { farmUID: farm.uid, until: new Date(server.clock.now.getTime() + 3_600_000).toISOString() };
  },
  'POST /water-take': () => ({ farmUID: farm.uid, ...takeEntries, meters: [] }),
  'POST /water-take/reading': async () => {
    const meter = await buildDevice(db(), farm.id, 'sensor', { type: sensorTypes.FLOW });
    const { meterUid } = await buildTake(db(), meter, server.clock.now);
    const at = server.clock.now.toISOString();
    return { farmUID: farm.uid, meterUID: meterUid, at, register: 6, note: '' };
  },
  'POST /water-take/pack': async () => {
    const meter = await buildDevice(db(), farm.id, 'sensor', { type: sensorTypes.FLOW });
    const { uid } = await buildTake(db(), meter, server.clock.now);
    return { farmUID: farm.uid, uid, from: '2026-07-01', to: '2026-10-31' };
  },
  'POST /schedule-template': async () => ({
    farmUID: farm.uid,
    name: 'Summer',
    groups: [{ uid: await buildGroup(db(), farm.id, 'North', []) }],
    settings: { duration: 28 },
  }),
  'POST /schedule-template/clone': async () => ({
    farmUID: farm.uid,
    // Its group is called so.
    templateUID: await buildTemplate(db(), farm.id, await buildGroup(db(), farm.id, 'Group', [])),
    name: 'Copy',
  }),
  'POST /schedules/create': async () => {
    const unit = await buildSprinkler(db(), farm.id, { name: 'A1' });
    const uid = await buildGroup(db(), farm.id, 'North', [unit]);
    const design = { farmUID: farm.uid, name: 'Summer', groups: [{ uid }], settings: { duration: 28 } };
    return (await call('POST /schedule-template/compute', design)).json<object>();
  },
  'POST /resend-invite': async () => ({
    key: (await buildInvite(db(), farm.id, server.clock.now)).uid,
  }),
};

/** All that these calls make, counted. */
async function made(): Promise<number> {
  const { rows } = await server.database.pool.query<{ n: number }>(
    `select (select count(*) from farm where owner_id = $1) + (select count(*) from device_group where farm_id = $2)
      + (select count(*) from schedule_template where farm_id = $2) + (select count(*) from schedule_set where farm_id = $2)
      + (select count(*) from device where farm_id = $2 and deleted_at is null) + (select count(*) from codec where farm_id = $2)
      + (select count(*) from alert_rule where farm_id = $2) + (select count(*) from integration_key where farm_id = $2) + (select count(*) from outbox)
      + (select count(*) from farm_backup where farm_id = $2 and cause = 'person')
      + (select count(*) from paddock_hold where farm_id = $2)
      + (select count(*) from water_take where farm_id = $2) + (select count(*) from take_reading where farm_id = $2)
      + (select count(*) from take_pack where farm_id = $2) as n`,
    [owner.id, farm.id],
  );
  return Number(rows[0]?.n);
}

describe('a call that makes something', () => {
  it('is known here for every endpoint that says so', () => {
    const said = endpoints.filter(({ once }) => once).map(({ key }) => key);
    expect(Object.keys(bodies).toSorted()).toEqual(said.toSorted());
  });

  it.each(Object.keys(bodies))('%s, five times at once with one key, is one', async (key) => {
    const body = (await bodies[key]?.()) ?? {};
    const before = await made();
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map(() => call(key, body, `tap-${key}-${count}`.replaceAll(/\s/g, ''))),
    );
    const [first] = replies;
    expect([first?.statusCode, first?.body.slice(0, 200)]).toEqual([
      endpoints.find((one) => one.key === key)?.status ?? 200,
      expect.any(String),
    ]);
    for (const reply of replies)
      expect([reply.statusCode, reply.body]).toEqual([first?.statusCode, first?.body]);
    expect((await made()) - before).toBe(1);
    const again = await call(key, body, `tap-${key}-${count}`.replaceAll(/\s/g, ''));
    expect(again.body).toBe(first?.body);
  });
});

describe('a key', () => {
  const group = (name: string, once?: string) => call('POST /group', { farmUID: farm.uid, name }, once);
  const groups = async () =>
    (await db().selectFrom('device_group').select('name').where('farm_id', '=', farm.id).execute()).length;

  it('of another kind of call, or with another body, is refused', async () => {
    await group('River', 'one-key-for-all');
    for (const reply of [
      await group('Hill', 'one-key-for-all'),
      await call('POST /poi', { farmUID: farm.uid, name: 'Gate', ...place }, 'one-key-for-all'),
    ])
      expect([reply.statusCode, reply.json()]).toMatchObject([
        422,
        { code: 'keyReused', field: 'Idempotency-Key' },
      ]);
    expect(await groups()).toBe(1);
  });

  it('of somebody else is another key', async () => {
    await group('River', 'shared-by-two');
    const other = await buildAccount(db());
    const theirs = await buildFarm(db(), other.id);
    headers = await server.signIn(other);
    expect(
      (await call('POST /group', { farmUID: theirs.uid, name: 'River' }, 'shared-by-two')).statusCode,
    ).toBe(200);
  });

  it('of a call that was refused is free: the corrected one goes through with it', async () => {
    expect((await group('', 'try-it-again')).statusCode).toBe(400);
    expect((await group('River', 'try-it-again')).statusCode).toBe(200);
  });

  it.each(['short', 'x'.repeat(65), 'with blanks in it'])('like %j is refused', async (key) => {
    const reply = await group('River', key);
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { field: 'Idempotency-Key' }]);
  });

  it('lasts a day', async () => {
    await group('River', 'for-one-day-only');
    server.clock.now = new Date(server.clock.now.getTime() + 86_400_000);
    headers = await server.signIn(owner);
    const reply = await group('Other', 'for-one-day-only');
    server.clock.now = new Date(server.clock.now.getTime() - 86_400_000);
    expect(reply.statusCode).toBe(200);
  });

  it('opens its reply alone: what is stored can’t be read without it', async () => {
    const reply = await call(
      'POST /integration-key',
      { farmUID: farm.uid, name: 'Keyed' },
      'seals-what-it-made',
    );
    const row = await db()
      .selectFrom('idempotency')
      .selectAll()
      .where('account_id', '=', owner.id)
      .executeTakeFirstOrThrow();
    const stored = Buffer.concat([row.reply ?? Buffer.alloc(0), row.key_hash, row.fingerprint]).toString(
      'latin1',
    );
    for (const secret of Object.values(reply.json<Record<string, unknown>>()))
      if (typeof secret === 'string' && secret.length > 8) expect(stored).not.toContain(secret);
    expect(row.reply?.length).toBeGreaterThan(20);
  });

  it('keeps a thousand of an account, the newest', async () => {
    const at = server.clock.now;
    await server.database.pool.query(
      `insert into idempotency (account_id, key_hash, call_id, fingerprint, at)
        select $1, decode(md5(n::text), 'hex'), gen_random_uuid(), ''::bytea, $2::timestamptz - n * interval '1 s'
        from generate_series(1, 1500) n`,
      [owner.id, at],
    );
    await group('River', 'one-of-very-many');
    const { rows } = await server.database.pool.query<{ n: string }>(
      'select count(*) n from idempotency where account_id = $1',
      [owner.id],
    );
    expect(Number(rows[0]?.n)).toBeLessThanOrEqual(1000);
    expect(await groups()).toBe(1);
  });
});
