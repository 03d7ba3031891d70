import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { DeviceRow } from '../../db/schema.ts';
import { chirpstackUplink, networkServerOf } from '../../testing/uplinks.ts';
import { createIngestKit } from '../../testing/ingest-kit.ts';
import { buildConfigUpdate, buildDevice, buildGateway, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { everyMinutes } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose day began at 11:00Z.
const start = new Date('2026-11-20T21:00:00Z');
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  server.clock.now = start;
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const sensor = (type: number, settings = {}) =>
  buildDevice(server.database.db, world.farm.id, 'sensor', { type, settings: JSON.stringify(settings) });

async function headline(name: string, query: Record<string, string>): Promise<unknown> {
  const reply = await world.get(`GET /headline/${name}`, query);
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

describe('the temperature of a site', () => {
  let site: DeviceRow;
  beforeEach(async () => {
    site = await sensor(sensorTypes.SOIL_MOISTURE);
  });
  const at = (hour?: number) =>
    headline('temperature', {
      farmUID: world.farm.uid,
      site: site.uid,
      ...(hour !== undefined && { time: String(hour) }),
    });

  it('is the last one before the hour of today, by the clock of the farm', async () => {
    await world.record(site, [
      { at: '2026-11-20T19:30:00Z', values: { temperatureC: 8 } },
      { at: '2026-11-20T19:59:00Z', values: { temperatureC: 9 } },
      { at: '2026-11-20T20:00:01Z', values: { temperatureC: 10 } },
      { at: '2026-11-20T20:45:00Z', values: { temperatureC: 11 } },
      { at: '2026-11-20T20:50:00Z', values: { temperatureC: null } },
    ]);
    // 09:00 on the farm is 20:00Z. Noon has not come yet: the newest is told.
    expect(await at(9)).toEqual({ temperature: 9, at: '2026-11-20T19:59:00.000Z' });
    expect(await at(12)).toEqual({ temperature: 11, at: '2026-11-20T20:45:00.000Z' });
    expect(await at()).toEqual({ temperature: 11, at: '2026-11-20T20:45:00.000Z' });
  });

  it('is not known when none was read in the day before it', async () => {
    await world.record(site, [{ at: '2026-11-19T19:59:00Z', values: { temperatureC: 9 } }]);
    expect(await at(9)).toEqual({ temperature: null, at: null });
  });

  it.each([
    // 09:00 is 20:00Z by daylight saving and 21:00Z without it; both mornings follow a clock change of that night.
    ['2026-09-27T02:00:00Z', '2026-09-26T20:00:00.000Z'],
    ['2026-04-05T02:00:00Z', '2026-04-04T21:00:00.000Z'],
  ])('is right on the morning after a clock change (%s)', async (now, nine) => {
    server.clock.now = new Date(now);
    const minute = (count: number) => new Date(Date.parse(nine) + count * 60_000).toISOString();
    await world.record(site, [
      { at: minute(-1), values: { temperatureC: 5 } },
      { at: minute(1), values: { temperatureC: 6 } },
    ]);
    expect(await at(9)).toEqual({ temperature: 5, at: minute(-1) });
  });
});

describe('the rain at a site', () => {
  const since = async (site: DeviceRow, startDate: string) =>
    headline('accumulated-rainfall', { farmUID: world.farm.uid, site: site.uid, startDate });

  it('is that from the start of a day of the farm to now, in mm', async () => {
    const site = await sensor(sensorTypes.SOIL_MOISTURE);
    await world.record(site, [
      { at: '2026-11-19T10:45:00Z', values: { rainTipsTotal: 65_530 } },
      { at: '2026-11-19T11:15:00Z', values: { rainTipsTotal: 65_533 } },
      { at: '2026-11-20T12:00:00Z', values: { rainTipsTotal: 4 } },
    ]);
    // 3 tips on the 20th, then 7 over the end of the register on the 21st.
    expect(await since(site, '20-11-2026')).toEqual({ rain: 2, at: '2026-11-20T12:00:00.000Z' });
    expect(await since(site, '2026-11-21')).toEqual({ rain: 1.4, at: '2026-11-20T12:00:00.000Z' });
  });

  it('is none where the gauge said so, and unknown where it said nothing', async () => {
    const site = await sensor(sensorTypes.SOIL_MOISTURE);
    await world.record(site, [{ at: '2026-11-20T12:00:00Z', values: { rainTips: 0, swp1Kpa: 10 } }]);
    expect(await since(site, '21-11-2026')).toEqual({ rain: 0, at: '2026-11-20T12:00:00.000Z' });
    expect(await since(site, '22-11-2026')).toEqual({ rain: null, at: null });
    expect(await since(await sensor(sensorTypes.SOIL_MOISTURE), '01-11-2026')).toEqual({
      rain: null,
      at: null,
    });
  });

  it('of a day that does not exist is refused', async () => {
    const site = await sensor(sensorTypes.SOIL_MOISTURE);
    const reply = await world.get('GET /headline/accumulated-rainfall', {
      farmUID: world.farm.uid,
      site: site.uid,
      startDate: '31-11-2026',
    });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field: 'startDate' });
  });
});

