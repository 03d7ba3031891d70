import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { DeviceRow } from '../../db/schema.ts';
import { newMac } from '../../testing/device-kit.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
let a2: DeviceRow;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  a2 = await unit({ name: 'A2', serial_number: 'IPC90001' });
});
afterAll(() => server.close());

const unit = (values: Parameters<typeof buildSprinkler>[2]) =>
  buildSprinkler(server.database.db, world.farm.id, values);
const entry = (values: object) => ({ name: 'B1', serialNumber: 'IPC90001', macAddress: newMac(), ...values });
const add = (values: object = {}, of: FarmWorld = world) =>
  of.send('POST /ipc', { farmUID: of.farm.uid, ...entry(values) });
const change = (device: DeviceRow, values: object = {}) =>
  world.send('PUT /ipc', { id: device.uid, ...entry({ macAddress: device.mac, ...values }) });
const remove = ({ uid }: DeviceRow) =>
  server.call('DELETE /ipc', { headers: world.headers, query: { deviceId: uid } });
const state = (call: string, { uid }: DeviceRow, status?: boolean) =>
  world.send(call, { deviceId: uid, ...(status !== undefined && { status }) });
const sensor = (values: object = {}) =>
  world.send('POST /sensor', { farmUID: world.farm.uid, ...entry(values), type: sensorTypes.LEVEL_MM });

const taken = {
  code: 'conflict',
  field: 'serialNumber',
  errorMessage:
    'Serial number IPC90001 is in use on this farm as the sprinkler A2. Please check the number, or delete A2 first.',
};
const poi = () => buildDevice(server.database.db, world.farm.id, 'poi', { serial_number: '' });
const others: [string, () => ReturnType<typeof add>][] = [
  ['a new sprinkler', () => add()],
  ['a sprinkler that is changed', async () => change(await unit({ name: 'B1' }))],
  [
    'a new repeater',
    () => world.send('POST /repeater', { farmUID: world.farm.uid, ...entry({ name: 'R1' }) }),
  ],
  [
    'a point that is to become a sprinkler',
    async () => world.send('POST /poi/convert', { poiUID: (await poi()).uid, ...entry({}) }),
  ],
];

describe('a serial number is one unit of a farm', () => {
  it.each(others)('and refused for %s, saying who has it', async (_what, call) => {
    const reply = await call();
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject(taken);
  });

  it.each(['ipc90001', ' IPC90001 ', 'IPC 90001', 'Ipc 9 0001'])('also written as %j', async (serial) => {
    const reply = await add({ serialNumber: serial });
    expect(reply.json()).toMatchObject({ code: 'conflict', field: 'serialNumber' });
  });

  it('but stays its own when that unit itself is saved, in whatever writing', async () => {
    expect((await change(a2, { name: 'A2', serialNumber: 'ipc 90001' })).statusCode).toBe(200);
  });

  it('and is free again once that unit is deleted', async () => {
    expect((await remove(a2)).statusCode).toBe(200);
    expect((await add()).statusCode).toBe(200);
  });

  it('and stays with a spare, which says so', async () => {
    await state('PUT /ipc/flag-as-spare', a2, true);
    const reply = await add();
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({
      field: 'serialNumber',
      errorMessage:
        'Serial number IPC90001 is a spare on this farm: A2. Please take that spare into service, or delete it first.',
    });
  });

  it('and left to others by a place without its unit, which then can not have it back', async () => {
    expect((await state('PUT /placeholder/convert-to-placeholder', a2)).statusCode).toBe(200);
    expect((await add()).statusCode).toBe(200);
    const back = await state('PUT /placeholder/return-to-service', a2);
    expect(back.statusCode).toBe(409);
    expect(back.json()).toMatchObject({
      field: 'serialNumber',
      errorMessage:
        'Serial number IPC90001 is in use on this farm as the sprinkler B1. Please check the number, or delete B1 first.',
    });
  });

  it('on other farms it says nothing, and of sensors and gateways only for their own kind', async () => {
    expect((await add({}, await buildFarmWorld(server))).statusCode).toBe(200);
    expect((await sensor()).statusCode).toBe(201);
    const again = await sensor({ name: 'Top tank' });
    expect(again.statusCode).toBe(409);
    expect(again.json()).toMatchObject({
      field: 'serialNumber',
      errorMessage:
        'Serial number IPC90001 is in use on this farm as the sensor B1. Please check the number, or delete B1 first.',
    });
  });

  it('for one of two who ask at once', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        Promise.all([add({ serialNumber: `NEW${n}` }), add({ serialNumber: `new${n}` })]),
      ),
    );
    for (const pair of pairs)
      expect(pair.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

it.each(['000000000000', 'FF:FF:FF:FF:FF:FF', '0000000000000000', 'ffffffffffffffff'])(
  'the MAC %s is no device: it is refused by name',
  async (macAddress) => {
    const said = {
      code: 'invalid',
      field: 'macAddress',
      errorMessage:
        "MAC address can't be zeros alone or Fs alone: that is no device's. Please enter the one on its label.",
    };
    for (const reply of [await add({ serialNumber: 'X1', macAddress }), await change(a2, { macAddress })]) {
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject(said);
    }
  },
);
