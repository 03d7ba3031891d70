import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GroupInfo } from '@headrace/contract/groups';
import type { DeviceRow } from '../../db/schema.ts';
import { buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler, buildWanted } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { createFarmUnits } from '../irrigation-devices/farm-units.ts';
import { createSprinklerStatusRepo } from './sprinkler-status.repo.ts';
import { createSprinklerStatusService } from './sprinkler-status.service.ts';

let server: TestServer;
let world: FarmWorld;
let gateway: DeviceRow;
let units: DeviceRow[];
let group: string;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  // 10:00 on 21 November in New Zealand's summer time.
  server.clock.now = new Date('2026-11-20T21:00:00Z');
  world = await buildFarmWorld(server);
  gateway = await buildGateway(db(), world.farm.id);
  units = [];
  for (const name of ['A1', 'A2', 'A3'])
    units.push(await buildSprinkler(db(), world.farm.id, { name, settings: { isSpareUnit: name === 'A3' } }));
  for (const [n, each] of units.entries())
    await report(each, { charge: n === 2 ? 95 : 55, clock: 0, hops: 1, valve: 0, cycleDay: 1, cycleLen: 1 });
  await buildWanted(db(), world.farm.id, [unit(0)], [{ start: 660, duration: 60, cycle: 1 }]);
  group = await buildGroup(db(), world.farm.id, 'North', [unit(0)]);
});
afterAll(() => server.close());

const db = () => server.database.db;
const unit = (n: number) => units[n] as DeviceRow;
const report = (one: DeviceRow, values: Record<string, number>) =>
  world.record(one, [{ at: server.clock.now.toISOString(), values }]);
async function ask(name: string): Promise<GroupInfo> {
  // Days have passed since the last sign-in.
  const headers = await server.signIn(world.owner);
  const reply = await server.call('GET /group/info', { headers, query: { farmUID: world.farm.uid, name } });
  return reply.json();
}
/** By a server that has just started, on the same database. */
const askAnew = (name: string) =>
  createSprinklerStatusService(createSprinklerStatusRepo(db(), createFarmUnits(db()))).groupInfo(
    world.farm,
    name,
    server.clock.now,
  );
const later = (minutes: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + minutes * 60_000);
};

/** Each makes something of the farm's statuses another. */
const changes: [what: string, change: () => Promise<unknown>][] = [
  [
    'a report',
    () => {
      later(1);
      return report(unit(1), { charge: 40 });
    },
  ],
  [
    'another threshold of the gateway',
    () =>
      db()
        .updateTable('gateway_state')
        .set({ settings: JSON.stringify({ chargeThreshold: 70 }) })
        .where('device_id', '=', gateway.id)
        .execute(),
  ],
  ['a watering that begins', async () => later(65)],
  ['the next day', async () => later(24 * 60)],
  [
    'a move to another group',
    () => world.send('PUT /group/devices/add', { groupId: group, ipcs: [unit(1).uid] }),
  ],
  [
    'a second server that moves one',
    () => db().updateTable('device').set({ lat: -43.5, lng: 172 }).where('id', '=', unit(1).id).execute(),
  ],
  [
    'a twin of the spare on another farm',
    async () =>
      buildSprinkler(db(), (await buildFarmWorld(server)).farm.id, { serial_number: unit(2).serial_number }),
  ],
  [
    'a deletion',
    () => server.call('DELETE /ipc', { headers: world.headers, query: { deviceId: unit(0).uid } }),
  ],
  ['a new one before the others', () => buildSprinkler(db(), world.farm.id, { name: 'A0' })],
  [
    'other hours of the farm’s clock',
    () => db().updateTable('farm').set({ dst_enabled: false }).where('id', '=', world.farm.id).execute(),
  ],
];

describe('a farm that was asked for before says what a server says that has just started, after', () => {
  it.each(changes)('%s', async (_what, change) => {
    const before = await ask('FARM');
    await ask('North');
    await change();
    world.farm = await db()
      .selectFrom('farm')
      .selectAll()
      .where('id', '=', world.farm.id)
      .executeTakeFirstOrThrow();
    const now = await ask('FARM');
    expect(now).not.toEqual(before);
    expect(now).toEqual(await askAnew('FARM'));
    expect(await ask('North')).toEqual(await askAnew('North'));
  });
});
