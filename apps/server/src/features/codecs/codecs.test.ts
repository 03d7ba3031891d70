import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildCodec, buildGateway, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { builtInCodecs } from './built-in-codecs.ts';

let server: TestServer;
let world: FarmWorld;
const changed: number[] = [];
beforeAll(async () => {
  server = await createTestServer({ onDevicesChanged: (farmId) => changed.push(farmId) });
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  changed.length = 0;
});
afterAll(() => server.close());

const script = 'function decodeUplink(input) { return { data: { depth: input.bytes[0] * 10 } }; }';
const farmUID = () => world.farm.uid;
const add = (values: object = {}) =>
  world.send('POST /codec', { farmUID: farmUID(), name: 'Tank', script, ...values });
const change = (codecId: string, values: object) =>
  world.send('PUT /codec', { farmUID: farmUID(), codecId, ...values });
const remove = (codecId: string) =>
  server.call('DELETE /codec', { headers: world.headers, query: { farmUID: farmUID(), codecId } });
const get = async (codecId: string, query: Record<string, string> = {}) =>
  (await world.get('GET /codec', { farmUID: farmUID(), codecId, ...query })).json<Record<string, unknown>>();
const tried = async (values: object) =>
  (await world.send('POST /codec/try', { farmUID: farmUID(), fPort: 2, bytes: '0C', ...values })).json<
    Record<string, unknown>
  >();
const decode = (deviceId: string, values: object) =>
  world.send('PUT /sensor/decoding', { deviceId, codecId: null, mapping: null, ...values });
const newId = async () => (await add()).json<{ id: string }>().id;