it('rain to come is unknown where nobody forecasts it', async () => {
  expect(await headline('rain-forecast-accumulated', { lat: '-43.75', long: '171.95', days: '1' })).toEqual({
    rain: null,
    at: null,
    source: '',
    isDemo: false,
  });
});

it('rain to come is that of today and as many more days as are asked for, with its source', async () => {
  const forecasting = await createTestServer({
    weather: {
      source: 'Rain by Test',
      isDemo: false,
      forecast: async () =>
        Array.from({ length: 11 }, (_, index) => ({
          // The place's days: its clock shows 10:00 on 21 November.
          date: `2026-11-${21 + index}`.replace('11-31', '12-01'),
          rain: index + 0.5,
          chance: null,
          minTemperature: null,
          maxTemperature: null,
          et0: null,
          wind: [],
        })),
    },
  });
  const { headers } = await buildFarmWorld(forecasting);
  const reply = await forecasting.call('GET /headline/rain-forecast-accumulated', {
    headers,
    query: { lat: '-43.75', long: '171.95', days: '2' },
  });
  // 0.5 + 1.5 + 2.5
  expect(reply.json()).toEqual({ rain: 4.5, at: start.toISOString(), source: 'Rain by Test', isDemo: false });
  await forecasting.close();
});

describe('a tank', () => {
  const tank = () => buildTank(server.database.db, world.farm.id, { name: 'Top' });

  it('has its level in percent and litres, with when it was read', async () => {
    const device = await tank();
    await world.record(device, [
      { at: '2026-11-20T15:00:00Z', values: { levelMm: 750 } },
      { at: '2026-11-20T20:00:00Z', values: { batteryV: 4 } },
    ]);
    // (500 + 750) / 2500 of 30,000 L; the battery's report does not make the level younger.
    expect(await headline('tank', { sensorUid: device.uid })).toEqual({
      name: 'Top',
      value: 50,
      valueInLitres: 15_000,
      invalid: false,
      at: '2026-11-20T15:00:00.000Z',
    });
  });

  it('that never spoke, and one whose sensor speaks nonsense, has none', async () => {
    const [silent, broken] = [await tank(), await tank()];
    await world.record(broken, [{ at: '2026-11-20T15:00:00Z', values: { levelMm: 9999 } }]);
    const none = { name: 'Top', value: null, valueInLitres: null };
    expect(await headline('tank', { sensorUid: silent.uid })).toEqual({ ...none, invalid: false, at: null });
    expect(await headline('tank', { sensorUid: broken.uid })).toEqual({
      ...none,
      invalid: true,
      at: '2026-11-20T15:00:00.000Z',
    });
  });

  it('has what was drawn today and yesterday, in litres and cubic metres', async () => {
    const device = await tank();
    await world.record(device, [
      { at: '2026-11-19T11:00:00Z', values: { levelMm: 1100 } },
      { at: '2026-11-19T12:00:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T10:30:00Z', values: { levelMm: 900 } },
      { at: '2026-11-20T11:00:00Z', values: { levelMm: 900 } },
      { at: '2026-11-20T11:30:00Z', values: { levelMm: 850 } },
    ]);
    // 12 L to the mm: 200 mm yesterday, 50 mm today.
    const drawn = (sumType: string, metric: string) =>
      headline('tankflow', { sensorUid: device.uid, sumType, metric });
    expect(await drawn('today', 'L')).toEqual({ name: 'Top', value: 600, at: '2026-11-20T11:30:00.000Z' });
    expect(await drawn('yesterday', 'L')).toMatchObject({ value: 2400, at: '2026-11-20T10:30:00.000Z' });
    expect(await drawn('yesterday', 'm3')).toMatchObject({ value: 2.4 });
    expect(await drawn('current', 'L/min')).toEqual({ name: 'Top', value: null, at: null });
  });

  it('has what was drawn over levels that can not be', async () => {
    const tank = await buildTank(server.database.db, world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T10:30:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T10:45:00Z', values: { levelMm: 9999 } },
      { at: '2026-11-20T12:00:00Z', values: { levelMm: 990 } },
      { at: '2026-11-20T13:00:00Z', values: { levelMm: -500 } },
      { at: '2026-11-20T14:00:00Z', values: { levelMm: 970 } },
    ]);
    // Two thirds of 10 mm, and 20 mm, at 12 L.
    const query = { sensorUid: tank.uid, sumType: 'today', metric: 'L' };
    expect((await world.get('GET /headline/tankflow', query)).json()).toMatchObject({ value: 320 });
  });

  it('with a meter has what flows now', async () => {
    const device = await buildTank(server.database.db, world.farm.id, { type: sensorTypes.TLM_V3 });
    await world.record(device, [{ at: '2026-11-20T20:30:00Z', values: { levelMm: 10, flowLpm: 50 } }]);
    const now = (metric: string) =>
      headline('tankflow', { sensorUid: device.uid, sumType: 'current', metric });
    // 50 L × 60 = 3 m³ in an hour.
    expect(await now('L/min')).toMatchObject({ value: 50, at: '2026-11-20T20:30:00.000Z' });
    expect(await now('m3/h')).toMatchObject({ value: 3 });
  });

  it.each([
    ['today', 'L/min'],
    ['yesterday', 'm3/h'],
    ['current', 'L'],
    ['current', 'm3'],
  ])('has no %s in %s', async (sumType, metric) => {
    const reply = await world.get('GET /headline/tankflow', {
      sensorUid: (await tank()).uid,
      sumType,
      metric,
    });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ code: 'invalid', field: 'metric' });
  });
});

