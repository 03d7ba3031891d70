import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { fromListedRow } from '@headrace/contract/rules/listed-units';
import type { unitList } from '@headrace/contract/unit-list';
import type { DeviceRow } from '../../db/schema.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

type Reply = ReplyOf<typeof unitList>;

let server: TestServer;
let world: FarmWorld;
let a1: DeviceRow;
let a2: DeviceRow;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  server.clock.now = new Date('2026-11-20T21:00:00Z');
  world = await buildFarmWorld(server);
  a1 = await sprinkler({ name: 'A1' });
  a2 = await sprinkler({ name: 'A2', settings: { isSpareUnit: true, channel: 5 } });
});
afterAll(() => server.close());

const sprinkler = (values: Parameters<typeof buildSprinkler>[2]) =>
  buildSprinkler(server.database.db, world.farm.id, values);
const ask = async (since?: string) =>
  (
    await world.get('GET /irrigation/units', { farmUID: world.farm.uid, ...(since && { since }) })
  ).json<Reply>();
const names = (reply: Reply) => reply.units.map(({ name }) => name);

it('leaves out what is as usual', async () => {
  await world.record(a1, [{ at: '2026-11-20T20:59:00Z', values: { charge: 90 } }]);
  const { units, isWhole, total } = await ask();
  expect({ isWhole, total }).toEqual({ isWhole: true, total: 2 });
  expect(units[0]).toEqual({
    _id: a1.uid,
    name: 'A1',
    serialNumber: a1.serial_number,
    macAddress: a1.mac,
    charge: 90,
    statusTime: Date.parse('2026-11-20T20:59:00Z'),
  });
});

it('says the same of each sprinkler as the whole list does', async () => {
  await world.record(a1, [{ at: '2026-11-20T20:59:00Z', values: { charge: 41 } }]);
  await world.record(a2, [{ at: '2026-11-20T20:59:00Z', values: { charge: 41 } }]);
  await buildGroup(server.database.db, world.farm.id, 'North', [a1]);
  const { ipcs } = (await world.get('GET /irrigation/devices', { farmUID: world.farm.uid })).json<{
    ipcs: Ipc[];
  }>();
  const rows = (await ask()).units.map(fromListedRow);
  expect(rows.map(({ name }) => name)).toEqual(['A1', 'A2']);
  for (const row of rows) expect(ipcs.find(({ _id }) => _id === row._id)).toMatchObject(row);
  expect(rows[0]?.groups).toHaveLength(1);
  expect(rows[1]).toMatchObject({ isSpareUnit: true, channel: 5, spareStatus: 3 });
});

it('tells a caller with an earlier reply of those that changed since, by their words or by a person', async () => {
  const first = await ask();
  expect(await ask(first.version)).toMatchObject({ isWhole: false, total: 2, units: [] });
  await world.record(a2, [{ at: '2026-11-20T20:59:00Z', values: { charge: 90 } }]);
  const second = await ask(first.version);
  expect(names(second)).toEqual(['A2']);
  await server.database.db.updateTable('device').set({ name: 'B1' }).where('id', '=', a1.id).execute();
  expect(names(await ask(second.version))).toEqual(['B1']);
  expect(names(await ask(first.version)).toSorted()).toEqual(['A2', 'B1']);
});

it('shows by the total that one is gone, and tells everything to whoever has a version of another server', async () => {
  const { version } = await ask();
  const gone = { deleted_at: server.clock.now };
  await server.database.db.updateTable('device').set(gone).where('id', '=', a2.id).execute();
  expect(await ask(version)).toMatchObject({ isWhole: false, total: 1, units: [] });
  expect(await ask('another-server.5')).toMatchObject({ isWhole: true, total: 1 });
});
