import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { SearchResult } from '@headrace/contract/irrigation-devices';
import { presets } from '@headrace/contract/permissions';
import { type DeviceKit, deviceKit } from '../../testing/device-kit.ts';
import { buildAccount, buildDevice, buildFarm, buildShare } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler, buildWanted } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let kit: DeviceKit;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
  kit = deviceKit(server);
});
beforeEach(async () => {
  world = await buildFarmWorld(server, { name: 'Home' });
});
afterAll(() => server.close());

const db = () => server.database.db;
const search = async (value: string, headers = world.headers): Promise<SearchResult[]> =>
  (await server.call('GET /ipc/search', { headers, query: { value } })).json<{ results: SearchResult[] }>()
    .results;
const names = async (value: string, headers = world.headers) =>
  (await search(value, headers)).map(({ name }) => name);
const build = (kind: Parameters<typeof buildDevice>[2], values: Parameters<typeof buildDevice>[3]) =>
  buildDevice(db(), world.farm.id, kind, values);

it('finds names, serial numbers and MACs of all kinds on all farms, those that begin so first', async () => {
  const second = await buildFarm(db(), world.owner.id, { name: 'Second' });
  await build('sprinkler', { name: 'XA77', serial_number: 'P-1' });
  await build('gateway', { name: 'A77', serial_number: 'P-2' });
  await build('repeater', { name: 'R1', serial_number: 'a77-3' });
  await build('poi', { name: 'Pump a77', serial_number: '' });
  await buildDevice(db(), second.id, 'sensor', { name: 'T1', mac: 'A77A77A77A77A77A' });
  await build('sensor', { name: 'Other', serial_number: 'P-9' });
  expect(await names('a77')).toEqual(['A77', 'R1', 'T1', 'Pump a77', 'XA77']);
  expect(await names('A7:7A')).toEqual(['T1']);
  expect((await search('T1'))[0]).toEqual({
    id: expect.any(String) as string,
    serial: expect.any(String) as string,
    name: 'T1',
    farm: 'Second',
    farmUID: second.uid,
    groups: [],
    outOfService: false,
    outOfComm: true,
    inhibited: false,
    error: false,
    isActive: false,
    kind: 'sensor',
  });
});

it('finds nothing on farms of strangers, of kinds that are not shared, and of what was deleted', async () => {
  const stranger = await buildFarmWorld(server);
  await buildDevice(db(), stranger.farm.id, 'sensor', { name: 'QQ secret' });
  await build('sensor', { name: 'QQ tank' });
  await build('sprinkler', { name: 'QQ1' });
  const gone = await build('sensor', { name: 'QQ gone' });
  await server.call('DELETE /sensor', { headers: world.headers, query: { deviceId: gone.uid } });
  expect(await names('qq')).toEqual(['QQ tank', 'QQ1']);
  const helper = await buildAccount(db(), { type: 'AGENT' });
  await buildShare(db(), world.farm.id, helper.id, { ...presets.guest, sensors: 0 });
  expect(await names('qq', await server.signIn(helper))).toEqual(['QQ1']);
  const nobody = await buildAccount(db(), { type: 'AGENT' });
  await buildShare(db(), world.farm.id, nobody.id, presets.none);
  expect(await names('qq', await server.signIn(nobody))).toEqual([]);
});

it('takes wildcards as what they are, wants two characters, and gives twenty at most', async () => {
  for (let index = 0; index < 22; index += 1) await build('sensor', { name: `ZZ ${10 + index}` });
  await build('sensor', { name: '100%_full' });
  await build('sensor', { name: String.raw`a\b` });
  expect(await names('zz')).toHaveLength(20);
  expect(await names('%_')).toEqual(['100%_full']);
  expect(await names('%%')).toEqual([]);
  expect(await names('__')).toEqual([]);
  expect(await names(String.raw`\b`)).toEqual([String.raw`a\b`]);
  expect(await names('  z ')).toEqual([]);
  const one = await server.call('GET /ipc/search', { headers: world.headers, query: { value: 'z' } });
  expect(one.statusCode).toBe(400);
});

it('says how a sprinkler is by what it last said', async () => {
  const at = '2026-11-20T20:00:00Z';
  const unit = async (name: string, values: Record<string, number>, ipcCrc?: string) => {
    const device = await buildSprinkler(db(), world.farm.id, { name });
    await world.record(device, [{ at, values }]);
    if (ipcCrc) await kit.say(device, 'ipcCrc', ipcCrc, at);
    return device;
  };
  const fine = await unit('UU1', { charge: 50, clock: 60, valve: 1 });
  await unit('UU2', { charge: 49 });
  await unit('UU3', { charge: 90, clock: -61 });
  await unit('UU4', { charge: 90 }, 'D6:DA');
  const other = await unit('UU5', { charge: 90 }, '00:01');
  await buildSprinkler(db(), world.farm.id, { name: 'UU6', settings: { outOfService: true } });
  await buildGroup(db(), world.farm.id, 'East', [fine]);
  await buildWanted(db(), world.farm.id, [other], [{ start: 60, duration: 30, cycle: 1 }]);
  const states = (await search('UU')).map((one) => [
    one.name,
    one.outOfService && 'out of service',
    one.outOfComm && 'silent',
    one.inhibited && 'inhibited',
    one.error && 'error',
    one.isActive && 'active',
    ...one.groups,
  ]);
  expect(states.map((state) => state.filter(Boolean))).toEqual([
    ['UU1', 'active', 'East'],
    ['UU2', 'error'],
    ['UU3', 'error'],
    ['UU4', 'inhibited'],
    ['UU5', 'error'],
    ['UU6', 'out of service', 'silent'],
  ]);
});

it('says that a sprinkler waters by its schedule and by its own word, newer word first', async () => {
  const { now } = server.clock;
  // 10:00 on 21 November in New Zealand's summer time: the watering goes from 09:30 to 10:30.
  server.clock.now = new Date('2026-11-20T21:00:00Z');
  const unit = async (name: string, at: string, values: Record<string, number>) => {
    const device = await buildSprinkler(db(), world.farm.id, { name });
    await world.record(device, [{ at, values: { charge: 90, cycleDay: 1, cycleLen: 1, ...values } }]);
    return device;
  };
  const scheduled = [
    await unit('VV1', '2026-11-20T20:00:00Z', { valve: 0 }),
    await unit('VV2', '2026-11-20T20:45:00Z', { valve: 0 }),
  ];
  await unit('VV3', '2026-11-20T20:00:00Z', { valve: 1 });
  // An open valve that was told of more than a day ago: time alone doesn't close it.
  await unit('VV4', '2026-11-19T20:00:00Z', { valve: 1 });
  await unit('VV5', '2026-11-20T20:00:00Z', { valve: 0 });
  await buildWanted(db(), world.farm.id, scheduled, [{ start: 570, duration: 60, cycle: 1 }]);
  const active = (await search('VV')).filter(({ isActive }) => isActive).map(({ name }) => name);
  server.clock.now = now;
  // VV2 said that it was closed after the watering had begun.
  expect(active).toEqual(['VV1', 'VV3', 'VV4']);
});
