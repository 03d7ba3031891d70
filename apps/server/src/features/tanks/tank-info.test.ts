import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { TankInfo, TankSite } from '@headrace/contract/tanks';
import { newUid } from '../../db/ids.ts';
import { buildDevice, buildFarm, buildGateway, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { everyMinutes } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose day began at 11:00Z.
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
  world = await buildFarmWorld(server, { name: 'Home farm' });
});
afterAll(() => server.close());

const db = () => server.database.db;

async function infoOf(uid: string, of: FarmWorld = world): Promise<TankInfo> {
  const reply = await of.get('GET /level/full-info', { sensorUid: uid });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

describe('full info of a tank', () => {
  it('that was never heard knows its shape and nothing else', async () => {
    const tank = await buildTank(db(), world.farm.id);
    expect(await infoOf(tank.uid)).toMatchObject({
      farmUID: world.farm.uid,
      battery: null,
      charge: null,
      fault: null,
      commsHealth: { commsInterval: null, commsQuality: null },
      todayUsage: null,
      yesterdayUsage: null,
      volume: 30_000,
      offsetScaled: 20,
      height: 3000,
      toplevel: 2500,
      configUpdate: [],
      configUpdatedAt: null,
    });
  });

  it('has usage of today and yesterday by the farm clock', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-19T10:30:00Z', values: { levelMm: 1600 } },
      { at: '2026-11-19T11:30:00Z', values: { levelMm: 1500 } },
      { at: '2026-11-20T11:00:00Z', values: { levelMm: 1400 } },
      { at: '2026-11-20T12:00:00Z', values: { levelMm: 1350 } },
      { at: '2026-11-20T20:00:00Z', values: { levelMm: 1500 } },
    ]);
    // 12 L to the mm: half of the first 100 mm and 100 mm yesterday, 50 mm today.
    expect(await infoOf(tank.uid)).toMatchObject({ todayUsage: 600, yesterdayUsage: 1800 });
  });

  it('says nothing of a day on which it was not heard', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [{ at: '2026-11-20T10:00:00Z', values: { levelMm: 1500 } }]);
    expect(await infoOf(tank.uid)).toMatchObject({ todayUsage: null, yesterdayUsage: 0 });
  });

  it('counts the day of 25 hours as one day', async () => {
    const night = await createTestServer();
    // 11:30Z on 5 April 2026 is 23:30 on the day that began at 11:00Z the day before.
    night.clock.now = new Date('2026-04-05T11:30:00Z');
    const own = await buildFarmWorld(night);
    const tank = await buildTank(night.database.db, own.farm.id);
    await own.record(tank, [
      { at: '2026-04-04T10:30:00Z', values: { levelMm: 1000 } },
      { at: '2026-04-04T11:10:00Z', values: { levelMm: 900 } },
      { at: '2026-04-05T11:20:00Z', values: { levelMm: 800 } },
    ]);
    // Of the first 100 mm three quarters lie before midnight.
    expect(await infoOf(tank.uid, own)).toMatchObject({ todayUsage: 1500, yesterdayUsage: 900 });
    await night.close();
  });

  it('has the battery in percent, and whether it is charged', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T20:00:00Z', values: { batteryV: 4.1, charging: 1, fault: 0 } },
    ]);
    expect(await infoOf(tank.uid)).toMatchObject({ battery: 100, charge: true, fault: false });
  });

  it.each([-5, 99])('has no battery, neither empty nor full, of one that says %s V', async (batteryV) => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [{ at: '2026-11-20T20:00:00Z', values: { levelMm: 1000, batteryV } }]);
    expect(await infoOf(tank.uid)).toMatchObject({ battery: null, batteryVoltage: null, condition: 0 });
  });

  it('of a level that its settings make invalid blames them, and else the sensor', async () => {
    const settings = { offset: 0, height: 100, toplevel: 2500, volume: 30_000 };
    const tank = await buildTank(db(), world.farm.id, { settings });
    await world.record(tank, [{ at: '2026-11-20T20:00:00Z', values: { levelMm: 1234 } }]);
    expect(await infoOf(tank.uid)).toMatchObject({
      level: { value: null, invalid: true },
      levelFault:
        "The tank's settings can't be: its height (100 mm) is less than its top water level (2500 mm).",
    });
    await world.record(tank, [{ at: '2026-11-20T20:10:00Z', values: { levelMm: 65_535 } }]);
    expect(await infoOf(tank.uid)).toMatchObject({ level: { invalid: true }, levelFault: null });
    await world.record(tank, [{ at: '2026-11-20T20:20:00Z', values: { levelMm: 500 } }]);
    expect(await infoOf(tank.uid)).toMatchObject({ level: { value: 20, invalid: false }, levelFault: null });
  });

  it('has the interval and quality that the device reports', async () => {
    const tank = await buildTank(db(), world.farm.id);
    const values = { levelMm: 1000, commsIntervalMin: 15, commsQuality: 0.875 };
    await world.record(tank, [{ at: '2026-11-20T20:00:00Z', values }]);
    expect((await infoOf(tank.uid)).commsHealth).toEqual({ commsInterval: 15, commsQuality: 0.875 });
  });

  it('works out interval and quality of a device that does not say', async () => {
    const tank = await buildTank(db(), world.farm.id);
    // Invalid readings were received as well as valid ones.
    const reports = everyMinutes(30, '2026-11-19T21:30:00Z', 48, (index) => ({
      levelMm: index % 2 ? 1000 : null,
    }));
    await world.record(tank, [...reports.slice(0, 11), ...reports.slice(23)]);
    // Since its first report every half hour would be 48; 36 came.
    expect((await infoOf(tank.uid)).commsHealth).toEqual({ commsInterval: 30, commsQuality: 0.75 });
    // It was there before, every half hour: then the one between was due as well.
    await world.record(tank, [{ at: '2026-11-18T21:30:00Z', values: { levelMm: 1000 } }]);
    expect((await infoOf(tank.uid)).commsHealth.commsQuality).toBeCloseTo(36 / 48, 2);
  });

  it('is not blamed for an hour in which it reports oftener, nor for one in which it told to', async () => {
    const before = everyMinutes(30, '2026-11-18T20:00:00Z', 96, () => ({ levelMm: 1000 }));
    const since = everyMinutes(1, '2026-11-20T20:00:00Z', 61, () => ({ levelMm: 1000 }));
    const quiet = await buildTank(db(), world.farm.id);
    await world.record(quiet, [...before, ...since]);
    expect((await infoOf(quiet.uid)).commsHealth).toEqual({ commsInterval: 1, commsQuality: 1 });
    const telling = await buildTank(db(), world.farm.id);
    await world.record(telling, [
      ...before.map(({ at }) => ({ at, values: { levelMm: 1000, commsIntervalMin: 30 } })),
      ...since.map(({ at }) => ({ at, values: { levelMm: 1000, commsIntervalMin: 1 } })),
    ]);
    expect((await infoOf(telling.uid)).commsHealth).toEqual({ commsInterval: 1, commsQuality: 1 });
  });

  it('lists settings that wait for the device before those it has taken', async () => {
    const tank = await buildTank(db(), world.farm.id);
    const other = await buildTank(db(), world.farm.id);
    const config = { highSetpoint: 90, lowSetpoint: 40, relayControl: true, maxRunTime: 0 };
    const row = (device: number, created: string, processed: string | null) => ({
      farm_id: world.farm.id,
      uid: newUid(),
      device_id: device,
      type: 111,
      config: JSON.stringify(config),
      created_at: new Date(created),
      processed_at: processed === null ? null : new Date(processed),
    });
    await db()
      .insertInto('config_update')
      .values([
        row(tank.id, '2026-11-18T00:00:00Z', null),
        row(tank.id, '2026-11-19T00:00:00Z', '2026-11-19T00:05:00Z'),
        row(other.id, '2026-11-20T00:00:00Z', '2026-11-20T00:05:00Z'),
      ])
      .execute();
    const info = await infoOf(tank.uid);
    const uid = expect.stringMatching(/^[0-9a-f]{24}$/) as string;
    expect(info.configUpdate).toEqual([
      { _id: uid, type: 111, config, createdAt: '2026-11-18T00:00:00.000Z', processedAt: null, error: null },
      {
        _id: uid,
        type: 111,
        config,
        createdAt: '2026-11-19T00:00:00.000Z',
        processedAt: '2026-11-19T00:05:00.000Z',
        error: null,
      },
    ]);
    expect(info.configUpdatedAt).toBe('2026-11-19T00:05:00.000Z');
  });

  it("of another owner's tank is not to be had", async () => {
    const stranger = await buildFarmWorld(server);
    const tank = await buildTank(db(), stranger.farm.id);
    expect((await world.get('GET /level/full-info', { sensorUid: tank.uid })).statusCode).toBe(404);
  });
});

