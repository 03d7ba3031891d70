import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SensorMonitor } from '@headrace/contract/sensors';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { everyMinutes } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose day began at 11:00Z.
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const sensor = (type: number, settings = {}) =>
  buildDevice(server.database.db, world.farm.id, 'sensor', { type, settings: JSON.stringify(settings) });
const tank = () => buildTank(server.database.db, world.farm.id);

async function monitor({ uid }: DeviceRow): Promise<SensorMonitor> {
  const reply = await world.get('GET /sensor/monitor', { sensorUid: uid });
  expect(reply.statusCode).toBe(200);
  return reply.json<SensorMonitor>();
}

describe('what a sensor says now', () => {
  it('is nothing where it never spoke', async () => {
    const device = await tank();
    expect(await monitor(device)).toEqual({
      sensorUid: device.uid,
      name: device.name,
      type: sensorTypes.LEVEL_MM,
      statusTime: null,
      status: 1,
      invalid: false,
      value: null,
      rawValue: null,
      battery: null,
      unit: '%',
      since: null,
    });
  });

  it.each([
    ['2026-11-20T18:00:00Z', 2],
    ['2026-11-20T17:59:59Z', 3],
    ['2026-11-19T21:00:00Z', 3],
    ['2026-11-19T20:59:59Z', 4],
  ])('was heard at %s: status %d', async (at, status) => {
    const device = await tank();
    await world.record(device, [{ at, values: { levelMm: 750, batteryV: 3.55 } }]);
    // (500 + 750) / 2500, and half way from 3.0 V to 4.1 V.
    expect(await monitor(device)).toMatchObject({ status, value: 50, rawValue: 750, battery: 50, unit: '%' });
  });

  it('of a tank that says what can not be is marked', async () => {
    const device = await tank();
    await world.record(device, [{ at: '2026-11-20T20:00:00Z', values: { levelMm: 9999 } }]);
    expect(await monitor(device)).toMatchObject({ invalid: true, value: null, rawValue: 9999 });
  });

  it('of a meter is its flow', async () => {
    const device = await sensor(sensorTypes.FLOW_ANALOG, { offset: 4 });
    await world.record(device, [{ at: '2026-11-20T20:00:00Z', values: { flowLpm: 10, batteryPercent: 70 } }]);
    expect(await monitor(device)).toMatchObject({ value: 6, rawValue: 10, battery: 70, unit: 'L/min' });
  });

  it.each([
    [
      { swp1Kpa: 20, swp2Kpa: 40 },
      { value: 30, rawValue: 20, invalid: false },
    ],
    [
      { swp1Kpa: 255, swp2Kpa: 40 },
      { value: 40, rawValue: 255, invalid: false },
    ],
    [
      { swp1Kpa: 255, swp2Kpa: null },
      { value: null, rawValue: 255, invalid: true },
    ],
  ])('of a soil site that says %j is the mean of what can be', async (values, said) => {
    const device = await sensor(sensorTypes.SOIL_MOISTURE);
    await world.record(device, [{ at: '2026-11-20T20:00:00Z', values }]);
    expect(await monitor(device)).toMatchObject({ ...said, unit: 'kPa' });
  });

  it('of a switch is on or off, with since when', async () => {
    const device = await sensor(sensorTypes.SWITCH);
    await world.record(device, [
      { at: '2026-11-08T12:00:00Z', values: { switch: 0 } },
      ...everyMinutes(60, '2026-11-10T00:00:00Z', 100, () => ({ switch: 1 })),
      { at: '2026-11-15T03:10:00Z', values: { switch: 0 } },
      { at: '2026-11-15T03:20:00Z', values: { switch: 1 } },
      { at: '2026-11-15T03:30:00Z', values: { switch: null } },
      { at: '2026-11-17T04:00:00Z', values: { switch: 1 } },
    ]);
    expect(await monitor(device)).toMatchObject({
      value: 1,
      unit: '',
      statusTime: '2026-11-17T04:00:00.000Z',
      since: '2026-11-15T03:20:00.000Z',
    });
  });

  it('of a switch that was never touched has stood so since it was heard first', async () => {
    const device = await sensor(sensorTypes.SWITCH);
    await world.record(
      device,
      everyMinutes(720, '2026-11-10T00:00:00Z', 9, () => ({ switch: 0 })),
    );
    expect(await monitor(device)).toMatchObject({ value: 0, since: '2026-11-10T00:00:00.000Z' });
  });
});

