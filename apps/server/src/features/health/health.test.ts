import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { HealthHistory, SprinklerComms, SprinklerHealth } from '@headrace/contract/health';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { deviceKit } from '../../testing/device-kit.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler, buildWanted } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

/** New Zealand's summer time: midnight is at 11:00 UTC. */
const MIDNIGHT = '2026-11-20T11:02:00Z';

let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  server.clock.now = new Date(MIDNIGHT);
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const well = { charge: 90, clock: 0, hops: 2, valve: 0 };
async function heard(
  name: string,
  over: Record<string, number> = {},
  { days = 0.5, settings = {} }: { days?: number; settings?: object } = {},
): Promise<DeviceRow> {
  const unit = await buildSprinkler(server.database.db, world.farm.id, {
    name,
    serial_number: `SN-${name}`,
    settings,
  });
  await say(unit, over, days);
  return unit;
}
const say = (unit: DeviceRow, over: Record<string, number>, days = 0.5) =>
  world.record(unit, [
    {
      at: new Date(server.clock.now.getTime() - days * 86_400_000).toISOString(),
      values: { ...well, ...over },
    },
  ]);

/** What its schedule's checksum is, as it said with its readings. */
const holds = (unit: DeviceRow, crc: string) =>
  deviceKit(server).say(unit, 'ipcCrc', crc, new Date(server.clock.now.getTime() - 43_200_000).toISOString());

/** The housekeeping of a beat. */
async function beat(at?: string): Promise<void> {
  if (at) server.clock.now = new Date(at);
  await server.runJob('sprinkler health');
}
const ask = async <T>(key: string, query: object = {}): Promise<T> => {
  // Days have passed since the last sign-in.
  const headers = await server.signIn(world.owner);
  const reply = await server.call(key, { headers, query: { farmUID: world.farm.uid, ...query } });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
};
const history = async (hstType: number, start = '2026-11-18', stop = '2026-11-24') =>
  (await ask<HealthHistory>('GET /fmhealth/historybytype', { hstType: String(hstType), start, stop })).data;
const named = ({ uid, name, serial_number }: DeviceRow) => ({ id: uid, name, serialNumber: serial_number });

describe('health', () => {
  it('is the share of units in service and in contact that are free of an error', async () => {
    await heard('A');
    await heard('B', { charge: 49 });
    await heard('C', { clock: 61, charge: 10 });
    await heard('silent', { charge: 10 }, { days: 31 });
    await heard('spare', { charge: 10 }, { settings: { isSpareUnit: true } });
    expect(await ask<SprinklerHealth>('GET /fmhealth/health')).toEqual({
      minClock: null,
      maxClock: null,
      curClock: 66.6,
      minBattery: null,
      maxBattery: null,
      curBattery: 33.3,
      minSchedule: null,
      maxSchedule: null,
      curSchedule: 100,
      inContact: 3,
      total: 4,
      days: 0,
      since: null,
    });
  });

  it('has the lowest and highest of the days that are known, and says since when', async () => {
    const unit = await heard('A');
    const other = await heard('B');
    await beat();
    await say(unit, { charge: 40 }, 0.1);
    await beat('2026-11-21T11:02:00Z');
    // Of the third day both clocks are an hour off, and the lowest of each is that of its own worst day.
    await say(unit, { clock: 61 }, 0.1);
    await say(other, { clock: 61 }, 0.1);
    await beat('2026-11-22T11:02:00Z');
    await say(unit, {}, 0);
    expect(await ask<SprinklerHealth>('GET /fmhealth/health')).toMatchObject({
      minBattery: 50,
      maxBattery: 100,
      curBattery: 100,
      minClock: 0,
      maxClock: 100,
      curClock: 50,
      minSchedule: 100,
      maxSchedule: 100,
      days: 3,
      since: '2026-11-20',
    });
  });

  it('of a farm that was never heard is not known, now and on its days', async () => {
    await buildSprinkler(server.database.db, world.farm.id);
    await beat();
    expect(await ask<SprinklerHealth>('GET /fmhealth/health')).toMatchObject({
      minClock: null,
      curClock: null,
      inContact: 0,
      total: 1,
      days: 1,
    });
  });
});