describe('the site of the tank map', () => {
  it('has the farm, its places by name, and tanks in both shapes', async () => {
    const own = await buildFarmWorld(server, { name: 'Home farm' });
    const farmId = own.farm.id;
    const boundary = [
      { lat: -43.7, lng: 171.9 },
      { lat: -43.8, lng: 171.9 },
      { lat: -43.8, lng: 172 },
    ];
    await db()
      .updateTable('farm')
      .set({ boundary: JSON.stringify(boundary) })
      .where('id', '=', farmId)
      .execute();
    const gateway = await buildGateway(db(), farmId);
    const contact = new Date('2026-11-20T20:58:00Z');
    await db()
      .updateTable('gateway_state')
      .set({ online: true, contact_at: contact })
      .where('device_id', '=', gateway.id)
      .execute();
    const repeater = await buildDevice(db(), farmId, 'repeater', { name: 'hill', lat: -43.71, lng: 171.95 });
    await own.record(repeater, [{ at: '2026-11-20T18:00:00Z', values: { charge: 80, hops: 2 } }]);
    const poi = await buildDevice(db(), farmId, 'poi', { name: 'Woolshed', serial_number: '' });
    await buildDevice(db(), farmId, 'sprinkler');
    const legacy = await buildTank(db(), farmId, { type: sensorTypes.LEVEL });
    const modern = await buildTank(db(), farmId, { type: sensorTypes.TLM_V3 });
    const silent = await buildTank(db(), farmId, { type: sensorTypes.LEVEL_SCALAR, name: 'Zulu' });
    for (const tank of [legacy, modern])
      await own.record(tank, [
        { at: '2026-11-20T19:50:00Z', values: { levelMm: 900 } },
        { at: '2026-11-20T20:50:00Z', values: { levelMm: 1000, batteryV: 3.8 } },
      ]);

    const reply = await own.get('GET /tank/site-info', { farmUID: own.farm.uid });
    expect(reply.statusCode).toBe(200);
    const site = reply.json<TankSite>();
    expect(site).toMatchObject({
      name: 'Home farm',
      centre: { lat: -43.75, lng: 171.95 },
      boundaries: boundary,
    });
    expect(site.gateways).toEqual([
      {
        _id: gateway.uid,
        name: gateway.name,
        serialNumber: gateway.serial_number,
        type: 0,
        location: null,
        statusTime: '2026-11-20T20:58:00.000Z',
        connected: true,
      },
    ]);
    expect(site.repeaters).toMatchObject([
      { _id: repeater.uid, location: { lat: -43.71, lng: 171.95 }, statusTime: '2026-11-20T18:00:00.000Z' },
    ]);
    expect(site.pois).toMatchObject([{ _id: poi.uid, name: 'Woolshed', statusTime: null }]);
    expect(site.sensorsLegacy).toMatchObject([
      {
        _id: legacy.uid,
        settings: { offset: 500, height: 3000, toplevel: 2500, volume: 30_000 },
        latestStatus: [{ statusTime: '2026-11-20T20:50:00.000Z', battery: 3.8, value: 60, rawValue: 1000 }],
        deletedAt: null,
      },
      { _id: silent.uid, latestStatus: [] },
    ]);
    expect(site.sensors).toMatchObject([
      {
        _id: modern.uid,
        _calculatedStatus: {
          statusTime: '2026-11-20T20:50:00.000Z',
          batteryVoltage: 3.8,
          percentValue: 60,
          litreValue: 18_000,
          trending: 1,
          flowRate: null,
        },
      },
    ]);
  });

  it('has the measures that a tank is reckoned by, also where its record lacks them', async () => {
    const own = await buildFarmWorld(server);
    const bare = await buildTank(db(), own.farm.id, { type: sensorTypes.LEVEL, settings: {} });
    await own.record(bare, [{ at: '2026-11-20T20:50:00Z', values: { levelMm: 700 } }]);
    const site = (await own.get('GET /tank/site-info', { farmUID: own.farm.uid })).json<TankSite>();
    // (500 + 700) / 2400
    expect(site.sensorsLegacy).toMatchObject([
      {
        settings: { volume: 0, offset: 500, toplevel: 2400, height: 3000 },
        latestStatus: [{ value: 50, rawValue: 700 }],
      },
    ]);
  });

  it('shows nothing of another farm, and a gateway that never spoke as not connected', async () => {
    const own = await buildFarmWorld(server);
    const other = await buildFarm(db(), own.owner.id);
    await buildTank(db(), other.id);
    await buildGateway(db(), other.id);
    const gateway = await buildDevice(db(), own.farm.id, 'gateway');
    const site = (await own.get('GET /tank/site-info', { farmUID: own.farm.uid })).json<TankSite>();
    expect(site.gateways).toMatchObject([{ _id: gateway.uid, statusTime: null, connected: false }]);
    expect([site.sensors, site.sensorsLegacy, site.repeaters, site.pois]).toEqual([[], [], [], []]);
  });
});
