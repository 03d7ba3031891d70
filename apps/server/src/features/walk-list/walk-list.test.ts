import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WalkList } from '@headrace/contract/walk-list';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

/** Ten in the morning on the farm. */
const NOW = '2026-11-20T21:00:00Z';
const DAY_MS = 86_400_000;

let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  server.clock.now = new Date(NOW);
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const ago = (days: number) => new Date(server.clock.now.getTime() - days * DAY_MS).toISOString();
const unit = (name: string, settings: object = {}) =>
  buildSprinkler(server.database.db, world.farm.id, { name, serial_number: `SN-${name}`, settings });
/** Charges of so many days, the last yesterday. */
const charged = (device: DeviceRow, charges: readonly number[]) =>
  world.record(
    device,
    charges.map((charge, index) => ({ at: ago(charges.length - index), values: { charge } })),
  );
const falling = (from: number, days = 20) => Array.from({ length: days }, (_, index) => from - index);

async function walk(): Promise<WalkList['stops']> {
  const reply = await world.get('GET /walk-list', { farmUID: world.farm.uid });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<WalkList>().stops;
}
const named = async () =>
  Object.fromEntries((await walk()).map(({ name, why }) => [name, why.map(({ kind }) => kind)]));

describe('the walk', () => {
  it('goes to batteries that are low or will be within a fortnight, and to none that last longer', async () => {
    await charged(await unit('low'), [49]);
    // 80 to 61 in 20 days: 60 today, 10 above the threshold.
    await charged(await unit('due'), falling(80));
    // 86 to 67: 66 today, 16 days.
    await charged(await unit('later'), falling(86));
    await charged(await unit('fine'), [90, 90]);
    expect(await named()).toEqual({ low: ['batteryLow'], due: ['batteryDue'] });
    expect((await walk()).find(({ name }) => name === 'due')).toMatchObject({
      charge: 61,
      why: [{ kind: 'batteryDue', since: null, due: { days: 10, confidence: 'good' } }],
    });
  });

  it('does not count days of the battery that was there before', async () => {
    const one = await unit('A');
    await charged(one, falling(80));
    expect(await named()).toEqual({ A: ['batteryDue'] });
    await world.send('POST /ipc/replace-battery', { ipcUID: one.uid });
    expect(await named()).toEqual({});
  });

  it('goes to units that are silent, since when they are, and to those that were never heard', async () => {
    await world.record(await unit('silent'), [{ at: ago(31), values: { charge: 90 } }]);
    await unit('never');
    const stops = await walk();
    expect(stops.map(({ name, why }) => [name, why])).toEqual([
      ['silent', [{ kind: 'outOfContact', since: Date.parse(ago(31)), due: null }]],
      ['never', [{ kind: 'outOfContact', since: null, due: null }]],
    ]);
  });

  it('names a low battery before the silence that may come of it', async () => {
    await world.record(await unit('A'), [{ at: ago(31), values: { charge: 20 } }]);
    expect(await named()).toEqual({ A: ['batteryLow', 'outOfContact'] });
  });

  it('leaves out who is spare or out of service', async () => {
    await charged(await unit('spare', { isSpareUnit: true }), [10]);
    await charged(await unit('out', { outOfService: true }), [10]);
    expect(await named()).toEqual({});
  });

  it('goes to repeaters too', async () => {
    const repeater = await buildDevice(server.database.db, world.farm.id, 'repeater', {
      name: 'R1',
      serial_number: 'RPT-1',
      lat: -43.5,
      lng: 172.1,
    });
    await charged(repeater, [30]);
    expect(await walk()).toEqual([
      {
        id: repeater.uid,
        device: 'repeater',
        name: 'R1',
        serialNumber: 'RPT-1',
        groups: [],
        location: { lat: -43.5, lng: 172.1 },
        why: [{ kind: 'batteryLow', since: null, due: null }],
        charge: 30,
        chargeAt: Date.parse(ago(1)),
      },
    ]);
  });
});

describe('a replacement that is recorded later', () => {
  it('counts from when it was done: what was said since is the new battery’s', async () => {
    const one = await unit('A');
    await world.record(one, [
      { at: ago(3), values: { charge: 20 } },
      { at: ago(1), values: { charge: 95 } },
    ]);
    const reply = await world.send('POST /ipc/replace-battery', { ipcUID: one.uid, at: ago(2) });
    expect(reply.statusCode, reply.body).toBe(200);
    const life = await world.get('GET /ipc/batterylife', { deviceId: one.uid, period: '7' });
    expect(life.json()).toMatchObject({ changes: [{ at: ago(2), how: 'battery' }] });
    const info = await world.get('GET /ipc/fullinfo', { deviceId: one.uid });
    expect(info.json()).toMatchObject({ charge: 95, battery: { replacedAt: Date.parse(ago(2)) } });
  });

  it('of a phone whose clock is ahead was done now', async () => {
    const one = await unit('A');
    await world.send('POST /ipc/replace-battery', { ipcUID: one.uid, at: ago(-1) });
    const info = await world.get('GET /ipc/fullinfo', { deviceId: one.uid });
    expect(info.json()).toMatchObject({ battery: { replacedAt: Date.parse(NOW) } });
  });

  it('takes nothing back from one that was recorded for later', async () => {
    const one = await unit('A');
    await world.send('POST /ipc/replace-battery', { ipcUID: one.uid });
    await world.send('POST /ipc/replace-battery', { ipcUID: one.uid, at: ago(1) });
    const info = await world.get('GET /ipc/fullinfo', { deviceId: one.uid });
    expect(info.json()).toMatchObject({ battery: { replacedAt: Date.parse(NOW) } });
  });

  it('is refused when it is too long ago', async () => {
    const one = await unit('A');
    const reply = await world.send('POST /ipc/replace-battery', { ipcUID: one.uid, at: ago(15) });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      { field: 'at', errorMessage: 'at: must be at most 14 days ago.' },
    ]);
  });
});