describe('a meter', () => {
  const through = (device: DeviceRow, days: string) =>
    headline('accumulated-flow', { sensorUID: device.uid, days });

  it('has what flows now in three units', async () => {
    const device = await sensor(sensorTypes.FLOW);
    await world.record(device, [{ at: '2026-11-20T20:30:00Z', values: { flowLpm: 150 } }]);
    expect(await headline('flow', { sensorUID: device.uid })).toEqual({
      name: device.name,
      litresPerSecond: 2.5,
      litresPerHour: 9000,
      cubicMetresDay: 216,
      at: '2026-11-20T20:30:00.000Z',
    });
  });

  it('has the litres of today, of yesterday, and of 7 and 30 days with today', async () => {
    const device = await sensor(sensorTypes.FLOW_PULSE, { litrePerPulse: 10 });
    // 10 pulses each: on 22 and 23 October (the 31st and 30th day back), 14 and 15 November (8th and 7th), yesterday, today.
    await world.record(device, [
      { at: '2026-10-21T11:00:00Z', values: { pulsesTotal: 100 } },
      { at: '2026-10-22T11:00:00Z', values: { pulsesTotal: 110 } },
      { at: '2026-10-23T11:00:00Z', values: { pulsesTotal: 120 } },
      { at: '2026-11-13T11:00:00Z', values: { pulsesTotal: 120 } },
      { at: '2026-11-14T11:00:00Z', values: { pulsesTotal: 130 } },
      { at: '2026-11-15T11:00:00Z', values: { pulsesTotal: 140 } },
      { at: '2026-11-19T11:00:00Z', values: { pulsesTotal: 140 } },
      { at: '2026-11-20T11:00:00Z', values: { pulsesTotal: 150 } },
      { at: '2026-11-20T20:30:00Z', values: { pulsesTotal: 160 } },
    ]);
    const sums = [];
    for (const days of ['today', 'yesterday', '7', '30'])
      sums.push(((await through(device, days)) as { value: number }).value);
    expect(sums).toEqual([100, 100, 300, 500]);
    expect(await through(device, 'today')).toEqual({
      name: device.name,
      value: 100,
      at: '2026-11-20T20:30:00.000Z',
    });
  });

  it('that reports a flow has it times the time that it speaks for', async () => {
    const device = await sensor(sensorTypes.FLOW);
    await world.record(device, [
      ...everyMinutes(15, '2026-11-20T12:00:00Z', 5, (index) => ({ flowLpm: index === 0 ? 0 : 20 })),
      // Silent for seven hours, of which the readings at both ends speak for one and a half each.
      { at: '2026-11-20T20:00:00Z', values: { flowLpm: 10 } },
    ]);
    // From 0 to 20 L/min in a quarter of an hour, 20 for 45 minutes; then 20 and 10 for 90 minutes each.
    expect(await through(device, 'today')).toMatchObject({ value: 150 + 900 + 1800 + 900 });
  });

  it('that reports a flow has what its good readings speak for', async () => {
    const device = await sensor(sensorTypes.FLOW);
    await world.record(device, [
      { at: '2026-11-20T12:00:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T12:15:00Z', values: { flowLpm: 200_000 } },
      { at: '2026-11-20T12:30:00Z', values: { flowLpm: 30 } },
    ]);
    // 20 L/min for 30 minutes.
    expect(await through(device, 'today')).toMatchObject({ value: 600 });
  });

  it('that was zeroed counts from then on, and keeps its history', async () => {
    const settings = { enabledFlow: true, litrePerPulse: 10 };
    const device = await buildTank(server.database.db, world.farm.id, { type: sensorTypes.TLM_V3, settings });
    await world.record(device, [
      { at: '2026-11-20T13:00:00Z', values: { pulsesTotal: 500 } },
      { at: '2026-11-20T15:10:00Z', values: { pulsesTotal: 520 } },
      { at: '2026-11-20T15:40:00Z', values: { pulsesTotal: 3 } },
      { at: '2026-11-20T15:55:00Z', values: { pulsesTotal: 5 } },
      { at: '2026-11-20T16:10:00Z', values: { pulsesTotal: 9 } },
    ]);
    const uid = await buildConfigUpdate(server.database.db, device, { type: 112 });
    // Not confirmed yet: 20 pulses, then 9 since the counter began anew.
    expect(await through(device, 'today')).toMatchObject({ value: 290 });
    const confirm = (at: string) =>
      server.database.db
        .updateTable('config_update')
        .set({ processed_at: new Date(at) })
        .where('uid', '=', uid)
        .execute();
    await confirm('2026-11-20T15:30:00Z');
    expect(await through(device, '7')).toMatchObject({ value: 90, at: '2026-11-20T16:10:00.000Z' });
    expect(await through(device, 'yesterday')).toMatchObject({ value: 0 });
    await confirm('2026-11-20T17:00:00Z');
    expect(await through(device, 'today')).toMatchObject({ value: 0, at: '2026-11-20T17:00:00.000Z' });
    expect(
      await headline('tankflow', { sensorUid: device.uid, sumType: 'today', metric: 'L' }),
    ).toMatchObject({ value: 290 });
  });

  it('does not have what another meter in its place has counted in its life', async () => {
    const device = await sensor(sensorTypes.FLOW_PULSE, { litrePerPulse: 10 });
    await world.record(device, [
      { at: '2026-11-20T12:15:00Z', values: { pulsesTotal: 100 } },
      { at: '2026-11-20T12:45:00Z', values: { pulsesTotal: 110 } },
      { at: '2026-11-20T13:15:00Z', values: { pulsesTotal: 900_000_000 } },
      { at: '2026-11-20T14:15:00Z', values: { pulsesTotal: 900_000_005 } },
    ]);
    // 10 pulses of the old one and 5 of the new.
    expect(await through(device, 'today')).toMatchObject({ value: 150 });
  });

  it('that said nothing in that time has nothing known', async () => {
    const device = await sensor(sensorTypes.FLOW);
    expect(await through(device, '7')).toEqual({ name: device.name, value: null, at: null });
    expect(await headline('flow', { sensorUID: device.uid })).toMatchObject({
      litresPerSecond: null,
      at: null,
    });
  });

  it.each([
    ['2026-09-27T08:00:00Z', '2026-09-26T12:00:00Z', 23],
    ['2026-04-05T09:00:00Z', '2026-04-04T11:00:00Z', 25],
  ])('has the whole day of a clock change (%s)', async (now, midnight, hours) => {
    const device = await sensor(sensorTypes.FLOW_PULSE);
    // One pulse every half hour of a day of 23 and of 25 hours, and before and after it.
    const from = new Date(Date.parse(midnight) - 3_600_000).toISOString();
    await world.record(
      device,
      everyMinutes(30, from, hours * 2 + 8, (index) => ({ pulsesTotal: index })),
    );
    server.clock.now = new Date(Date.parse(now) + 12 * 3_600_000);
    expect(await through(device, 'yesterday')).toMatchObject({ value: hours * 2 });
  });
});