describe('codecs of a farm', () => {
  it('are kept in all their versions, the newest first', async () => {
    const reply = await add({ name: '  Tank  ' });
    expect([reply.statusCode, reply.json<{ version: number }>().version]).toEqual([200, 1]);
    const { id } = reply.json<{ id: string }>();
    const newer = script.replace('10', '100');
    expect((await change(id, { script: newer })).json()).toEqual({ id, version: 2 });
    expect(changed).toEqual([world.farm.id]);
    const createdAt = server.clock.now.toISOString();
    expect(await get(id)).toMatchObject({
      name: 'Tank',
      builtIn: false,
      version: 2,
      script: newer,
      usedBy: [],
      off: null,
      versions: [
        { version: 2, createdAt },
        { version: 1, createdAt },
      ],
    });
    expect(await get(id, { version: '1' })).toMatchObject({ script });
    expect(await get(id, { version: '3' })).toMatchObject({ errorMessage: 'The codec has no version 3.' });
    // More than the database counts to.
    expect(await get(id, { version: '2147483648' })).toMatchObject({ field: 'version' });
  });

  it('keep fifty versions, and those that a sensor is pinned to', async () => {
    const id = await newId();
    const tank = await buildTank(server.database.db, world.farm.id);
    await decode(tank.uid, { codecId: id, version: 2 });
    await change(id, { script });
    await decode(tank.uid, { codecId: id, version: 2 });
    for (let version = 3; version <= 54; version += 1) await change(id, { script });
    const versions = (await get(id))['versions'] as { version: number }[];
    expect([versions.length, versions.at(-2)?.version, versions.at(-1)?.version]).toEqual([51, 5, 2]);
  });

  it('are listed before the built-in ones, with the sensors that use them', async () => {
    const id = await newId();
    const tank = await buildTank(server.database.db, world.farm.id, { name: 'Hill tank' });
    const other = await buildTank(server.database.db, world.farm.id, { name: 'House tank' });
    await decode(tank.uid, { codecId: id });
    await decode(other.uid, { codecId: 'dragino-ldds75' });
    const { codecs } = (await world.get('GET /codecs', { farmUID: farmUID() })).json<{
      codecs: { id: string; builtIn: boolean; usedBy: string[]; name: string }[];
    }>();
    expect(codecs[0]).toMatchObject({ id, name: 'Tank', usedBy: ['Hill tank'] });
    expect(codecs.length).toBe(1 + builtInCodecs().size);
    expect(codecs.find((codec) => codec.id === 'dragino-ldds75')).toMatchObject({
      name: 'Dragino LDDS75',
      builtIn: true,
      usedBy: ['House tank'],
    });
  });

  it.each([
    [
      'a syntax error',
      { script: 'function decodeUplink(i) {\n  return {;\n}' },
      'script',
      /^Line 2: SyntaxError/,
    ],
    ['no function to call', { script: 'var x = 1;' }, 'script', /there is no function decodeUplink/],
    ['a script that never ends', { script: 'for (;;);' }, 'script', /it took too long/],
    ['more than 256 KiB', { script: `${script} // ${'x'.repeat(262_144)}` }, 'script', /262144/],
    [
      'more than 256 KiB in bytes',
      { script: `${script} // ${'é'.repeat(132_000)}` },
      'script',
      /at most 262144/,
    ],
    ['a name of blanks', { name: '  ' }, 'name', /name is required/],
  ])('are refused with %s', async (_what, values, field, message) => {
    const reply = await add(values);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field, errorMessage: expect.stringMatching(message) as string });
  });

  it('are a hundred at most', async () => {
    const { pool } = server.database;
    await pool.query(
      `insert into codec (farm_id, uid, name, version, created_at, updated_at)
       select $1::int, lpad(to_hex($1::int * 1000 + n), 24, '0'), 'Codec ' || n, 1, now(), now()
       from generate_series(1, 99) n`,
      [world.farm.id],
    );
    expect((await add()).statusCode).toBe(200);
    const reply = await add({ name: 'One more' });
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      409,
      'A farm has at most 100 codecs: remove one first.',
    ]);
  });

  it('have names of their own on the farm', async () => {
    await add();
    const reply = await add({ name: 'TANK' });
    expect([reply.statusCode, reply.json<{ field: string }>().field]).toEqual([409, 'name']);
  });

  it('keep fewer versions of large scripts: four MiB of each codec', async () => {
    const id = await newId();
    // 16 of 250 KiB are less than that, 17 more.
    for (let version = 2; version <= 19; version += 1)
      await change(id, { script: `${script} // ${version}`.padEnd(250 * 1024) });
    const versions = (await get(id))['versions'] as { version: number }[];
    expect([versions.length, versions[0]?.version, versions.at(-1)?.version]).toEqual([16, 19, 4]);
  });

  it('stay while a sensor uses them, and go with their versions after', async () => {
    const id = await newId();
    const tank = await buildTank(server.database.db, world.farm.id, { name: 'Hill tank' });
    await decode(tank.uid, { codecId: id });
    const refused = await remove(id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json<{ errorMessage: string }>().errorMessage).toContain('Hill tank');
    await decode(tank.uid, { codecId: null });
    expect((await remove(id)).statusCode).toBe(200);
    expect((await world.get('GET /codec', { farmUID: farmUID(), codecId: id })).statusCode).toBe(404);
  });

  it('that were switched off say why, and run again when switched on or replaced', async () => {
    const { db } = server.database;
    for (const values of [{ enabled: true }, { script }]) {
      const { id, uid } = await buildCodec(db, world.farm.id);
      const off = {
        off_at: new Date('2026-11-20T20:00:00Z'),
        off_reason: 'it took too long 5 times in a row',
      };
      await db.updateTable('codec').set(off).where('id', '=', id).execute();
      expect((await get(uid))['off']).toEqual({ at: '2026-11-20T20:00:00.000Z', reason: off.off_reason });
      await change(uid, { name: `Renamed ${id}` });
      expect((await get(uid))['off']).not.toBeNull();
      await change(uid, values);
      expect((await get(uid))['off']).toBeNull();
    }
  });

  it("of strangers aren't there", async () => {
    const theirs = await buildFarmWorld(server);
    const { uid } = await buildCodec(server.database.db, theirs.farm.id);
    const tank = await buildTank(server.database.db, world.farm.id);
    expect((await change(uid, { name: 'Mine' })).statusCode).toBe(404);
    expect((await remove(uid)).statusCode).toBe(404);
    expect((await decode(tank.uid, { codecId: uid })).statusCode).toBe(404);
    expect(await tried({ codecId: uid })).toMatchObject({ code: 'notFound' });
  });
});

