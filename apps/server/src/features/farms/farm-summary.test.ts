import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FarmSummary } from '@headrace/contract/farms';
import { levels, presets } from '@headrace/contract/permissions';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { DeviceRow } from '../../db/schema.ts';
import { commandTypes } from '@headrace/contract/command-types';
import {
  buildAccount,
  buildDevice,
  buildGateway,
  buildQueuedCommand,
  buildShare,
  buildTank,
} from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { everyMinutes } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose nights begin at 13:00Z.
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  server.clock.now = new Date('2026-11-20T21:00:00Z');
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

async function summary(headers = world.headers): Promise<FarmSummary | undefined> {
  const reply = await server.call('GET /farms-summary', { headers });
  expect(reply.statusCode).toBe(200);
  return reply.json<{ farms: FarmSummary[] }>().farms.find(({ farmUID }) => farmUID === world.farm.uid);
}
/** 1 mm is 0.04 %, and raw mm are the depth. */
const settings = { offset: 0, height: 3000, toplevel: 2500, volume: 25_000 };
const addTank = (name: string, type: number = sensorTypes.LEVEL) =>
  buildTank(server.database.db, world.farm.id, { name, type, settings });
const addSensor = (name: string, type: number) =>
  buildDevice(server.database.db, world.farm.id, 'sensor', { name, type });

it('without devices is empty', async () => {
  expect(await summary()).toMatchObject({ standing: 'empty', attention: [], lastContact: null });
});

it('names what was never heard, and counts sprinklers', async () => {
  const { db } = server.database;
  const tank = await addTank('Yards');
  const gateway = await buildGateway(db, world.farm.id);
  for (const name of ['A1', 'A2', 'A3']) await buildDevice(db, world.farm.id, 'sprinkler', { name });
  const units = { tanks: 1, meters: 0, sites: 0, gateways: 1, repeaters: 0, sprinklers: 3 };
  const named = (device: 'gateway' | 'tank', { uid, name }: DeviceRow) => ({
    device,
    _id: uid,
    name,
    percent: null,
    isOld: false,
  });
  expect(await summary()).toEqual({
    farmUID: world.farm.uid,
    ...units,
    others: 0,
    known: units,
    standing: 'attention',
    attention: [
      {
        kind: 'neverContacted',
        count: 2,
        devices: [named('gateway', gateway), named('tank', tank)],
        sprinklers: 3,
      },
    ],
    lowestTank: null,
    flow: null,
    driestSite: null,
    lastContact: null,
  });
});

it('tells leaks behind meters, invalid values and weak pumps as the dashboard does, and the first figures', async () => {
  await world.record(await addTank('Willows'), [{ at: '2026-11-20T20:54:00Z', values: { levelMm: 420 } }]);
  const pumped = everyMinutes(15, '2026-11-20T18:50:00Z', 9, (index) => ({
    levelMm: 1500,
    relayControl: 1,
    relayState: index >= 2 ? 1 : 0,
  }));
  await world.record(await addTank('Bore', sensorTypes.TLM_V3), pumped);
  // 0.6 L/min through three nights; at noon on the farm 20 L/min.
  const flowing = everyMinutes(30, '2026-11-17T11:00:00Z', 165, (index) => ({
    flowLpm: index % 48 === 24 ? 20 : 0.6,
  }));
  await world.record(await addSensor('Main', sensorTypes.FLOW), flowing);
  await world.record(await addSensor('Odd', sensorTypes.FLOW), [
    { at: '2026-11-20T20:56:00Z', values: { flowLpm: null } },
  ]);
  await world.record(await addSensor('Dryland', sensorTypes.SOIL_MOISTURE), [
    { at: '2026-11-20T20:57:00Z', values: { swp1Kpa: 90, swp2Kpa: 60 } },
  ]);
  const told = await summary();
  expect(told?.attention.map(({ kind, devices }) => [kind, ...devices.map(({ name }) => name)])).toEqual([
    ['leak', 'Main'],
    ['lowLevel', 'Willows'],
    ['pumpLiftsLittle', 'Bore'],
    ['invalidValue', 'Odd'],
  ]);
  expect(told).toMatchObject({
    lowestTank: { name: 'Willows', at: '2026-11-20T20:54:00.000Z', percent: 16.8 },
    flow: { name: 'Main', litresPerSecond: 0.01 },
    driestSite: { name: 'Dryland', kpa: 75, at: '2026-11-20T20:57:00.000Z' },
    lastContact: '2026-11-20T21:00:00.000Z',
  });
});

