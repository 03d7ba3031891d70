import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { ImportDone, ImportPlan } from '@headrace/contract/imports';
import type { DeviceRow } from '../../../db/schema.ts';
import { type DeviceKit, deviceKit } from '../../../testing/device-kit.ts';
import { buildGateway } from '../../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../../testing/test-server.ts';

/** What is on the farm of each test: a gateway, and sprinkler A1 in the group North. */
interface Standing {
  server: TestServer;
  kit: DeviceKit;
  world: FarmWorld;
  gateway: DeviceRow;
  a1: DeviceRow;
}

/** A server for the file, a farm for each test (`is`), and how files are brought into it. */
export function importStage() {
  const is = {} as Standing;
  let number = 0;
  const mac = () => `0004B1${(number += 1).toString(16).toUpperCase().padStart(6, '0')}`;
  /** Each test calls from a place of its own: a place has so many calls a minute. */
  let address = '';
  const db = () => is.server.database.db;
  beforeAll(async () => {
    is.server = await createTestServer();
    is.kit = deviceKit(is.server);
  });
  afterAll(() => is.server.close());
  beforeEach(async () => {
    address = `198.51.100.${(number += 1)}`;
    is.world = await buildFarmWorld(is.server);
    const farmId = is.world.farm.id;
    is.gateway = await buildGateway(db(), farmId, 'key', { mac: mac() });
    is.a1 = await buildSprinkler(db(), farmId, { name: 'A1', mac: mac(), serial_number: 'IPC1' });
    await buildGroup(db(), farmId, 'North', [is.a1]);
  });

  const fileOf = (data: string, typeFile = 'podlist') => ({
    farmUID: is.world.farm.uid,
    typeFile,
    data,
    filename: 'pods.csv',
  });
  const send = (key: string, body: object, headers = is.world.headers) =>
    is.server.call(key, { headers, body, address });
  async function plan(data: string, typeFile?: string, more: object = {}): Promise<ImportPlan> {
    const reply = await send('POST /import/plan', { ...fileOf(data, typeFile), ...more });
    expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)]);
    return reply.json<ImportPlan>();
  }
  async function apply(data: string, choice: object = {}, typeFile?: string): Promise<ImportDone> {
    const { revision } = await plan(data, typeFile);
    const reply = await send('POST /import/apply', { ...fileOf(data, typeFile), revision, ...choice });
    expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)]);
    return reply.json<ImportDone>();
  }
  /** What this unit said of itself: texts, until when it held programmes, and newest readings. */
  async function textsOf({ id }: DeviceRow) {
    const facts = await db().selectFrom('device_fact').select('name').where('device_id', '=', id).execute();
    const held = await db().selectFrom('unit_held').select('until').where('device_id', '=', id).execute();
    const latest = await db()
      .selectFrom('latest as l')
      .innerJoin('series as s', (join) =>
        join.onRef('s.farm_id', '=', 'l.farm_id').onRef('s.id', '=', 'l.series_id'),
      )
      .select('l.value')
      .where('s.device_id', '=', id)
      .execute();
    return { facts, held: held.map(({ until }) => until), values: latest.map(({ value }) => value) };
  }
  type Stored = 'device_group' | 'farm_backup' | 'change_batch' | 'change_log';
  async function countOf(table: Stored): Promise<number> {
    const { count } = await db()
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('farm_id', '=', is.world.farm.id)
      .executeTakeFirstOrThrow();
    return Number(count);
  }
  /** What people have entered of the farm's devices and groups. */
  async function entered() {
    const devices = await db()
      .selectFrom('device')
      .select(['uid', 'kind', 'name', 'serial_number', 'mac', 'lat', 'lng', 'settings'])
      .where('farm_id', '=', is.world.farm.id)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute();
    const members = await db()
      .selectFrom('device_group_member as m')
      .innerJoin('device_group as g', 'g.id', 'm.group_id')
      .select(['g.name', 'm.device_id'])
      .where('m.farm_id', '=', is.world.farm.id)
      .orderBy('g.name')
      .orderBy('m.device_id')
      .execute();
    return { devices, members };
  }

  return { is, db, mac, fileOf, send, plan, apply, textsOf, countOf, entered };
}
