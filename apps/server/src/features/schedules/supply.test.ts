import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

/** What a farm's water supply allows. */
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const get = async () => (await world.get('GET /farm/supply', { farmUID: world.farm.uid })).json();
const put = (body: object) =>
  server.call('PUT /farm/supply', { headers: world.headers, body: { farmUID: world.farm.uid, ...body } });
const nights = { fromMin: 21 * 60, toMin: 7 * 60, why: 'night tariff' };
const milking = { fromMin: 300, toMin: 420, why: 'milking' };
const entered = {
  maxLps: 40,
  windows: [nights],
  avoid: [milking],
  mains: [],
  notes: 'Line 3 and 4 share a main.',
};

describe('the water supply of a farm', () => {
  it('is not known until somebody enters it, and is kept as it was entered', async () => {
    const farmUID = world.farm.uid;
    const nothing = { farmUID, maxLps: null, windows: [], avoid: [], mains: [], notes: '' };
    expect(await get()).toEqual({ ...nothing, version: 0, updatedAt: null });
    const saved = { farmUID, ...entered, version: 1, updatedAt: server.clock.now.toISOString() };
    expect((await put({ ...entered, version: 0 })).json()).toEqual(saved);
    expect(await get()).toEqual(saved);
    // The same again is no change.
    expect((await put({ ...entered, version: 1 })).json()).toEqual(saved);
  });

  it('is changed once by two people: the second is shown the newer one', async () => {
    await put({ ...entered, version: 0 });
    const late = await put({ ...entered, maxLps: 30, version: 0 });
    expect([late.statusCode, late.json().field, late.json().current]).toEqual([409, 'version', await get()]);
    expect((await put({ ...entered, maxLps: 30, version: 1 })).json()).toMatchObject({
      version: 2,
      maxLps: 30,
    });
  });

  it('is told in the farm’s history, in words', async () => {
    await put(entered);
    const changes = await world.get('GET /changes', { farmUID: world.farm.uid, deviceUID: world.farm.uid });
    expect(JSON.stringify(changes.json())).toContain('21:00–07:00 (night tariff)');
  });

  it('is refused with a flow of nothing and with a minute that no day has', async () => {
    expect((await put({ ...entered, maxLps: 0 })).statusCode).toBe(400);
    expect((await put({ ...entered, windows: [{ ...nights, fromMin: 1440 }] })).statusCode).toBe(400);
    expect((await put({ ...entered, avoid: Array.from({ length: 25 }, () => milking) })).statusCode).toBe(
      400,
    );
  });

  it('has mains with the groups on them: a group that is deleted leaves them, and who says nothing of them keeps them', async () => {
    const north = await buildGroup(server.database.db, world.farm.id, 'North', []);
    const south = await buildGroup(server.database.db, world.farm.id, 'South', []);
    const west = { name: 'West', maxLps: 12, groups: [north, south] };
    expect((await put({ ...entered, mains: [west] })).json().mains).toEqual([west]);
    const { mains: _mains, ...rest } = entered;
    expect((await put({ ...rest, notes: 'Ring the scheme.' })).json().mains).toEqual([west]);
    const changes = await world.get('GET /changes', { farmUID: world.farm.uid, deviceUID: world.farm.uid });
    expect(JSON.stringify(changes.json())).toContain('West: 12 L/s (North, South)');
    await server.database.db.deleteFrom('device_group').where('uid', '=', south).execute();
    expect((await get()).mains).toEqual([{ ...west, groups: [north] }]);
  });

  it('is refused with a group of another farm on a main, and with one twice', async () => {
    const other = await buildGroup(server.database.db, (await buildFarmWorld(server)).farm.id, 'North', []);
    const own = await buildGroup(server.database.db, world.farm.id, 'North', []);
    const west = (groups: string[]) => ({ ...entered, mains: [{ name: 'West', maxLps: 12, groups }] });
    for (const groups of [[other], [own, own]]) {
      const { statusCode, field } = await put(west(groups)).then((reply) => ({
        statusCode: reply.statusCode,
        field: reply.json().field,
      }));
      expect([statusCode, field]).toEqual([400, 'mains']);
    }
  });
});
