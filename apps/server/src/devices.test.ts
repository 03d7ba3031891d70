import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connectAsync, type MqttClient } from 'mqtt';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { readConfig } from './config.ts';
import type { AccountRow, DeviceRow, FarmRow } from './db/schema.ts';
import { createDevices, type Devices } from './devices.ts';
import { sendTime } from './features/device-connections/send-time.ts';
import { toZone } from './features/farm-clock/farm-zone.ts';
import { hasMosquitto, startMosquitto } from './mqtt/testing/mosquitto.ts';
import { KEY } from './mqtt/testing/transport-kit.ts';
import { buildAccount, buildFarm, buildGateway, buildTank } from './testing/factories.ts';
import { createTestServer, type TestServer } from './testing/test-server.ts';

/** A device's message on its whole way: real broker, real database, live page. Time is real here. */
let server: TestServer;
let devices: Devices;
let owner: AccountRow;
let farm: FarmRow;
let gateway: DeviceRow;
let tank: DeviceRow;
let clients: MqttClient[] = [];

beforeAll(async () => {
  let running: Devices | undefined;
  server = await createTestServer({
    now: () => new Date(),
    disconnectSender: (key) => running?.transport.disconnect(key),
    onDevicesChanged: (farmId) => running?.ingest.forget(farmId),
    publishDown: async (...message) => running?.transport.publish(...message),
  });
  devices = createDevices({
    config: readConfig({ MQTT_PORT: '0' }, [], '/'),
    db: server.database.db,
    pool: server.database.pool,
    log: pino({ level: 'silent' }),
    now: () => new Date(),
    notices: { tell: async () => {} },
    live: server.live,
  });
  devices.listen({
    onCommitted: () => {},
    onSettled: server.commands.settled,
    onHello: server.gatewayBack,
    onCodecSwitchedOff: server.codecSwitchedOff,
  });
  running = devices;
  await devices.start();
  await server.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await devices.stop();
  await server.close();
});
beforeEach(async () => {
  server.clock.now = new Date();
  const { db } = server.database;
  owner = await buildAccount(db);
  farm = await buildFarm(db, owner.id);
  gateway = await buildGateway(db, farm.id, 'right key');
  tank = await buildTank(db, farm.id);
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.endAsync(true)));
});

async function signIn(username: string, password: string, transport = devices): Promise<MqttClient> {
  const client = await connectAsync(`mqtt://127.0.0.1:${transport.mqttPort()}`, {
    username,
    password,
    protocolVersion: 4,
    reconnectPeriod: 0,
  });
  clients.push(client);
  return client;
}

const levelOf = (mac: string | null, levelMm: unknown, at: string = new Date().toISOString()) =>
  JSON.stringify({ items: [{ mac, at, values: { levelMm } }] });
const upOf = (device: DeviceRow, kind = 'sensor') => `headrace/v1/${device.mac}/up/${kind}`;

async function storedLevels(device: DeviceRow): Promise<(number | null)[]> {
  const rows = await server.database.db
    .selectFrom('reading')
    .innerJoin('series', 'series.id', 'reading.series_id')
    .where('series.device_id', '=', device.id)
    .select('reading.value')
    .orderBy('reading.at')
    .execute();
  return rows.map((row) => row.value);
}

async function deadLetters(): Promise<string[]> {
  const rows = await server.database.db
    .selectFrom('dead_letter')
    .select('reason')
    .where('farm_id', '=', farm.id)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.reason);
}

async function summaryOf(account: AccountRow) {
  const reply = await server.call('GET /lvl/suminfo', {
    headers: await server.signIn(account),
    query: { farmUID: farm.uid },
  });
  return reply.json<{ tanks: { name: string; level: { value: number | null; invalid: boolean } }[] }>().tanks;
}

async function openPage(account: AccountRow): Promise<string[]> {
  const token = (await server.signIn(account))['authorization'];
  const { port } = server.http.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, token);
  const heard: string[] = [];
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as { type: string; data: { uid: string } };
    heard.push(frame.type === 'status_update' ? frame.data.uid : frame.type);
  });
  await once(socket, 'open');
  await expect.poll(() => heard.at(-1)).toBe('notifications');
  heard.length = 0;
  return heard;
}