describe('what a sensor has said', () => {
  const history = async (device: DeviceRow, dataType: string, startDate: string, endDate = '21-11-2026') => {
    const reply = await world.get('GET /sensor-history/:id', {
      id: device.uid,
      startDate,
      endDate,
      dataType,
    });
    expect(reply.statusCode).toBe(200);
    return reply.json<{ unit: string; history: { time: string; value: number | null }[] }>();
  };
  const spans = ['21-11-2026', '01-11-2026', '01-08-2026'];

  it('of a tank is its level by reading, hour and day', async () => {
    const device = await tank();
    await world.record(device, [
      { at: '2026-11-20T12:00:00Z', values: { levelMm: 250 } },
      { at: '2026-11-20T12:30:00Z', values: { levelMm: 500 } },
      { at: '2026-11-20T12:45:00Z', values: { levelMm: null } },
      { at: '2026-11-20T13:00:00Z', values: { levelMm: 750 } },
    ]);
    const values = await Promise.all(spans.map((from) => history(device, 'value', from)));
    expect(values.map(({ unit }) => unit)).toEqual(['%', '%', '%']);
    // 30, 40 and 50 %; the hour of 12:00 is 35 %, the day 40 %.
    expect(values.map((span) => span.history.map(({ value }) => value))).toEqual([
      [30, 40, null, 50],
      [35, 50],
      [40],
    ]);
  });

  it('of what a tank used adds up to the same by reading, hour and day', async () => {
    const device = await tank();
    await world.record(device, [
      { at: '2026-11-20T10:50:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T11:10:00Z', values: { levelMm: 950 } },
      { at: '2026-11-20T11:30:00Z', values: { levelMm: 1200 } },
      { at: '2026-11-20T15:30:00Z', values: { levelMm: 1100 } },
    ]);
    const values = await Promise.all(spans.map((from) => history(device, 'usage', from)));
    // 12 L to the mm: 50 mm over midnight, a rise, and 100 mm in four hours, evenly.
    expect(values.map((span) => span.history.map(({ value }) => value))).toEqual([
      [600, 0, 1200],
      [300, 300 + 150, 300, 300, 300, 150],
      [300, 1500],
    ]);
  });

  it('of what a tank used counts over a reading that the device called invalid', async () => {
    const device = await tank();
    await world.record(device, [
      { at: '2026-11-20T11:10:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T11:20:00Z', values: { levelMm: null } },
      { at: '2026-11-20T11:30:00Z', values: { levelMm: 950 } },
      { at: '2026-11-20T12:30:00Z', values: { levelMm: 900 } },
    ]);
    const values = await Promise.all(spans.map((from) => history(device, 'usage', from)));
    expect(values.map((span) => span.history.map(({ value }) => value))).toEqual([
      [0, 600, 600],
      [900, 300],
      [1200],
    ]);
  });

  it('of what a tank used, and its level, are the same over readings that can not be', async () => {
    const device = await tank();
    await world.record(device, [
      { at: '2026-11-20T10:50:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T10:55:00Z', values: { levelMm: 9999 } },
      { at: '2026-11-20T11:10:00Z', values: { levelMm: 950 } },
      { at: '2026-11-20T11:20:00Z', values: { levelMm: -500 } },
      { at: '2026-11-20T11:30:00Z', values: { levelMm: 1050 } },
      { at: '2026-11-20T15:30:00Z', values: { levelMm: 850 } },
    ]);
    // 12 L to the mm: 50 mm over midnight, a rise, 200 mm in four hours.
    const used = await Promise.all(spans.map((from) => history(device, 'usage', from)));
    expect(used.map((span) => span.history.map(({ value }) => value))).toEqual([
      [600, 0, 2400],
      [300, 300 + 300, 600, 600, 600, 300],
      [300, 2700],
    ]);
    const level = await Promise.all(spans.map((from) => history(device, 'value', from)));
    expect(level.map((span) => span.history.map(({ value }) => value))).toEqual([
      [58, null, 62, 54],
      [60, 60, 54],
      [60, 58],
    ]);
  });

  it('of the litres of a meter that reports a flow speak over a reading that can not be', async () => {
    const device = await sensor(sensorTypes.FLOW);
    await world.record(device, [
      { at: '2026-11-20T11:00:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T11:30:00Z', values: { flowLpm: 200_000 } },
      { at: '2026-11-20T12:00:00Z', values: { flowLpm: 20 } },
    ]);
    const litres = await Promise.all(spans.map((from) => history(device, 'usage', from)));
    // 10 and 20 L/min for half an hour each.
    expect(litres.map((span) => span.history.map(({ value }) => value))).toEqual([[900], [900], [900]]);
  });

  it('of a meter is its flow, and its litres', async () => {
    const device = await sensor(sensorTypes.FLOW_PULSE, { litrePerPulse: 30 });
    await world.record(
      device,
      everyMinutes(15, '2026-11-20T11:00:00Z', 9, (index) => ({
        pulsesTotal: 65_530 + index - (index > 5 ? 65_536 : 0),
      })),
    );
    // 30 L in 15 minutes, also over the end of the register.
    for (const from of spans) {
      const { unit, history: flows } = await history(device, 'flow', from);
      expect(unit).toBe('L/min');
      expect(new Set(flows.map(({ value }) => value))).toEqual(new Set([2]));
      const litres = (await history(device, 'usage', from)).history;
      expect(litres.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(240);
    }
  });

  it('of a soil site is the mean of its probes, and its temperature', async () => {
    const device = await sensor(sensorTypes.SOIL_MOISTURE);
    await world.record(device, [
      { at: '2026-11-20T12:00:00Z', values: { swp1Kpa: 20, swp2Kpa: 40, temperatureC: 11 } },
      { at: '2026-11-20T12:30:00Z', values: { swp1Kpa: 30, swp2Kpa: 255 } },
    ]);
    expect((await history(device, 'value', '21-11-2026')).history.map(({ value }) => value)).toEqual([
      30, 30,
    ]);
    expect(await history(device, 'temperature', '21-11-2026')).toEqual({
      unit: '°C',
      history: [{ time: '2026-11-20T12:00:00.000Z', value: 11 }],
    });
    expect((await history(device, 'usage', '21-11-2026')).history).toEqual([]);
  });

  it('of a switch are its states, and the last of an hour', async () => {
    const device = await sensor(sensorTypes.SWITCH);
    await world.record(device, [
      { at: '2026-11-20T12:00:00Z', values: { switch: 1, batteryV: 4.1 } },
      { at: '2026-11-20T12:30:00Z', values: { switch: 0, batteryV: 3 } },
    ]);
    expect((await history(device, 'value', spans[0] ?? '')).history.map(({ value }) => value)).toEqual([
      1, 0,
    ]);
    expect((await history(device, 'value', spans[1] ?? '')).history.map(({ value }) => value)).toEqual([0]);
    const battery = await history(device, 'battery', spans[0] ?? '');
    expect(battery).toMatchObject({ unit: '%', history: [{ value: 100 }, { value: 0 }] });
  });

  it('ends with the day that is asked for, and days that can not be are refused', async () => {
    const device = await tank();
    await world.record(device, [
      { at: '2026-11-19T10:59:00Z', values: { levelMm: 750 } },
      { at: '2026-11-19T11:00:00Z', values: { levelMm: 1000 } },
    ]);
    const { history: ofDay } = await history(device, 'value', '19-11-2026', '19-11-2026');
    expect(ofDay).toEqual([{ time: '2026-11-19T10:59:00.000Z', value: 50 }]);
    for (const [startDate, endDate, field] of [
      ['31-11-2026', '01-12-2026', 'startDate'],
      ['19-11-2026', '18-11-2026', 'endDate'],
    ] as const) {
      const query = { id: device.uid, startDate, endDate, dataType: 'value' };
      const reply = await world.get('GET /sensor-history/:id', query);
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({ field });
    }
  });
});

it('has nothing to say of other kinds of devices, and of sensors of strangers', async () => {
  const sprinkler = await buildDevice(server.database.db, world.farm.id, 'sprinkler');
  const theirs = await buildTank(server.database.db, (await buildFarmWorld(server)).farm.id);
  for (const { uid } of [sprinkler, theirs]) {
    const days = { startDate: '20-11-2026', endDate: '21-11-2026', dataType: 'value' };
    expect((await world.get('GET /sensor/monitor', { sensorUid: uid })).statusCode).toBe(404);
    expect((await world.get('GET /sensor-history/:id', { id: uid, ...days })).statusCode).toBe(404);
  }
});