describe('comms', () => {
  it('count each unit in service once, and name the silent ones, the longest silence first', async () => {
    await heard('day');
    await heard('week', {}, { days: 7 });
    await heard('more', {}, { days: 8 });
    await heard('month', {}, { days: 30 });
    await heard('gone', {}, { days: 31 });
    await buildSprinkler(server.database.db, world.farm.id, { name: 'never', serial_number: 'SN-never' });
    await heard('out', {}, { settings: { outOfService: true } });
    const comms = await ask<SprinklerComms>('GET /fmhealth/comms');
    expect(comms).toMatchObject({ regular: 2, occasional: 2, outOfContact: 2, total: 6 });
    const names = Object.entries(comms.units).map(([list, units]) => [list, units.map(({ name }) => name)]);
    expect(Object.fromEntries(names)).toEqual({
      outOfContact: ['never', 'gone'],
      occasional: ['month', 'more'],
      outOfService: ['out'],
    });
    expect(
      comms.units.outOfContact.map(({ serialNumber, statusTime }) => [serialNumber, statusTime]),
    ).toEqual([
      ['SN-never', null],
      ['SN-gone', '2026-10-20T11:02:00.000Z'],
    ]);
  });
});

describe('a silence of several', () => {
  it('is put down to the repeater near them that fell silent with them', async () => {
    const { db } = server.database;
    const at = { lat: -43.5, lng: 172.1 };
    const repeater = await buildDevice(db, world.farm.id, 'repeater', { name: 'R3', ...at });
    await world.record(repeater, [{ at: '2026-11-15T11:02:00Z', values: { charge: 80 } }]);
    for (const name of ['A', 'B', 'C']) {
      const unit = await buildSprinkler(db, world.farm.id, { name, serial_number: `SN-${name}`, ...at });
      await say(unit, {}, 5);
    }
    await heard('elsewhere', {}, { days: 3 });
    await heard('fine');
    expect(await ask<SprinklerComms>('GET /fmhealth/comms')).toMatchObject({
      silent: 4,
      cause: {
        kind: 'repeater',
        id: repeater.uid,
        name: 'R3',
        heardAt: '2026-11-15T11:02:00.000Z',
        units: 3,
      },
    });
  });
});

