import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Backup, RestorePlan } from '@headrace/contract/backups';
import type { DeviceRow } from '../../../../db/schema.ts';
import { buildDevice, buildGateway } from '../../../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../../../testing/farm-world.ts';
import {
  buildGroup,
  buildScheduleSet,
  buildSprinkler,
  buildTemplate,
} from '../../../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../../../testing/test-server.ts';

/** What is on the farm of each test. */
interface Standing extends FarmWorld {
  server: TestServer;
  gateway: DeviceRow;
  a1: DeviceRow;
  a2: DeviceRow;
  /** Uids of the group with both units, and of the set of a1. */
  north: string;
  summer: string;
}

/** A server for the file, and for each test a farm with something of every kind; `is` has it. */
export function backupStage() {
  let server: TestServer;
  let address = '';
  let number = 0;
  const is = {} as Standing;
  const db = () => server.database.db;
  const mac = () => `0004B2${(number += 1).toString(16).toUpperCase().padStart(6, '0')}`;
  beforeAll(async () => {
    server = await createTestServer({ requestsPerMinute: 100_000 });
    is.server = server;
  });
  afterAll(() => server.close());

  beforeEach(async () => {
    address = `198.51.101.${(number += 1)}`;
    const world = await buildFarmWorld(server);
    const { farm } = world;
    const gateway = await buildGateway(db(), farm.id, 'key', { mac: mac() });
    const unit = (name: string, settings = {}) =>
      buildSprinkler(db(), farm.id, { name, mac: mac(), serial_number: `IPC${name}`, settings, gateway });
    const a1 = await unit('A1', { channel: 16, farmId: '01:01', commsMode: 0 });
    const a2 = await unit('A2', { isSpareUnit: true });
    const north = await buildGroup(db(), farm.id, 'North', [a1, a2]);
    await buildDevice(db(), farm.id, 'poi', { name: 'Gate', lat: -43.75, lng: 171.95 });
    await buildDevice(db(), farm.id, 'repeater', { name: 'R1', mac: mac(), serial_number: 'RPT1' });
    await buildTemplate(db(), farm.id, north, 'Spring');
    const summer = await buildScheduleSet(db(), farm.id, [a1], [{ start: 60, duration: 28, cycle: 1 }]);
    Object.assign(is, world, { gateway, a1, a2, north, summer });
  });

  const call = (key: string, body?: object, query?: Record<string, string>, headers = is.headers) =>
    server.call(key, { headers, address, ...(body && { body }), ...(query && { query }) });
  async function done<T>(key: string, body?: object, query?: Record<string, string>): Promise<T> {
    const reply = await call(key, body, query);
    expect([key, reply.statusCode, reply.body]).toEqual([key, 200, expect.any(String)]);
    return reply.json<T>();
  }
  const ofFarm = () => ({ farmUID: is.farm.uid });
  return {
    is,
    db,
    mac,
    call,
    done,
    ofFarm,
    back: (desc = 'Before lambing') => done<Backup>('POST /backup', { ...ofFarm(), desc }),
    list: () => done<Backup[]>('GET /backup/list', undefined, ofFarm()),
    plan: (bakUID: string) => done<RestorePlan>('POST /backup/plan', { ...ofFarm(), bakUID }),
    restore: (bakUID: string, more: object = {}) =>
      done<{ restored: number; stayed: number; batchId: string | null }>('PUT /backup/restore', {
        ...ofFarm(),
        bakUID,
        ...more,
      }),
    undo: (batchId: unknown) =>
      done<{ batchId: string }>('POST /undo', { ...ofFarm(), act: 'restore', batchId }),
    templates: () =>
      db().selectFrom('schedule_template').select('uid').where('farm_id', '=', is.farm.id).execute(),
    /** The whole configuration, as the farm's own export has it. */
    async configuration(): Promise<unknown> {
      const { exportedAt: _at, ...site } = JSON.parse(
        (await call('GET /export/site-json', undefined, ofFarm())).body,
      ) as Record<string, unknown>;
      return site;
    },
    liveDevice: (uid: string) =>
      db()
        .selectFrom('device')
        .selectAll()
        .where('uid', '=', uid)
        .where('deleted_at', 'is', null)
        .executeTakeFirst(),
    shareSerial: (isShared: boolean) =>
      db()
        .updateTable('device')
        .set({ serial_number: isShared ? 'IPCA1' : 'IPCA2', shares_serial: isShared })
        .where('uid', '=', is.a2.uid)
        .execute(),
  };
}
