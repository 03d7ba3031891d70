import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { TankInfo } from '@headrace/contract/tanks';
import type { DeviceRow } from '../../db/schema.ts';
import { buildTank } from '../../testing/factories.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import { eventually, pause } from '../commands/testing/eventually.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

let kit: CommandsKit;
let driver: FarmDriver;
let tank: DeviceRow;
const pump = { highSetpoint: 80, lowSetpoint: 40, relayControl: true, maxRunTime: 120 };

beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(async () => {
  await kit.close();
  expect(kit.problems).toEqual([]);
});
beforeEach(async () => {
  driver = await kit.farm();
  tank = await buildTank(kit.server.database.db, driver.farm.id, { name: 'House', type: sensorTypes.TLM_V3 });
});

const send = (body: object = {}) =>
  kit.server.call('POST /sensor/configupdate', {
    headers: driver.headers,
    body: { deviceId: tank.uid, sensorType: tank.type, configType: 111, config: pump, ...body },
  });
const sent = async (body: object = {}) => {
  const reply = await send(body);
  expect(reply.statusCode).toBe(200);
  return reply.json<{ configId: string }>().configId;
};
const withdraw = (configId: string) =>
  kit.server.call('DELETE /sensor/configupdate', {
    headers: driver.headers,
    query: { deviceId: tank.uid, configId },
  });
const info = async () =>
  (
    await kit.server.call('GET /level/full-info', { headers: driver.headers, query: { sensorUid: tank.uid } })
  ).json<TankInfo>();
const updates = async () => (await info()).configUpdate;
const configs = () => driver.messages('config').map(({ body }) => body);
const setOnline = (online: boolean) =>
  kit.server.database.db
    .updateTable('gateway_state')
    .set({ online })
    .where('farm_id', '=', driver.farm.id)
    .execute();

describe('what is set on a sensor by radio', () => {
  it('is pending until the device says that it has done it', async () => {
    const configId = await sent();
    const message = await eventually(() => configs()[0]);
    expect(message).toEqual({
      configId,
      mac: tank.mac,
      configType: 'D100_PumpControl',
      config: pump,
      // A day.
      expiresAt: new Date(kit.clock.now.getTime() + 86_400_000).toISOString(),
    });
    expect(await updates()).toMatchObject([
      { _id: configId, type: 111, config: pump, processedAt: null, error: null },
    ]);
    kit.pass(2);
    await driver.answers(configId, 'accepted', { mac: tank.mac ?? '' });
    expect((await updates())[0]?.processedAt).toBeNull();
    await driver.answers(configId, 'done', { mac: tank.mac ?? '' });
    const found = await info();
    expect(found.configUpdate[0]?.processedAt).toBe(kit.clock.now.toISOString());
    expect(found.configUpdatedAt).toBe(kit.clock.now.toISOString());
  });

  it('that failed says why, and may turn out to be done after all', async () => {
    const configId = await sent();
    await eventually(() => configs()[0]);
    await driver.answers(configId, 'failed', { error: 'no answer from the unit after 3 attempts' });
    expect(await updates()).toMatchObject([
      { processedAt: null, error: 'no answer from the unit after 3 attempts' },
    ]);
    await driver.answers(configId, 'done');
    expect((await updates())[0]).toMatchObject({ processedAt: kit.clock.now.toISOString(), error: null });
  });

  it('ends after a day, and is never sent late', async () => {
    await setOnline(false);
    await sent();
    kit.pass(24 * 60);
    driver.headers = await kit.server.signIn(driver.owner);
    await driver.hello();
    await kit.server.runJob('settings of sensors');
    await pause();
    expect(configs()).toEqual([]);
    expect((await updates())[0]?.error).toBe(
      'The device did not answer within a day. Please send it again when it is in contact.',
    );
  });

  it('is sent again to a gateway that comes back, until it has answered', async () => {
    const configId = await sent();
    await eventually(() => configs().length === 1);
    await driver.hello();
    await eventually(() => configs().length === 2);
    await driver.answers(configId, 'done');
    await driver.hello();
    await pause();
    expect(configs().map((body) => body['configId'])).toEqual([configId, configId]);
  });

  it('is sent when the broker takes messages again', async () => {
    kit.broker.take = () => Promise.reject(new Error('the broker is away'));
    await sent();
    await eventually(() => kit.problems.splice(0).length > 0);
    kit.broker.take = async () => {};
    await kit.server.runJob('settings of sensors');
    await eventually(() => configs().length === 1);
  });

  it('takes the place of what was not sent yet, and stops what was', async () => {
    await setOnline(false);
    await sent();
    const second = await sent({ config: { ...pump, lowSetpoint: 30 } });
    const reset = await sent({ configType: 112, config: {} });
    expect((await updates()).map(({ _id }) => _id).toSorted()).toEqual([second, reset].toSorted());
    await driver.hello();
    await eventually(() => configs().length === 2);
    const third = await sent({ config: { ...pump, lowSetpoint: 20 } });
    await eventually(() => configs().length === 3);
    expect((await updates()).find(({ _id }) => _id === second)?.error).toBe('Replaced by a newer one.');
    await driver.hello();
    await eventually(() => configs().length === 5);
    expect(
      new Set(
        configs()
          .slice(3)
          .map((body) => body['configId']),
      ),
    ).toEqual(new Set([reset, third]));
  });

  it('can be withdrawn before it was sent, and not after', async () => {
    await setOnline(false);
    expect((await withdraw(await sent())).statusCode).toBe(200);
    expect(await updates()).toEqual([]);
    await setOnline(true);
    const configId = await sent();
    await eventually(() => configs()[0]);
    const reply = await withdraw(configId);
    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({
      errorMessage:
        'It is on its way to the device and can not be called back. Please send other values instead.',
    });
    await driver.answers(configId, 'failed', { error: 'no pump' });
    expect((await withdraw(configId)).statusCode).toBe(200);
    expect(await updates()).toEqual([]);
    expect((await withdraw(configId)).statusCode).toBe(404);
  });

  it('renews open pages when it is made and when it is answered', async () => {
    const before = kit.events.length;
    await sent();
    expect(kit.events.slice(before).map(({ frame }) => frame)).toMatchObject([
      { type: 'status_update', data: { type: 'tank_level', uid: tank.uid } },
    ]);
  });
});