describe('the days', () => {
  it('are kept at the end of each, once, and count who was of a kind from when until when', async () => {
    const low = await heard('low', { charge: 40 });
    await heard('fine');
    await beat();
    await beat('2026-11-20T11:07:00Z');
    await say(low, {}, 0);
    // The day between has no snapshot: nothing is said of it.
    await beat('2026-11-22T11:01:00Z');
    expect(await history(3)).toEqual([
      { date: '2026-11-20', value: 1, inContact: 2, units: [named(low)] },
      { date: '2026-11-22', value: 0, inContact: 2, units: [] },
    ]);
    expect((await history(8)).map(({ value }) => value)).toEqual([2, 2]);
  });

  it('are of the kind that their number says, with its name', async () => {
    await heard('gone', {}, { days: 31 });
    await heard('seldom', {}, { days: 8 });
    await heard('low', { charge: 40 });
    await heard('wrong', { clock: 90 });
    await heard('spare', {}, { settings: { isSpareUnit: true } });
    await holds(await heard('stopped'), 'D6:DA');
    const other = await heard('other');
    await buildWanted(server.database.db, world.farm.id, [other], [{ start: 60, duration: 30, cycle: 1 }]);
    await holds(other, '00:01');
    await beat();
    const kinds: [description: string, names: string[]][] = [];
    for (let hstType = 0; hstType <= 8; hstType += 1) {
      const days = { start: '2026-11-20', stop: '2026-11-20' };
      const told = await ask<HealthHistory>('GET /fmhealth/historybytype', {
        hstType: String(hstType),
        ...days,
      });
      expect(told).toMatchObject({ farmUID: world.farm.uid, type: hstType, ...days });
      kinds.push([told.description, told.data[0]?.units.map(({ name }) => name) ?? ['?']]);
    }
    expect(kinds).toEqual([
      ['Out of contact', ['gone']],
      ['Occasional contact', ['seldom']],
      ['Schedule issues', ['other']],
      ['Low battery', ['low']],
      ['Clock error', ['wrong']],
      ['Inhibited', ['stopped']],
      ['Spares', ['spare']],
      ['Swaps', []],
      ['Regular contact', ['low', 'other', 'stopped', 'wrong']],
    ]);
  });

  it('name no units in ranges of more than a month, and count them all the same', async () => {
    const low = await heard('low', { charge: 40 });
    await beat();
    expect(await history(3, '2026-11-01', '2026-12-01')).toMatchObject([{ units: [named(low)] }]);
    expect(await history(3, '2026-11-01', '2026-12-02')).toEqual([
      { date: '2026-11-20', value: 1, inContact: 1, units: [] },
    ]);
  });

  it('begin again for a unit that is of a kind anew', async () => {
    const unit = await heard('A', { clock: 90 });
    await beat();
    await say(unit, {}, 0.1);
    await beat('2026-11-21T11:02:00Z');
    await say(unit, { clock: 90 }, 0.1);
    await beat('2026-11-22T11:02:00Z');
    expect((await history(4)).map(({ date, value }) => [date, value])).toEqual([
      ['2026-11-20', 1],
      ['2026-11-21', 0],
      ['2026-11-22', 1],
    ]);
  });

  it('are not made up hours after their end', async () => {
    await heard('A');
    await beat('2026-11-20T14:01:00Z');
    expect(await history(8)).toEqual([]);
  });

  it('are each farm’s own: at its midnight and of its units alone', async () => {
    const a = await heard('A');
    const mine = world;
    // Perth is at 19:02.
    world = await buildFarmWorld(server, {
      time_zone_id: 'Australia/Perth',
      raw_offset: 28_800,
      dst_offset: 0,
    });
    const b = await heard('B');
    await beat();
    expect(await history(8)).toEqual([]);
    await beat('2026-11-20T16:00:00Z');
    expect(await history(8)).toEqual([{ date: '2026-11-20', value: 1, inContact: 1, units: [named(b)] }]);
    world = mine;
    expect(await history(8)).toEqual([{ date: '2026-11-20', value: 1, inContact: 1, units: [named(a)] }]);
  });

  it('name a unit that was deleted since, but lead to it no more', async () => {
    const low = await heard('low', { charge: 40 });
    await beat();
    const headers = await server.signIn(world.owner);
    const reply = await server.call('DELETE /ipc', { headers, query: { deviceId: low.uid } });
    expect(reply.statusCode, reply.body).toBe(200);
    expect((await history(3))[0]?.units).toEqual([{ ...named(low), id: null }]);
  });

  it('count swaps on the day on which they were done, and spares while they are', async () => {
    const unit = await heard('A');
    await heard('spare', {}, { settings: { isSpareUnit: true } });
    await replacedAt(world.farm, unit, '2026-11-20T10:59:00Z');
    await replacedAt(world.farm, unit, '2026-11-20T11:01:00Z');
    await beat();
    expect(await history(7)).toEqual([{ date: '2026-11-20', value: 1, inContact: 1, units: [named(unit)] }]);
    await beat('2026-11-21T11:02:00Z');
    expect((await history(7)).map(({ value }) => value)).toEqual([1, 1]);
    await beat('2026-11-22T11:02:00Z');
    expect((await history(7)).map(({ value }) => value)).toEqual([1, 1, 0]);
    expect((await history(6)).map(({ value }) => value)).toEqual([1, 1, 1]);
  });

  it.each([
    [{ start: '2026-11-20', stop: '2026-11-19' }, 'stop', 'Must not be before start.'],
    [{ start: '2026-02-30', stop: '2026-03-01' }, 'start', 'There is no such day.'],
    [{ start: '2025-01-01', stop: '2026-01-02' }, 'stop', 'Must be at most 365 days after start.'],
  ])('of %j are refused: %s %s', async (range, field, errorMessage) => {
    const reply = await world.get('GET /fmhealth/historybytype', {
      farmUID: world.farm.uid,
      hstType: '0',
      ...range,
    });
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { field, errorMessage }]);
  });

  it.each(['9', '-1', 'x'])('of a kind that there isn’t (%s) are refused by name', async (hstType) => {
    const range = { start: '2026-11-20', stop: '2026-11-20' };
    const reply = await world.get('GET /fmhealth/historybytype', {
      farmUID: world.farm.uid,
      hstType,
      ...range,
    });
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { field: 'hstType' }]);
  });
});

/** A Replace that was carried out at this place. */
async function replacedAt(farm: FarmRow, unit: DeviceRow, at: string): Promise<void> {
  const { db } = server.database;
  const when = new Date(at);
  const { id } = await db
    .insertInto('command')
    .values({
      farm_id: farm.id,
      uid: newUid(),
      account_id: null,
      type: commandTypes.Replace,
      name: unit.name,
      serial_number: unit.serial_number,
      payload: '{}',
      max_open_minutes: null,
      hide_notification: true,
      result_message: null,
      created_at: when,
      expires_at: when,
      state: 'done',
      state_at: when,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('command_unit')
    .values({
      farm_id: farm.id,
      command_id: id,
      device_id: unit.id,
      gateway_id: unit.id,
      position: 0,
      state: 'done',
      at: when,
      lane: 2,
    })
    .execute();
}