describe('inputs and relays', () => {
  const ports = (isOn: (port: number) => boolean) =>
    Object.fromEntries(
      [1, 2, 3, 4, 5, 6].flatMap((port) => [
        [`input${port}`, Number(port === 6)],
        [`relay${port}`, Number(isOn(port))],
      ]),
    );

  it('are those that the gateway told of last, with their titles', async () => {
    const gateway = await buildGateway(server.database.db, world.farm.id);
    expect(await headline('io', { farmUID: world.farm.uid })).toBeNull();
    await world.record(gateway, [
      { at: '2026-11-20T20:00:00Z', values: ports(() => true) },
      { at: '2026-11-20T20:30:00Z', values: ports((port) => port === 2) },
    ]);
    expect(await headline('io', { farmUID: world.farm.uid })).toMatchObject({
      input1: false,
      input6: true,
      relay1: false,
      relay2: true,
      titles: { input1: 'Input 1', relay6: 'Relay 6' },
      at: '2026-11-20T20:30:00.000Z',
    });
  });

  it('of a farm without a gateway that has them are null', async () => {
    expect(await headline('io', { farmUID: world.farm.uid })).toBeNull();
  });
});

it.each<[string, Record<string, string>, string]>([
  ['temperature', { site: '0'.repeat(24), time: '24' }, 'time'],
  ['rain-forecast-accumulated', { lat: '-43.75', long: '171.95', days: '10' }, 'days'],
  ['tankflow', { sensorUid: '0'.repeat(24), sumType: 'tomorrow', metric: 'L' }, 'sumType'],
  ['tankflow', { sensorUid: '0'.repeat(24), sumType: 'today', metric: 'gal' }, 'metric'],
  ['accumulated-flow', { sensorUID: '0'.repeat(24), days: '14' }, 'days'],
])('%s with %j is refused by its field: %s', async (name, query, field) => {
  const all = name === 'temperature' ? { farmUID: world.farm.uid, ...query } : query;
  const reply = await world.get(`GET /headline/${name}`, all);
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toMatchObject({ code: 'invalid', field });
});