describe('what can not be set', () => {
  it.each([
    [{ config: { ...pump, lowSetpoint: 80 } }, 'config.lowSetpoint'],
    [{ config: { ...pump, lowSetpoint: -1 } }, 'config.lowSetpoint'],
    [{ config: { ...pump, highSetpoint: 101 } }, 'config.highSetpoint'],
    [{ config: { ...pump, maxRunTime: 1441 } }, 'config.maxRunTime'],
    [{ config: { ...pump, maxRunTime: 1.5 } }, 'config.maxRunTime'],
    [{ config: {} }, 'config'],
    [{ configType: 112 }, 'config'],
    [{ configType: 1 }, 'configType'],
    [{ sensorType: 6 }, 'sensorType'],
  ])('is refused by field: %j', async (body, field) => {
    const reply = await send(body);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field });
    await pause();
    expect(configs()).toEqual([]);
  });

  it('keeps the longest that is accepted, and a legacy tank its own type', async () => {
    await sent({ config: { ...pump, maxRunTime: 1440, lowSetpoint: 0, highSetpoint: 100 } });
    const legacy = await buildTank(kit.server.database.db, driver.farm.id, { type: sensorTypes.LEVEL });
    const body = { deviceId: legacy.uid, sensorType: legacy.type };
    expect((await send(body)).statusCode).toBe(400);
    await sent({ ...body, configType: 1 });
    await eventually(() => configs().some((message) => message['configType'] === 'LegacyTlm_PumpControl'));
  });

  it('says so for a sensor that no gateway of ours speaks for', async () => {
    const mapping = JSON.stringify([{ path: 'water.depth', metric: 'levelMm' }]);
    const network = await buildTank(kit.server.database.db, driver.farm.id, { name: 'Far', mapping });
    const reply = await send({ deviceId: network.uid, sensorType: network.type, configType: 1 });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({
      field: 'deviceId',
      errorMessage:
        "Far is heard through a LoRaWAN network server: it can't be set by radio from here. Please set it in the network server.",
    });
  });

  it('says so where the farm has several gateways and none is named', async () => {
    driver = await kit.farm({ gateways: 2 });
    tank = await buildTank(kit.server.database.db, driver.farm.id, { type: sensorTypes.TLM_V3 });
    expect((await send()).statusCode).toBe(400);
    await kit.server.database.db
      .updateTable('device')
      .set({ gateway_id: driver.gateways[1]?.id ?? 0 })
      .where('id', '=', tank.id)
      .where('farm_id', '=', driver.farm.id)
      .execute();
    await sent();
    const message = await eventually(() => driver.messages('config')[0]);
    expect(message.topic).toBe(`headrace/v1/${driver.gateways[1]?.mac}/down/config`);
  });
});