describe('a gateway', () => {
  it('is refused with a wrong key, and with the key of another gateway', async () => {
    await buildGateway(server.database.db, farm.id, 'other key');
    await expect(signIn(gateway.mac ?? '', 'wrong key')).rejects.toThrow(/refused/i);
    await expect(signIn(gateway.mac ?? '', 'other key')).rejects.toThrow(/refused/i);
  });

  it("is on the owner's open page once its reading is acknowledged, and on nobody else's", async () => {
    const page = await openPage(owner);
    const strangerPage = await openPage(await buildAccount(server.database.db));
    const client = await signIn(gateway.mac ?? '', 'right key');
    await client.publishAsync(upOf(gateway), levelOf(tank.mac, 1000), { qos: 1 });
    expect(await storedLevels(tank)).toEqual([1000]);
    await expect.poll(() => page).toEqual([tank.uid]);
    expect(strangerPage).toEqual([]);
    expect((await summaryOf(owner))[0]?.level).toEqual({ value: 60, valueInLitres: 18_000, invalid: false });
  });

  it("is acknowledged, dropped and counted on another's topic, and heard again on its own", async () => {
    const neighbour = await buildGateway(server.database.db, farm.id, 'neighbour key');
    const client = await signIn(gateway.mac ?? '', 'right key');
    const before = devices.transport.status().dropped['foreignTopic'] ?? 0;
    await client.publishAsync(upOf(neighbour), levelOf(tank.mac, 700), { qos: 1 });
    await client.publishAsync(upOf(gateway), levelOf(tank.mac, 800), { qos: 1 });
    expect(devices.transport.status().dropped['foreignTopic']).toBe(before + 1);
    expect(await storedLevels(tank)).toEqual([800]);
  });

  it("never writes another farm's device", async () => {
    const otherFarm = await buildFarm(server.database.db, (await buildAccount(server.database.db)).id);
    const theirs = await buildTank(server.database.db, otherFarm.id);
    const client = await signIn(gateway.mac ?? '', 'right key');
    await client.publishAsync(upOf(gateway), levelOf(theirs.mac, 900), { qos: 1 });
    expect(await storedLevels(theirs)).toEqual([]);
    expect(await deadLetters()).toEqual([expect.stringContaining('unknown device')]);
  });

  it('hears what is set on a sensor when it comes back, and its answer is on the open page', async () => {
    const headers = await server.signIn(owner);
    const config = { highSetpoint: 80, lowSetpoint: 40, relayControl: true, maxRunTime: 0 };
    const reply = await server.call('POST /sensor/configupdate', {
      headers,
      body: { deviceId: tank.uid, sensorType: tank.type, configType: 1, config },
    });
    const { configId } = reply.json<{ configId: string }>();
    const page = await openPage(owner);
    const client = await signIn(gateway.mac ?? '', 'right key');
    const heard: object[] = [];
    client.on('message', (topic, payload) => {
      if (topic.endsWith('/down/config')) heard.push(JSON.parse(payload.toString()) as object);
    });
    await client.subscribeAsync(`headrace/v1/${gateway.mac}/down/#`, { qos: 1 });
    const hello = { serialNumber: 'G', type: 0, bootId: 'one', at: new Date().toISOString() };
    await client.publishAsync(upOf(gateway, 'hello'), JSON.stringify(hello), { qos: 1 });
    await expect
      .poll(() => heard)
      .toMatchObject([{ configId, mac: tank.mac, configType: 'LegacyTlm_PumpControl', config }]);
    const ack = { cmdId: configId, at: new Date().toISOString(), state: 'done', mac: tank.mac };
    await client.publishAsync(upOf(gateway, 'ack'), JSON.stringify(ack), { qos: 1 });
    await expect.poll(() => page).toContain(tank.uid);
    const info = await server.call('GET /level/full-info', { headers, query: { sensorUid: tank.uid } });
    expect(info.json()).toMatchObject({
      configUpdate: [{ _id: configId, error: null, processedAt: ack.at }],
      configUpdatedAt: ack.at,
    });
  });

  it('loses its sessions when its key is changed', async () => {
    const client = await signIn(gateway.mac ?? '', 'right key');
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
    const reply = await server.call('POST /gateway/rotate-key', {
      headers: await server.signIn(owner),
      body: { deviceId: gateway.uid },
    });
    await closed;
    await expect(signIn(gateway.mac ?? '', 'right key')).rejects.toThrow(/refused/i);
    await signIn(gateway.mac ?? '', reply.json<{ password: string }>().password);
  });
});