describe('trying a codec', () => {
  it('gives what it decodes, what the mapping makes of that, and what it took', async () => {
    const mapping = [
      { path: 'depth', metric: 'levelMm', unit: 'cm' },
      { path: 'depth', metric: 'flowLpm', unit: 'gallon' },
    ];
    for (const bytes of ['0C', 'DA==', '0c '])
      expect(await tried({ script, mapping, bytes })).toEqual({
        data: { depth: 120 },
        warnings: [],
        errors: [],
        values: { levelMm: 1200 },
        problems: [expect.stringContaining('unit "gallon"') as string],
        tookMs: expect.any(Number) as number,
      });
  });

  it('takes hex for base64 only when told', async () => {
    expect(await tried({ script, bytes: 'DAAA', encoding: 'base64' })).toMatchObject({
      data: { depth: 120 },
    });
    expect(await tried({ script, bytes: 'DAAA' })).toMatchObject({ data: { depth: 2180 } });
  });

  it('uses the own mapping of a built-in codec', async () => {
    const bytes = '0207D9000390888081006400000C60';
    expect(await tried({ codecId: 'decentlab-dl-ctd10', bytes })).toMatchObject({
      values: { levelMm: 4232, temperatureC: 12.9, ec1UsCm: 100, batteryV: 3.168 },
      problems: [],
    });
  });

  it.each([
    ['its own errors', 'return { errors: ["unknown FPort"] };', 'unknown FPort'],
    ['an exception', 'return input.nothing.at;', 'TypeError'],
    ['no end', 'for (;;);', 'it took too long'],
  ])('says when it fails with %s', async (_what, body, error) => {
    const outcome = await tried({ script: `function decodeUplink(input) { ${body} }` });
    expect(outcome).toMatchObject({ data: null, values: {}, errors: [expect.stringContaining(error)] });
  });

  it.each([
    ['neither script nor codec', {}, 'script'],
    ['both', { script, codecId: 'dragino-lse01' }, 'script'],
    ['bytes that are none', { script, bytes: '0x!!' }, 'bytes'],
    [
      'a mapping with too many names of its own',
      {
        script,
        mapping: Array.from({ length: 65 }, (_, index) => ({ path: 'a', metric: `custom.m${index}` })),
      },
      'mapping',
    ],
  ])('is refused with %s', async (_what, values, field) => {
    expect(await tried(values)).toMatchObject({ code: 'invalid', field });
  });
});