describe('what is not there', () => {
  it('is another kind of device, and a device of strangers', async () => {
    const theirs = await buildFarmWorld(server);
    const of = (farmId: number, type: number) => buildDevice(server.database.db, farmId, 'sensor', { type });
    const farmUID = world.farm.uid;
    for (const [farmId, soilType, tankType, meterType] of [
      [world.farm.id, sensorTypes.FLOW, sensorTypes.SOIL_MOISTURE, sensorTypes.SWITCH],
      [theirs.farm.id, sensorTypes.SOIL_MOISTURE, sensorTypes.LEVEL_MM, sensorTypes.FLOW],
    ] as const) {
      const [site, tank, meter] = [
        await of(farmId, soilType),
        await of(farmId, tankType),
        await of(farmId, meterType),
      ];
      for (const [name, query] of [
        ['temperature', { farmUID, site: site.uid }],
        ['accumulated-rainfall', { farmUID, site: site.uid, startDate: '20-11-2026' }],
        ['tank', { sensorUid: tank.uid }],
        ['tankflow', { sensorUid: tank.uid, sumType: 'today', metric: 'L' }],
        ['flow', { sensorUID: meter.uid }],
        ['accumulated-flow', { sensorUID: meter.uid, days: '7' }],
      ] as const) {
        const reply = await world.get(`GET /headline/${name}`, query);
        expect([name, reply.statusCode]).toEqual([name, 404]);
        expect(reply.json()).toMatchObject({ code: 'notFound', errorMessage: expect.any(String) as string });
      }
    }
  });
});