describe('what can not be used', () => {
  it.each([
    ['malformed JSON', () => '{"items": [', /JSON/i],
    ['wrong types', () => levelOf(tank.mac, 'deep'), /levelMm/],
    ['a time in 1970', () => levelOf(tank.mac, 5, '1970-01-01T00:00:00.000Z'), /1970/],
    ['a time in 2100', () => levelOf(tank.mac, 5, '2100-01-01T00:00:00.000Z'), /2100/],
    ['an unknown device', () => levelOf('70B3D5FFFFFFFFFF', 5), /unknown device/],
  ])('is set aside with its reason: %s', async (_case, payload, reason) => {
    const client = await signIn(gateway.mac ?? '', 'right key');
    await client.publishAsync(upOf(gateway), payload(), { qos: 1 });
    await client.publishAsync(upOf(gateway), levelOf(tank.mac, 1200), { qos: 1 });
    expect(await deadLetters()).toEqual([expect.stringMatching(reason)]);
    expect(await storedLevels(tank)).toEqual([1200]);
  });

  it('is set aside without being read: 10 MB', async () => {
    const client = await signIn(gateway.mac ?? '', 'right key');
    await client.publishAsync(upOf(gateway), 'x'.repeat(10 * 1024 * 1024), { qos: 1 });
    await client.publishAsync(upOf(gateway), levelOf(tank.mac, 1200), { qos: 1 });
    const letters = await server.database.db
      .selectFrom('dead_letter')
      .selectAll()
      .where('farm_id', '=', farm.id)
      .execute();
    expect(letters).toMatchObject([{ bytes: 10 * 1024 * 1024, sender: `gateway ${gateway.mac}` }]);
    expect(letters[0]?.payload).toHaveLength(4096);
    expect(await storedLevels(tank)).toEqual([1200]);
  });

  it('is an invalid value where the sensor says null', async () => {
    const client = await signIn(gateway.mac ?? '', 'right key');
    await client.publishAsync(upOf(gateway), levelOf(tank.mac, null), { qos: 1 });
    expect(await deadLetters()).toEqual([]);
    expect((await summaryOf(owner))[0]?.level).toEqual({ value: null, valueInLitres: null, invalid: true });
  });
});

describe('a LoRaWAN sensor behind ChirpStack', () => {
  it('is set up by the API and on the page with its first uplink; its key speaks for this farm alone', async () => {
    const headers = await server.signIn(owner);
    const sensor = {
      name: 'Trough',
      serialNumber: 'LW-1',
      macAddress: '24e124136b502218',
      type: sensorTypes.LEVEL,
    };
    const mapping = [{ path: 'water_depth.value', metric: 'levelMm' }];
    const settings = { offset: 0, height: 5000, toplevel: 3000, volume: 10_000 };
    await server.call('POST /sensor', { headers, body: { farmUID: farm.uid, ...sensor, settings, mapping } });
    const key = (
      await server.call('POST /integration-key', { headers, body: { farmUID: farm.uid, name: 'ChirpStack' } })
    ).json<{
      id: string;
      userName: string;
      password: string;
    }>();
    const network = await signIn(key.userName, key.password);
    const uplink = (devEui: string) =>
      network.publishAsync(
        `application/17c82e96-be03-4f38-aef3-f83d48582d97/device/${devEui}/event/up`,
        JSON.stringify({
          time: new Date().toISOString(),
          deviceInfo: { devEui },
          fPort: 1,
          object: { device_id: 2009, water_depth: { displayName: 'Water depth', unit: 'mm', value: 1500 } },
        }),
        { qos: 1 },
      );
    await uplink('24e124136b502218');
    const trough = (await summaryOf(owner)).find((found) => found.name === 'Trough');
    expect(trough?.level).toEqual({ value: 50, valueInLitres: 5000, invalid: false });
    await network.publishAsync(upOf(gateway), levelOf(tank.mac, 100), { qos: 1 });
    expect(await storedLevels(tank)).toEqual([]);
    const closed = new Promise<void>((resolve) => network.once('close', () => resolve()));
    await server.call('DELETE /integration-key', { headers, query: { farmUID: farm.uid, keyUID: key.id } });
    await closed;
  });
});

