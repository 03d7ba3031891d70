import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GroupTake, SharedTake } from '@headrace/contract/restriction';
import { buildFarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler, buildWanted } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

it('a group takes what its sprinklers hold, on the mean of their cycle; what nobody knows is counted apart', async () => {
  const world = await buildFarmWorld(server);
  const { db } = server.database;
  const units = [];
  for (const name of ['A1', 'A2', 'A3']) units.push(await buildSprinkler(db, world.farm.id, { name }));
  const north = await buildGroup(db, world.farm.id, 'North', units);
  const first = await buildGroup(db, world.farm.id, 'First', units.slice(0, 1));
  await buildGroup(db, world.farm.id, 'Empty', []);
  await buildWanted(db, world.farm.id, units, [{ start: 60, duration: 30, cycle: 1 }]);
  const held = {
    farm_id: world.farm.id,
    since: new Date('2026-01-01T00:00:00Z'),
    crc: '1A:2B',
    how: 'said' as const,
  };
  const entries = JSON.stringify([{ start: 60, duration: 20, cycle: 2 }]);
  await db
    .insertInto('unit_held')
    .values([
      { ...held, device_id: units[1]!.id, entries, cycle_days: 2 },
      { ...held, device_id: units[2]!.id, entries: null, cycle_days: null },
    ])
    .execute();
  const reply = await world.get('GET /schedules/takes', { farmUID: world.farm.uid });
  expect(reply.statusCode, reply.body).toBe(200);
  // 4 L/s. Nobody heard what A1 holds, nor knows what A3 does: 30 min a day by what was sent, 30 × 240 each; A2 20 min on each second day.
  const { groups, shared } = reply.json<{ groups: GroupTake[]; shared: SharedTake[] }>();
  expect(groups).toMatchObject([
    { name: 'Empty', sprinklers: 0, litresADay: 0, unknown: 0 },
    { name: 'First', sprinklers: 1, litresADay: 7200, unknown: 1 },
    { name: 'North', sprinklers: 3, litresADay: 16_800, unknown: 2 },
  ]);
  // A1 is in two and counts once: 16,800 in all.
  expect(shared.toSorted((one, other) => one.litresADay - other.litresADay)).toEqual([
    { groupUIDs: [first, north].toSorted(), litresADay: 7200 },
    { groupUIDs: [north], litresADay: 9600 },
  ]);
});
