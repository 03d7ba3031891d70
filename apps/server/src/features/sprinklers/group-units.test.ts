import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { GroupInfo } from '@headrace/contract/groups';
import type { groupUnits } from '@headrace/contract/map-units';
import { fromUnitRow } from '@headrace/contract/rules/unit-rows';
import type { DeviceRow } from '../../db/schema.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
let units: DeviceRow[];
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  server.clock.now = new Date('2026-11-20T21:00:00Z');
  world = await buildFarmWorld(server);
  units = [];
  for (const name of ['A1', 'A2', 'A3']) units.push(await sprinkler({ name }));
});
afterAll(() => server.close());

const sprinkler = (values: Parameters<typeof buildSprinkler>[2]) =>
  buildSprinkler(server.database.db, world.farm.id, values);
const ask = async (since?: string, name = 'FARM') =>
  (await world.get('GET /group/units', { farmUID: world.farm.uid, name, ...(since && { since }) })).json<
    ReplyOf<typeof groupUnits>
  >();
const unit = (n: number) => units[n] as DeviceRow;
const report = (one: DeviceRow, values: Record<string, number>) =>
  world.record(one, [{ at: '2026-11-20T20:59:00Z', values }]);
const names = (reply: ReplyOf<typeof groupUnits>) => reply.units.map(({ name }) => name);

describe('a group in short', () => {
  it('leaves out what is as usual', async () => {
    await report(unit(0), { charge: 90, valve: 0 });
    const { units: rows, isWhole, total } = await ask();
    expect({ isWhole, total }).toEqual({ isWhole: true, total: 3 });
    const at = Date.parse('2026-11-20T20:59:00Z');
    expect(rows.find(({ name }) => name === 'A1')).toEqual({
      id: unit(0).uid,
      name: 'A1',
      serial: unit(0).serial_number,
      mac: unit(0).mac,
      charge: 90,
      statustime: at,
      valveAt: at,
    });
  });

  it('says the same of each unit as the whole list does', async () => {
    await report(unit(0), { charge: 41, clock: -4, hops: 2, valve: 1 });
    await report(unit(1), { charge: 90, valve: 0 });
    await buildGroup(server.database.db, world.farm.id, 'North', [unit(0)]);
    const { ipcs } = (
      await world.get('GET /group/info', { farmUID: world.farm.uid, name: 'FARM' })
    ).json<GroupInfo>();
    const rows = (await ask()).units.map(fromUnitRow);
    expect(rows).toHaveLength(3);
    for (const row of rows) expect(ipcs.find(({ id }) => id === row.id)).toMatchObject(row);
    expect(rows[0]).toMatchObject({ charge: 41, groups: ['North'], hasBatteryError: true, lat: null });
  });

  it('tells those of a later moment that changed, and nothing of the others', async () => {
    const first = await ask();
    expect(await ask(first.version)).toMatchObject({ isWhole: false, total: 3, units: [] });
    await report(unit(1), { charge: 90 });
    const second = await ask(first.version);
    expect(second).toMatchObject({ isWhole: false, total: 3, units: [{ name: 'A2', charge: 90 }] });
    expect(names(await ask(second.version))).toEqual([]);
    // Who has the first reply still hears of it.
    expect(names(await ask(first.version))).toEqual(['A2']);
  });

  it('takes nothing for changed because a transaction is under way elsewhere', async () => {
    const client = await server.database.pool.connect();
    try {
      await client.query('begin; select pg_current_xact_id()');
      const late = await sprinkler({ name: 'A4' });
      const { version } = await ask();
      expect(names(await ask(version))).toEqual([]);
      await report(late, { charge: 90 });
      expect(names(await ask(version))).toEqual(['A4']);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('tells of units that only the clock made different', async () => {
    // In half an hour it will have been silent for thirty days.
    await world.record(unit(0), [{ at: '2026-10-21T21:30:00Z', values: { charge: 90 } }]);
    const first = await ask();
    expect(first.units[0]).not.toHaveProperty('isOutOfContact');
    server.clock.now = new Date('2026-11-20T22:00:00Z');
    expect(await ask(first.version)).toMatchObject({ units: [{ name: 'A1', isOutOfContact: true }] });
  });

  it('tells of a unit that came, and by the total of one that went', async () => {
    const { version } = await ask();
    await sprinkler({ name: 'A4' });
    const more = await ask(version);
    expect({ names: names(more), total: more.total }).toEqual({ names: ['A4'], total: 4 });
    const gone = { deleted_at: server.clock.now };
    await server.database.db.updateTable('device').set(gone).where('id', '=', unit(0).id).execute();
    expect(await ask(more.version)).toMatchObject({ isWhole: false, total: 3, units: [] });
  });

  it('tells what others asked for meanwhile to who asked before', async () => {
    const { version } = await ask();
    await report(unit(2), { charge: 90 });
    const replies = await Promise.all([ask(version), ask(version), ask(version, 'FARM')]);
    for (const reply of replies) expect(names(reply)).toEqual(['A3']);
    const later = await ask(replies[0]?.version);
    expect(['', 'A3']).toContain(names(later).join());
  });

  it.each(['another-server.5', 'nonsense', '.'])(
    'is told whole to who has the version %s',
    async (version) => {
      expect(await ask(version)).toMatchObject({ isWhole: true, total: 3 });
    },
  );
});