describe('any value that a sensor reports', () => {
  const now = (device: DeviceRow, metric: string) => headline('metric', { sensorUid: device.uid, metric });
  const choices = async () =>
    ((await headline('metrics', { farmUID: world.farm.uid })) as { metrics: object[] }).metrics;

  it('is told with unit, digits and age; what was never reported has no time, what can’t be has no value', async () => {
    const station = await sensor(sensorTypes.FLOW);
    expect(await now(station, 'humidityPercent')).toEqual({
      name: station.name,
      metric: 'humidityPercent',
      label: 'Humidity of the air',
      unit: '%',
      kind: 'gauge',
      isBoolean: false,
      digits: 1,
      value: null,
      at: null,
    });
    await world.record(station, [{ at: '2026-11-20T20:00:00Z', values: { humidityPercent: 61.25 } }]);
    expect(await now(station, 'humidityPercent')).toMatchObject({
      value: 61.25,
      at: '2026-11-20T20:00:00.000Z',
    });
    await world.record(station, [{ at: '2026-11-20T20:30:00Z', values: { humidityPercent: 900 } }]);
    expect(await now(station, 'humidityPercent')).toMatchObject({
      value: null,
      at: '2026-11-20T20:30:00.000Z',
    });
  });

  it('is offered once a sensor of the farm has reported it, our metrics first, sensors by name', async () => {
    const db = server.database.db;
    const [ten, two] = [
      await buildDevice(db, world.farm.id, 'sensor', { type: sensorTypes.FLOW, name: 'Trough 10' }),
      await buildDevice(db, world.farm.id, 'sensor', { type: sensorTypes.FLOW, name: 'Trough 2' }),
    ];
    expect(await choices()).toEqual([]);
    await world.record(ten, [{ at: '2026-11-20T20:00:00Z', values: { 'custom.ph': 7, temperatureC: 9 } }]);
    await world.record(two, [{ at: '2026-11-20T20:00:00Z', values: { temperatureC: 8 } }]);
    const temperature = { metric: 'temperatureC', label: 'Temperature', unit: '°C' };
    expect(await choices()).toEqual([
      { sensorUid: two.uid, sensorName: 'Trough 2', ...temperature },
      { sensorUid: ten.uid, sensorName: 'Trough 10', ...temperature },
      { sensorUid: ten.uid, sensorName: 'Trough 10', metric: 'custom.ph', label: 'ph', unit: '' },
    ]);
  });

  it('is nothing of another farm, of a deleted sensor, or that is no metric or no sensor', async () => {
    const away = await buildFarmWorld(server);
    const other = await buildDevice(server.database.db, away.farm.id, 'sensor', { type: sensorTypes.FLOW });
    await away.record(other, [{ at: '2026-11-20T20:00:00Z', values: { temperatureC: 9 } }]);
    const gone = await sensor(sensorTypes.FLOW);
    await world.record(gone, [{ at: '2026-11-20T20:00:00Z', values: { temperatureC: 9 } }]);
    await server.database.db
      .updateTable('device')
      .set({ deleted_at: new Date() })
      .where('id', '=', gone.id)
      .execute();
    expect(await choices()).toEqual([]);
    const gateway = await buildGateway(server.database.db, world.farm.id);
    const station = await sensor(sensorTypes.FLOW);
    const status = async (device: DeviceRow, metric: string) =>
      (await world.get('GET /headline/metric', { sensorUid: device.uid, metric })).statusCode;
    expect([await status(gateway, 'temperatureC'), await status(station, 'nonsense')]).toEqual([404, 404]);
    expect(await status(other, 'temperatureC')).not.toBe(200);
  });

  it('that a mapping made on screen names shows with its first report, when pages are told of it', async () => {
    const mac = 'A84041FFFF00A0A0';
    const station = await buildDevice(server.database.db, world.farm.id, 'sensor', {
      type: sensorTypes.FLOW,
      mac,
    });
    const saved = await world.send('PUT /sensor/decoding', {
      deviceId: station.uid,
      codecId: null,
      mapping: [
        { path: 'air.humidity', metric: 'humidityPercent' },
        { path: 'ph', metric: 'custom.ph', name: 'pH of the trough', unit: 'pH' },
      ],
    });
    expect(saved.statusCode).toBe(200);
    // At the moment in which open pages are told.
    const asked: Promise<unknown>[] = [];
    const onCommitted = () =>
      asked.push(now(station, 'custom.ph'), world.get('GET /series/list', { deviceId: station.uid }));
    const kit = await createIngestKit({ onCommitted }, server.database, world.farm);
    const object = { air: { humidity: 61.25 }, ph: 7.25 };
    const { topic, body } = chirpstackUplink(mac, '00', { at: '2026-11-20T20:59:00Z', object });
    kit.send('', body, { topic, sender: networkServerOf(world.farm.id) });
    await kit.decoded();
    await kit.close();
    const [headlineOfPh, everything] = await Promise.all(asked);
    expect(headlineOfPh).toMatchObject({ label: 'pH of the trough', unit: 'pH', value: 7.25 });
    expect((everything as Awaited<ReturnType<typeof world.get>>).json()).toMatchObject({
      series: expect.arrayContaining([
        expect.objectContaining({ metric: 'humidityPercent', value: 61.25, unit: '%' }),
        expect.objectContaining({ metric: 'custom.ph', value: 7.25 }),
      ]) as unknown,
    });
    expect(await choices()).toContainEqual({
      sensorUid: station.uid,
      sensorName: station.name,
      metric: 'custom.ph',
      label: 'pH of the trough',
      unit: 'pH',
    });
  });
});