describe.skipIf(!hasMosquitto)('a gateway behind an outside broker', () => {
  it('is told the time at its hello and when the clock changes, and after the broker was away the time of then', async () => {
    const mosquitto = await startMosquitto({ users: { headrace: KEY, [gateway.mac ?? '']: KEY } });
    let now = new Date('2027-09-25T13:59:00Z');
    const outside = createDevices({
      config: readConfig({ MQTT_URL: `mqtt://headrace:${KEY}@127.0.0.1:${mosquitto.serverPort}` }, [], '/'),
      db: server.database.db,
      pool: server.database.pool,
      log: pino({ level: 'silent' }),
      now: () => now,
      notices: { tell: async () => {} },
      live: server.live,
    });
    await outside.start();
    onTestFinished(() => outside.stop());
    outside.outside?.takeUplinks(true);
    await expect.poll(() => outside.transport.status().connected).toBe(true);
    const told: object[] = [];
    const comes = async (bootId: string) => {
      const client = await connectAsync(`mqtt://127.0.0.1:${mosquitto.port}`, {
        username: gateway.mac ?? '',
        password: KEY,
        clientId: gateway.mac ?? '',
        protocolVersion: 4,
        reconnectPeriod: 0,
      });
      clients.push(client);
      client.on('message', (_topic, payload) => told.push(JSON.parse(payload.toString()) as object));
      await client.subscribeAsync(`headrace/v1/${gateway.mac}/down/time`, { qos: 1 });
      const at = now.toISOString();
      const state = JSON.stringify({ online: true, at });
      await client.publishAsync(`headrace/v1/${gateway.mac}/state`, state, { qos: 1, retain: true });
      const hello = JSON.stringify({ serialNumber: 'G', type: 0, bootId, at });
      await client.publishAsync(upOf(gateway, 'hello'), hello, { qos: 1 });
    };
    await comes('one');
    await expect.poll(() => told).toEqual([{ utc: '2027-09-25T13:59:00.000Z', offsetSeconds: 43_200 }]);
    await expect.poll(() => toldOffset()).toBe(43_200);
    // Daylight saving begins.
    now = new Date('2027-09-25T14:00:10Z');
    await outside.clocks.job.run();
    await expect.poll(() => told.at(-1)).toEqual({ utc: '2027-09-25T14:00:10.000Z', offsetSeconds: 46_800 });

    await mosquitto.stop();
    await expect.poll(() => outside.transport.status().connected).toBe(false);
    const waits = sendTime(
      { db: server.database.db, publish: outside.transport.publish },
      { farmId: farm.id, deviceId: gateway.id, mac: gateway.mac ?? '', zone: toZone(farm) },
      () => now,
    );
    now = new Date('2027-09-25T15:30:00Z');
    await mosquitto.start();
    await comes('two');
    await waits;
    await expect.poll(() => told.slice(2).length).toBeGreaterThan(0);
    expect(new Set(told.slice(2).map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ utc: '2027-09-25T15:30:00.000Z', offsetSeconds: 46_800 })]),
    );
  });

  const toldOffset = async () => {
    const state = await server.database.db
      .selectFrom('gateway_state')
      .select('told_offset_s')
      .where('device_id', '=', gateway.id)
      .executeTakeFirst();
    return state?.told_offset_s;
  };
});

it('a clock of ours that is two hours behind is told to the operator and in /readyz, by a gateway and the database', async () => {
  const told: string[][] = [];
  const behind = createDevices({
    config: readConfig({ MQTT_PORT: '0' }, [], '/'),
    db: server.database.db,
    pool: server.database.pool,
    log: pino({ level: 'silent' }),
    now: () => new Date(Date.now() - 2 * 3_600_000),
    notices: { tell: async (subject, sentences) => void told.push([subject, ...sentences]) },
    live: server.live,
  });
  await behind.start();
  onTestFinished(() => behind.stop());
  expect(behind.readiness()).toMatchObject({ clock: 'ok' });
  const client = await signIn(gateway.mac ?? '', 'right key', behind);
  await client.publishAsync(upOf(gateway), levelOf(tank.mac, 1500), { qos: 1 });
  await behind.ownClock.check();
  const sentence =
    "this server's clock is about 2 h behind, say 1 gateways or network servers of 1 farms and the database: set it; what they send meanwhile is kept and taken then";
  expect(behind.readiness()).toMatchObject({ clock: sentence });
  expect(told).toEqual([["this server's clock is wrong", `${sentence}.`]]);
});
