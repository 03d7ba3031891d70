import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceRow } from '../db/schema.ts';
import { buildTank } from '../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
let tank: DeviceRow;
beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  tank = await buildTank(server.database.db, world.farm.id);
  await world.record(tank, [{ at: '2026-11-20T20:50:00Z', values: { levelMm: 1000, batteryV: 3.9 } }]);
});
afterAll(() => server.close());

describe('a call that its address says all of', () => {
  it.each([
    ['level', () => world.get('GET /lvl/history', { sensorUid: tank.uid, days: '30' })],
    ['battery', () => world.get('GET /tank/battery', { sensorUid: tank.uid, days: '365' })],
    ['flow', () => world.get('GET /flow/history', { serial: tank.serial_number, days: '1' })],
    [
      'any metric',
      () =>
        world.get('GET /series', {
          deviceId: tank.uid,
          metric: 'batteryV',
          startDate: '20-11-2026',
          endDate: '21-11-2026',
        }),
    ],
  ])('asks the database twice: who may see it, and for the chart of %s', async (_, ask) => {
    let asked = 0;
    const counter = () => (asked += 1);
    server.database.pool.on('acquire', counter);
    const reply = await ask();
    server.database.pool.off('acquire', counter);
    expect(reply.statusCode).toBe(200);
    expect(asked).toBe(2);
  });

  const nonsense = (headers: Record<string, string>) =>
    server.call('GET /lvl/history', { headers, query: { sensorUid: tank.uid, days: 'many' } });

  it('tells strangers that they are strangers, and only those it knows what is wrong with it', async () => {
    expect((await nonsense({})).statusCode).toBe(401);
    expect((await nonsense({ authorization: 'nobody' })).statusCode).toBe(401);
    expect((await nonsense(world.headers)).json()).toMatchObject({ code: 'invalid', field: 'days' });
  });
});
