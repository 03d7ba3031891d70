import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FarmOverview, GroupInfo, IpcStatus } from '@headrace/contract/groups';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice, buildGateway, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import {
  buildGroup,
  buildScheduleSet,
  buildSprinkler,
  buildWanted,
} from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
beforeEach(async () => {
  // 10:00 on 21 November in New Zealand's summer time.
  server.clock.now = new Date('2026-11-20T21:00:00Z');
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const hourAgo = '2026-11-20T20:00:00Z';
const well = { charge: 90, clock: 0, hops: 2, valve: 0, cycleDay: 1, cycleLen: 1 };

const sprinkler = (values: Parameters<typeof buildSprinkler>[2] = {}) =>
  buildSprinkler(server.database.db, world.farm.id, values);

async function say(unit: DeviceRow, facts: Record<string, string>, at = hourAgo): Promise<void> {
  const rows = Object.entries(facts).map(([name, value]) => ({
    farm_id: unit.farm_id,
    device_id: unit.id,
    name,
    at: new Date(at),
    value,
  }));
  await server.database.db.insertInto('device_fact').values(rows).execute();
}

/** Heard an hour ago with nothing wrong, but for what is said here. */
async function heard(
  values: Parameters<typeof buildSprinkler>[2],
  metrics: Record<string, number> = {},
  { at = hourAgo, crc = '' } = {},
): Promise<DeviceRow> {
  const unit = await sprinkler(values);
  await world.record(unit, [{ at, values: { ...well, ...metrics } }]);
  if (crc) await say(unit, { ipcCrc: crc }, at);
  return unit;
}

const waterBy = (units: readonly DeviceRow[], entries: readonly ScheduleEntry[]) =>
  buildWanted(server.database.db, world.farm.id, units, entries);

const info = async (name = 'FARM') =>
  (await world.get('GET /group/info', { farmUID: world.farm.uid, name })).json<GroupInfo>();
async function status(name: string): Promise<IpcStatus> {
  const found = (await info()).ipcs.find((unit) => unit.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}
const counts = async () => (await world.get('GET /ipc/status', { farmUID: world.farm.uid })).json<unknown>();

const evening: ScheduleEntry[] = [{ start: 1200, duration: 60, cycle: 1 }];
/** Of `evening`: CRC-16/CCITT-FALSE over 04 B0 00 3C 00 01. */
const eveningCrc = '86:6A';

it('tells everything of a sprinkler: what it said, what the current set has for it, how it is', async () => {
  const unit = await heard(
    {
      name: 'A1',
      serial_number: 'IPC-1',
      mac: '70B3D50000000A01',
      settings: { farmId: '02:03', channel: 4, isPartSprinkler: true },
    },
    { scheduleNum: 3, clock: -4 },
    { crc: eveningCrc },
  );
  await say(unit, { mode: 'Mesh', polledAt: '2026-11-20T20:30:00Z' });
  await waterBy([unit], evening);
  await buildGroup(server.database.db, world.farm.id, 'North', [unit]);
  expect(await status('A1')).toEqual({
    id: unit.uid,
    name: 'A1',
    serial: 'IPC-1',
    mac: '70B3D50000000A01',
    lat: null,
    lng: null,
    channel: 4,
    farmid: '02:03',
    groups: ['North'],
    condition: 0,
    active: false,
    isInhibited: false,
    isOutOfContact: false,
    hasError: false,
    hasBatteryError: false,
    hasClockError: false,
    hasScheduleError: false,
    isScheduleComing: false,
    isPlaceholder: false,
    isSpareUnit: false,
    isPartSprinkler: true,
    outOfService: false,
    spareStatus: 1,
    charge: 90,
    clock: -4,
    mode: 'Mesh',
    hops: 2,
    lastpoll: Date.parse('2026-11-20T20:30:00Z'),
    statustime: Date.parse(hourAgo),
    laststatus: '21/11/2026 09:00',
    laststatusraw: Date.parse(hourAgo),
    schedulenum: 3,
    schedname: '',
    schedules: 60,
    curCycleDay: 1,
    cycleLen: 1,
    ipc_crc: eveningCrc,
    inc_crc: eveningCrc,
    valveOpen: false,
    valveAt: Date.parse(hourAgo),
    belief: null,
    // 20:00 of this evening.
    activeAt: [
      {
        startAt: Date.parse('2026-11-21T07:00:00Z'),
        endAt: Date.parse('2026-11-21T08:00:00Z'),
        cycle: 1,
        activeNow: false,
      },
    ],
  });
});

it.each(['GET /group/info', 'GET /irrigation/status', 'GET /irrigation/devices', 'GET /ipc/status'])(
  '%s says that it is JSON',
  async (key) => {
    const query = { farmUID: world.farm.uid, ...(key === 'GET /group/info' && { name: 'FARM' }) };
    const reply = await world.get(key, query);
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
  },
);

it('knows nothing of a unit that was never heard, and says so', async () => {
  await sprinkler({ name: 'A1' });
  expect(await status('A1')).toMatchObject({
    condition: 1,
    isOutOfContact: true,
    charge: null,
    clock: null,
    mode: null,
    hops: null,
    lastpoll: 0,
    statustime: 0,
    schedulenum: null,
    schedname: null,
    schedules: 0,
    curCycleDay: 1,
    ipc_crc: null,
    inc_crc: null,
    valveOpen: null,
    valveAt: 0,
    laststatus: '',
    laststatusraw: 0,
    belief: { state: 'unknown', since: null, until: null, basis: 'none', cause: 'none' },
    activeAt: [],
    farmid: '01:01',
    channel: 1,
  });
});

describe('counts', () => {
  it('have each unit in service once, active ones among the ok, and agree with the map and the overview', async () => {
    const units = [
      await heard({ name: 'ok' }, {}, { crc: eveningCrc }),
      await heard({ name: 'open' }, { valve: 1 }, { crc: eveningCrc }),
      await heard({ name: 'low' }, { charge: 49.9 }, { crc: eveningCrc }),
      await heard({ name: 'clock' }, { clock: 61 }, { crc: eveningCrc }),
      await heard({ name: 'sched' }, {}, { crc: '00:01' }),
      await heard({ name: 'inhib' }, { charge: 10 }, { crc: 'D6:DA' }),
      await heard({ name: 'old' }, { charge: 10, clock: 99 }, { at: '2026-10-21T20:59:59Z', crc: '00:01' }),
      await sprinkler({ name: 'never' }),
      await heard({ name: 'spare', settings: { isSpareUnit: true } }, { charge: 10 }),
      await heard({ name: 'out', settings: { outOfService: true } }, { valve: 1 }),
    ];
    await waterBy(units, evening);
    const uids = units.map(({ uid }) => uid);
    expect(await counts()).toEqual({
      ok: 2,
      active: 1,
      attention: 3,
      inhibited: 1,
      stopWanted: 0,
      failed: 2,
      neverContacted: 1,
      total: 8,
      watering: { said: 1, planned: 0, overdue: 0, unplanned: 0 },
      // At 20:00: all that are in service and not inhibited were sent the evening's schedule.
      next: { startAt: Date.parse('2026-11-21T07:00:00Z'), units: 7, group: null },
      behind: [],
      // In the order of their names: clock, low, sched.
      troubled: { silent: [uids[6]], oneError: [uids[3], uids[2], uids[4]] },
    });

    const farm = await info();
    expect(Object.fromEntries(farm.ipcs.map(({ name, condition }) => [name, condition]))).toEqual({
      ok: 0,
      open: 1000,
      low: 2,
      clock: 2,
      sched: 2,
      inhib: -1,
      old: 1,
      never: 1,
      spare: 5,
      out: 5,
    });
    const summary = {
      numberOfIpcs: 8,
      ipcsOOC: 2,
      ipcsActive: 1,
      ipcsClock: 1,
      ipcsCharge: 2,
      ipcsSched: 1,
      ipcsSpare: 2,
    };
    expect(farm).toMatchObject(summary);
    const overview = await world.get('GET /irrigation/status', { farmUID: world.farm.uid });
    expect(overview.json<FarmOverview>()).toEqual({ ...farm, desc: world.farm.description });
  });

  it('of a farm without sprinklers are all 0', async () => {
    expect(await counts()).toEqual({
      ok: 0,
      active: 0,
      attention: 0,
      inhibited: 0,
      stopWanted: 0,
      failed: 0,
      neverContacted: 0,
      total: 0,
      watering: { said: 0, planned: 0, overdue: 0, unplanned: 0 },
      next: null,
      behind: [],
    });
  });

  it('name the gateway behind which nothing is heard, and who fell silent with it', async () => {
    const { db } = server.database;
    const shed = await buildGateway(db, world.farm.id);
    const mast = await buildGateway(db, world.farm.id);
    const contact = (gateway: DeviceRow, at: string) =>
      db
        .updateTable('gateway_state')
        .set({ contact_at: new Date(at) })
        .where('device_id', '=', gateway.id)
        .execute();
    await contact(shed, '2026-10-01T00:00:00Z');
    await contact(mast, hourAgo);
    await heard({ name: 'with', gateway: shed }, {}, { at: '2026-09-30T23:00:00Z' });
    await heard({ name: 'before', gateway: shed }, {}, { at: '2026-08-31T23:00:00Z' });
    await heard(
      { name: 'spare', gateway: shed, settings: { isSpareUnit: true } },
      {},
      { at: '2026-09-30T23:00:00Z' },
    );
    await sprinkler({ name: 'never', gateway: shed });
    await heard({ name: 'heard', gateway: mast });
    // It names none: the farm's first speaks for it.
    await heard({ name: 'any' }, {}, { at: '2026-09-30T22:00:00Z' });
    expect(await counts()).toMatchObject({
      failed: 4,
      neverContacted: 1,
      behind: [
        { gatewayUID: shed.uid, units: 3, silent: 2 },
        { gatewayUID: mast.uid, units: 1, silent: 0 },
      ],
    });
  });
});

it.each([
  // 30 days before 2026-11-20T21:00Z.
  ['2026-10-21T21:00:00Z', 0],
  ['2026-10-21T20:59:59Z', 1],
])('takes a unit last heard at %s for condition %d', async (at, condition) => {
  await heard({ name: 'A1' }, {}, { at });
  expect((await status('A1')).condition).toBe(condition);
});

describe('thresholds', () => {
  async function gatewayWith(settings: object): Promise<DeviceRow> {
    const { db } = server.database;
    const gateway = await buildGateway(db, world.farm.id);
    await db
      .updateTable('gateway_state')
      .set({ settings: JSON.stringify(settings) })
      .where('device_id', '=', gateway.id)
      .execute();
    return gateway;
  }

  it('are those of the gateway that hears the unit: its own, else the first; else 50 % and 60 s', async () => {
    await heard({ name: 'none' }, { charge: 50, clock: 60 });
    expect(await status('none')).toMatchObject({ hasBatteryError: false, hasClockError: false });
    await gatewayWith({ chargeThreshold: 60, clockTreshold: 10 });
    const own = await gatewayWith({ chargeThreshold: 20, clockTreshold: 300 });
    await heard({ name: 'own', gateway: own }, { charge: 20, clock: 300 });
    await heard({ name: 'low', gateway: own }, { charge: 19, clock: -301 });
    expect(await status('none')).toMatchObject({ hasBatteryError: true, hasClockError: true });
    expect(await status('own')).toMatchObject({ hasBatteryError: false, hasClockError: false });
    expect(await status('low')).toMatchObject({ hasBatteryError: true, hasClockError: true });
  });
});

describe('schedules', () => {
  it('are none wrong while the farm waters by no set', async () => {
    await heard({ name: 'A1' }, {}, { crc: '00:01' });
    expect(await status('A1')).toMatchObject({ hasScheduleError: false, inc_crc: null, condition: 0 });
  });

  it('are wrong on a unit that the current set has nothing for and that holds one', async () => {
    const other = await heard({ name: 'A2' }, {}, { crc: eveningCrc });
    await heard({ name: 'A1' }, {}, { crc: '00:01' });
    await waterBy([other], evening);
    expect(await status('A1')).toMatchObject({ hasScheduleError: true, inc_crc: 'D6:DA', activeAt: [] });
  });

  it('of another set do not count', async () => {
    const unit = await heard({ name: 'A1' }, {}, { crc: eveningCrc });
    await waterBy([unit], evening);
    await buildScheduleSet(server.database.db, world.farm.id, [unit], [{ start: 0, duration: 5, cycle: 1 }]);
    expect((await info()).ipcs).toMatchObject([{ schedules: 60, hasScheduleError: false }]);
  });
});

describe('watering by the current set', () => {
  it.each([
    // 20:00 to 21:00 in the farm's summer time is 07:00Z to 08:00Z.
    ['2026-11-21T06:59:59Z', false],
    ['2026-11-21T07:00:00Z', true],
    ['2026-11-21T07:59:59Z', true],
    ['2026-11-21T08:00:00Z', false],
  ])('at %s: %s', async (now, active) => {
    const unit = await heard({ name: 'A1' }, {}, { crc: eveningCrc });
    await waterBy([unit], evening);
    server.clock.now = new Date(now);
    expect(await status('A1')).toMatchObject({ active, condition: active ? 1000 : 0 });
    expect(await counts()).toMatchObject({ ok: 1, active: Number(active) });
  });

  it('is over for a unit that says since that its valve is closed', async () => {
    const unit = await heard({ name: 'A1' }, {}, { crc: eveningCrc });
    await waterBy([unit], evening);
    await world.record(unit, [{ at: '2026-11-21T07:10:00Z', values: { valve: 0 } }]);
    server.clock.now = new Date('2026-11-21T07:15:00Z');
    expect(await status('A1')).toMatchObject({ active: false, condition: 0, valveOpen: false });
  });

  it.each([
    // Told on day 1 of 2 on the morning of the 21st; the watering is on day 2, from 23:00 for two hours.
    ['2026-11-21T10:30:00Z', 1, false],
    ['2026-11-22T10:30:00Z', 2, true],
    ['2026-11-22T11:30:00Z', 1, true],
    ['2026-11-22T12:00:00Z', 1, false],
    ['2026-11-24T10:30:00Z', 2, true],
  ])('goes by the day of the cycle, over midnight: at %s day %d, %s', async (now, day, active) => {
    server.clock.now = new Date(now);
    world = await buildFarmWorld(server);
    const unit = await heard({ name: 'A1' }, { cycleDay: 1, cycleLen: 2 });
    await waterBy([unit], [{ start: 1380, duration: 120, cycle: 2 }]);
    const lately = new Date(Date.parse(now) - 7_200_000).toISOString();
    await world.record(unit, [{ at: lately, values: { charge: 90 } }]);
    expect(await status('A1')).toMatchObject({ curCycleDay: day, cycleLen: 2, active });
  });

  it.each([0, 367, 9_007_199_254_740_991])('does not believe a cycle of %d days', async (cycleLen) => {
    const unit = await heard({ name: 'A1' }, { cycleDay: 9_007_199_254_740_991, cycleLen });
    await waterBy([unit], evening);
    expect(await status('A1')).toMatchObject({ cycleLen: 1, curCycleDay: 1, activeAt: [{ cycle: 1 }] });
  });

  it('is unknown of a unit that has not said the day of a longer cycle', async () => {
    const unit = await sprinkler({ name: 'A1' });
    await world.record(unit, [{ at: hourAgo, values: { charge: 90 } }]);
    await waterBy([unit], [{ start: 540, duration: 120, cycle: 1 }]);
    await server.database.db
      .updateTable('unit_program')
      .set({ cycle_days: 2 })
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(await status('A1')).toMatchObject({ curCycleDay: null, cycleLen: 2, activeAt: [], active: false });
  });

  it.each([
    // 02:30, for half an hour, on the nights when the clocks change: the hour is skipped (it begins at the change), and comes twice.
    ['2026-09-26T14:00:00Z', true],
    ['2026-09-26T14:30:00Z', false],
    ['2026-04-04T13:30:00Z', true],
    ['2026-04-04T14:30:00Z', false],
  ])('happens once when the clocks change: at %s %s', async (now, active) => {
    const day = new Date(Date.parse(now) - 3_600_000).toISOString();
    const unit = await heard({ name: 'A1' }, {}, { at: day });
    await waterBy([unit], [{ start: 150, duration: 30, cycle: 1 }]);
    server.clock.now = new Date(now);
    expect((await status('A1')).active).toBe(active);
  });

  it('keeps standard time all year where the farm does', async () => {
    world = await buildFarmWorld(server, { dst_enabled: false });
    const unit = await heard({ name: 'A1' });
    await waterBy([unit], evening);
    server.clock.now = new Date('2026-11-21T08:30:00Z');
    expect((await status('A1')).active).toBe(true);
  });
});

describe('a unit made of a point of interest', () => {
  const converted = { converted: { condition: 7, at: '2026-11-20T20:30:00Z' } };
  it('is what the conversion said until it reports', async () => {
    const unit = await heard({ name: 'A1', settings: converted });
    expect(await status('A1')).toMatchObject({ condition: 7 });
    expect(await counts()).toMatchObject({ attention: 1, total: 1 });
    await world.record(unit, [{ at: '2026-11-20T20:45:00Z', values: { charge: 90 } }]);
    expect(await status('A1')).toMatchObject({ condition: 0 });
  });
});

describe('a spare', () => {
  it.each([
    ['ready', {}, 2],
    ['not ready with a battery below 70 %', { charge: 69 }, 3],
  ])('is %s', async (_name, metrics, spareStatus) => {
    await heard({ name: 'S1', settings: { isSpareUnit: true } }, metrics);
    expect(await status('S1')).toMatchObject({ spareStatus, condition: 5 });
  });

  it('has errors around it when another unit, on any farm, has its serial number', async () => {
    await heard({ name: 'S1', serial_number: 'IPC-TWIN', settings: { isSpareUnit: true } });
    const elsewhere = await buildFarmWorld(server);
    await buildSprinkler(server.database.db, elsewhere.farm.id, { serial_number: 'ipc-twin' });
    expect(await status('S1')).toMatchObject({ spareStatus: 4 });
  });
});

it('says nothing of the charge of a battery that was taken out', async () => {
  await heard({ name: 'A1', settings: { replaceBatteryAt: '2026-11-20T20:30:00Z' } }, { charge: 10 });
  expect(await status('A1')).toMatchObject({ charge: null, hasBatteryError: false, condition: 0 });
});

describe('a map', () => {
  it('of the farm has everything; of a group its sprinklers and points, and what the farm has besides', async () => {
    const boundaries = [
      { lat: -43.75, lng: 171.95 },
      { lat: -43.75, lng: 171.96 },
      { lat: -43.76, lng: 171.96 },
    ];
    world = await buildFarmWorld(server, { boundary: JSON.stringify(boundaries) });
    const { db } = server.database;
    const [a2, a10] = [await sprinkler({ name: 'A10' }), await sprinkler({ name: 'A2' })];
    const gate = await buildDevice(db, world.farm.id, 'poi', { name: 'Gate', lat: -43.7, lng: 171.9 });
    await buildDevice(db, world.farm.id, 'poi', { name: 'Shed' });
    await buildDevice(db, world.farm.id, 'repeater', { name: 'R1' });
    const tank = await buildTank(db, world.farm.id, { name: 'Tank' });
    await world.record(tank, [{ at: hourAgo, values: { levelMm: 100 } }]);
    const gateway = await buildGateway(db, world.farm.id);
    await buildGroup(db, world.farm.id, 'North Block', [a2, gate]);

    const names = (map: GroupInfo) =>
      (['ipcs', 'sensors', 'repeaters', 'gateways', 'pois'] as const).map((kind) =>
        map[kind].map(({ name }) => name),
      );
    const farm = await info();
    expect(names(farm)).toEqual([['A2', 'A10'], ['Tank'], ['R1'], [gateway.name], ['Gate', 'Shed']]);
    expect(farm).toMatchObject({
      name: world.farm.name,
      boundaries,
      props: { channel: 1, farmId: '01:01' },
    });
    expect(farm.sensors[0]).toMatchObject({ id: tank.uid, statustime: Date.parse(hourAgo), lat: null });
    const group = await info('north block');
    expect(names(group)).toEqual([['A10'], ['Tank'], ['R1'], [gateway.name], ['Gate']]);
    expect(group).toMatchObject({ name: 'North Block', boundaries, numberOfIpcs: 1, ipcsOOC: 1 });
    expect(a10.name).toBe('A2');
  });

  it('has no devices of other farms and none that were deleted', async () => {
    const elsewhere = await buildFarmWorld(server);
    await buildSprinkler(server.database.db, elsewhere.farm.id, { name: 'B1' });
    await buildGroup(server.database.db, elsewhere.farm.id, 'North', []);
    const unit = await sprinkler({ name: 'A1' });
    await server.call('DELETE /ipc', { headers: world.headers, query: { deviceId: unit.uid } });
    expect((await info()).ipcs).toEqual([]);
    const reply = await world.get('GET /group/info', { farmUID: world.farm.uid, name: 'North' });
    expect(reply.statusCode).toBe(404);
  });
});
