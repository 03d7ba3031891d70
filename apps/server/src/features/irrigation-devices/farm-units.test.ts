import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GroupInfo } from '@headrace/contract/groups';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import type { DeviceRow } from '../../db/schema.ts';
import { type DeviceKit, deviceKit } from '../../testing/device-kit.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler, buildWanted } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let kit: DeviceKit;
let world: FarmWorld;
let a1: DeviceRow;
let a2: DeviceRow;
beforeAll(async () => {
  server = await createTestServer();
  kit = deviceKit(server);
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  a1 = await build('A1');
  a2 = await build('A2');
  await units();
});
afterAll(() => server.close());

const db = () => server.database.db;
const build = (name: string) => buildSprinkler(db(), world.farm.id, { name });
const units = async () =>
  (await world.get('GET /irrigation/devices', { farmUID: world.farm.uid })).json<{ ipcs: Ipc[] }>().ipcs;
const info = async (name = 'FARM') =>
  (await world.get('GET /group/info', { farmUID: world.farm.uid, name })).json<GroupInfo>();
const names = async () => (await units()).map(({ name }) => name);
const charges = async () => (await units()).map(({ charge }) => charge);
const reports = (unit: DeviceRow, charge: number, at: string) =>
  world.record(unit, [{ at, values: { charge } }]);

describe('the list of a farm that was asked for before', () => {
  it('has what a unit reported since, and what the others said before', async () => {
    await reports(a2, 70, '2026-11-20T08:00:00Z');
    expect(await charges()).toEqual([null, 70]);
    await reports(a1, 81, '2026-11-20T09:00:00Z');
    expect(await charges()).toEqual([81, 70]);
    await reports(a1, 80, '2026-11-20T10:00:00Z');
    expect(await charges()).toEqual([80, 70]);
    expect((await info()).ipcs.map(({ charge }) => charge)).toEqual([80, 70]);
  });

  it('has what a transaction wrote that was open while the list was read', async () => {
    const writer = await server.database.pool.connect();
    await writer.query('begin');
    await writer.query(`update device set name = 'B1' where farm_id = $1 and id = $2`, [a1.farm_id, a1.id]);
    // Later transactions end before it: the newest id that was seen says nothing of it.
    await reports(a2, 70, '2026-11-20T08:00:00Z');
    expect(await names()).toEqual(['A1', 'A2']);
    await reports(a2, 69, '2026-11-20T09:00:00Z');
    expect(await names()).toEqual(['A1', 'A2']);
    await writer.query('commit');
    writer.release();
    expect(await names()).toEqual(['A2', 'B1']);
  });

  it('has new units in their place and loses those that were removed', async () => {
    await build('A10');
    expect(await names()).toEqual(['A1', 'A10', 'A2']);
    await server.call('DELETE /ipc', { headers: world.headers, query: { deviceId: a1.uid } });
    expect(await names()).toEqual(['A10', 'A2']);
  });

  it('forgets what a unit no longer says, also where another one began to say something', async () => {
    await kit.say(a1, 'mode', 'Local', '2026-11-20T08:00:00Z');
    expect((await units()).map(({ mode }) => mode)).toEqual(['Local', null]);
    await db().deleteFrom('device_fact').where('device_id', '=', a1.id).execute();
    await kit.say(a2, 'mode', 'Mesh', '2026-11-20T09:00:00Z');
    expect((await units()).map(({ mode }) => mode)).toEqual([null, 'Mesh']);
  });

  it('has the groups as they are: members, names, and one that was deleted', async () => {
    const groupsOf = async () => (await info()).ipcs.map(({ groups }) => groups);
    const north = await buildGroup(db(), world.farm.id, 'North', [a1]);
    expect(await groupsOf()).toEqual([['North'], []]);
    await world.send('PUT /group/devices/add', { groupId: north, ipcs: [a2.uid] });
    expect(await groupsOf()).toEqual([['North'], ['North']]);
    await world.send('PUT /group', { id: north, name: 'South' });
    expect((await info('South')).ipcs.map(({ name }) => name)).toEqual(['A1', 'A2']);
    await world.send('PUT /group/devices/remove', { groupId: north, ipcs: [a1.uid] });
    expect(await groupsOf()).toEqual([[], ['South']]);
    await db().deleteFrom('device_group').where('uid', '=', north).execute();
    expect(await groupsOf()).toEqual([[], []]);
  });

  it('has the schedules that were sent last, and what a unit holds', async () => {
    const units = async () =>
      (await info()).ipcs.map(({ schedules, activeAt }) => [schedules, activeAt.length]);
    const waterBy = (duration: number) =>
      buildWanted(db(), world.farm.id, [a1, a2], [{ start: 0, duration, cycle: 1 }]);
    await waterBy(30);
    expect(await units()).toEqual([
      [30, 1],
      [30, 1],
    ]);
    await waterBy(110);
    await db()
      .insertInto('unit_held')
      .values({
        farm_id: a2.farm_id,
        device_id: a2.id,
        since: new Date(),
        crc: 'AA:BB',
        entries: null,
        cycle_days: null,
        how: 'said',
      })
      .execute();
    expect(await units()).toEqual([
      [110, 1],
      // Nobody knows what is under that checksum.
      [110, 0],
    ]);
  });

  it('is the farm as it is for all who ask at once', async () => {
    await Promise.all(
      [61, 62, 63, 64].map(async (charge, hour) => {
        await reports(a1, charge, `2026-11-20T0${hour}:00:00Z`);
        const [shown] = await charges();
        expect(shown).toBeGreaterThanOrEqual(charge);
      }),
    );
    expect((await charges())[0]).toBe(64);
  });
});