describe('how a sensor is decoded', () => {
  it('is stored and told to ingest; nothing was heard of it yet', async () => {
    const tank = await buildTank(server.database.db, world.farm.id);
    const id = await newId();
    const mapping = [{ path: 'depth', metric: 'levelMm' }];
    expect((await decode(tank.uid, { codecId: id, version: 1, mapping })).statusCode).toBe(200);
    expect(changed).toEqual([world.farm.id]);
    expect((await world.get('GET /sensor/decoding', { deviceId: tank.uid })).json()).toEqual({
      codecId: id,
      version: 1,
      mapping,
      revision: expect.any(String) as string,
      lastUplink: null,
      waiting: null,
      keptSince: null,
      anew: null,
      anewRoom: { left: 1_000_000, limit: 1_000_000, moreAt: null },
      network: [],
    });
    await decode(tank.uid, { codecId: 'dragino-ldds75' });
    expect((await world.get('GET /sensor/decoding', { deviceId: tank.uid })).json()).toMatchObject({
      codecId: 'dragino-ldds75',
      version: null,
      mapping: null,
    });
  });

  it('is a version of the record, said in its history by name, and not written over unseen', async () => {
    const tank = await buildTank(server.database.db, world.farm.id);
    const codecId = await newId();
    const seen = async () =>
      (await world.get('GET /sensor/decoding', { deviceId: tank.uid })).json<{ revision: string }>().revision;
    const revision = await seen();
    const mine = await decode(tank.uid, { codecId, version: 1, revision });
    expect([mine.statusCode, mine.json()]).toEqual([200, { success: true, revision: await seen() }]);
    const theirs = await decode(tank.uid, { codecId: 'dragino-ldds75', revision });
    expect([theirs.statusCode, theirs.json()]).toMatchObject([409, { code: 'conflict' }]);
    const changes = await world.get('GET /changes', { farmUID: world.farm.uid, uid: tank.uid });
    expect(changes.json()).toMatchObject({
      changes: [
        { what: 'changed', fields: [{ field: 'codec', from: 'network server', to: 'Tank, version 1' }] },
      ],
    });
    expect((await decode(tank.uid, { codecId, version: 1 })).statusCode).toBe(200);
    const { version } = await server.database.db
      .selectFrom('device')
      .select('version')
      .where('id', '=', tank.id)
      .executeTakeFirstOrThrow();
    expect(version).toBe(tank.version + 1);
  });

  it.each([
    ['a codec that there is not', { codecId: 'no-such-codec' }, 404],
    ['a version that there is not', { version: 9 }, 404],
    [
      'where a value that is no running total begins anew',
      { mapping: [{ path: 'a', metric: 'levelMm', wrapAt: 9 }] },
      400,
    ],
  ])('is refused with %s', async (_what, values, status) => {
    const tank = await buildTank(server.database.db, world.farm.id);
    expect((await decode(tank.uid, { codecId: await newId(), ...values })).statusCode).toBe(status);
  });

  it('is no matter of anything but sensors', async () => {
    const gateway = await buildGateway(server.database.db, world.farm.id);
    expect((await decode(gateway.uid, {})).statusCode).toBe(404);
    expect((await world.get('GET /sensor/decoding', { deviceId: gateway.uid })).statusCode).toBe(404);
  });

  it('shows the newest uplink and how it was heard', async () => {
    const { db } = server.database;
    const tank = await buildTank(db, world.farm.id);
    const at = new Date('2026-11-20T20:14:07.512Z');
    const key = { farm_id: world.farm.id, device_id: tank.id };
    const made = { object: JSON.stringify({ depth: 120 }), warnings: '[]', problems: '["a problem"]' };
    await server.database.pool.query(
      `insert into last_uplink (farm_id, device_id, at, f_port, f_cnt, bytes, object, codec, warnings, problems)
        values ($1, $2, $3, 2, 214, $4, $5, null, $6, $7)`,
      [key.farm_id, key.device_id, at, Buffer.from([12, 255]), made.object, made.warnings, made.problems],
    );
    await db
      .insertInto('device_fact')
      .values({ ...key, name: 'contact', at, value: 'up' })
      .execute();
    await world.record(tank, [{ at: at.toISOString(), values: { rssiDbm: -97, levelMm: 5 } }]);
    expect((await world.get('GET /sensor/decoding', { deviceId: tank.uid })).json()).toMatchObject({
      lastUplink: {
        at: at.toISOString(),
        fPort: 2,
        fCnt: 214,
        bytes: '0CFF',
        decodedBy: 'network server',
        data: { depth: 120 },
        warnings: [],
        problems: ['a problem'],
      },
      network: [
        { name: 'contact', value: 'up', at: at.toISOString() },
        { name: 'rssiDbm', value: '-97', at: at.toISOString() },
      ],
    });
  });
});