it('shows no figure of a device that fell silent', async () => {
  await world.record(await addTank('Yards'), [{ at: '2026-11-20T17:59:59Z', values: { levelMm: 420 } }]);
  await world.record(await addSensor('North', sensorTypes.SOIL_MOISTURE), [
    { at: '2026-11-20T17:59:59Z', values: { swp1Kpa: 90 } },
  ]);
  const told = await summary();
  expect(told).toMatchObject({ lowestTank: null, driestSite: null });
  expect(told?.attention.map(({ kind }) => kind)).toEqual(['lowLevel', 'outOfContact']);
  expect(told?.attention[0]?.devices).toMatchObject([{ name: 'Yards', percent: 16.8, isOld: true }]);
});

it('says to who may read nothing on the farm how many devices there are, and no more', async () => {
  const { db } = server.database;
  await world.record(await addTank('Willows'), [{ at: '2026-11-20T20:54:00Z', values: { levelMm: 420 } }]);
  await buildGateway(db, world.farm.id);
  const guest = await buildAccount(db);
  await buildShare(db, world.farm.id, guest.id, { ...presets.none, farms: levels.Read });
  expect(await summary(await server.signIn(guest))).toMatchObject({
    tanks: 1,
    gateways: 1,
    known: { tanks: 0, gateways: 0 },
    standing: 'unknown',
    attention: [],
    lowestTank: null,
    lastContact: null,
  });
});

it('costs the database no more questions for more devices', async () => {
  const { pool } = server.database;
  const count = async () => {
    const original = pool.connect.bind(pool);
    let questions = 0;
    pool.connect = ((...args: Parameters<typeof original>) => {
      questions += 1;
      return original(...args);
    }) as typeof pool.connect;
    await summary();
    pool.connect = original;
    return questions;
  };
  const add = async (name: string) => {
    const [tank, meter] = [await addTank(name), await addSensor(name, sensorTypes.FLOW)];
    await world.record(tank, [{ at: '2026-11-20T20:00:00Z', values: { levelMm: 1000 } }]);
    await world.record(meter, [{ at: '2026-11-20T20:00:00Z', values: { flowLpm: 1 } }]);
  };
  await add('A');
  await summary();
  const few = await count();
  for (const name of ['B', 'C', 'D', 'E']) await add(name);
  expect(few).toBeGreaterThan(0);
  expect(await count()).toBe(few);
});

it('names the first few commands that ended badly, until this person has seen them', async () => {
  const { db } = server.database;
  const gateway = await buildGateway(db, world.farm.id);
  const uids: string[] = [];
  for (let n = 0; n < 7; n += 1) {
    const unit = await buildDevice(db, world.farm.id, 'sprinkler', { name: `P${n}` });
    const at = new Date(server.clock.now.getTime() - n * 60_000);
    uids.push(await buildQueuedCommand(db, gateway, at, { unit, type: commandTypes.Poll, state: 'failed' }));
  }
  const told = async () => (await summary())?.attention.find(({ kind }) => kind === 'failedCommand');
  expect((await told())?.count).toBe(7);
  expect((await told())?.commands?.map(({ _id }) => _id)).toEqual(uids.slice(0, 5));
  for (const commandId of uids)
    await server.call('POST /commands/seen', {
      headers: world.headers,
      body: { farmUID: world.farm.uid, commandId },
    });
  expect(await told()).toBeUndefined();
});
