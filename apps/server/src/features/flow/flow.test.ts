import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { FlowPoint } from '@headrace/contract/tanks';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose day began at 11:00Z.
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const meter = (type: number, settings = {}) =>
  buildDevice(server.database.db, world.farm.id, 'sensor', { type, settings: JSON.stringify(settings) });

async function history(device: DeviceRow, query = {}): Promise<FlowPoint[]> {
  const reply = await world.get('GET /flow/history', { serial: device.serial_number, ...query });
  expect(reply.statusCode).toBe(200);
  return reply.json<{ history: FlowPoint[] }>().history;
}

const time = (text: string) => `2026-11-${text}:00.000Z`;

/** Mean in L/min, litres, minutes that are known of, and the most in L/min. */
const summary = (points: readonly FlowPoint[]) =>
  points.map(({ time, avgLitrePerMinute, litres, minutes, peakLitrePerMinute, generated }) => [
    time.slice(8, 16),
    avgLitrePerMinute,
    litres,
    minutes,
    peakLitrePerMinute,
    generated ? 'shared' : 'heard',
  ]);

describe('flow history', () => {
  it('is the mean over time of what the meter reports, by hour', async () => {
    const device = await meter(sensorTypes.FLOW);
    await world.record(device, [
      { at: '2026-11-20T14:00:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T14:30:00Z', values: { flowLpm: 20 } },
      { at: '2026-11-20T14:45:00Z', values: { flowLpm: null } },
      { at: '2026-11-20T16:30:00Z', values: { flowLpm: 0 } },
    ]);
    // 10 and 20 L/min for a quarter of an hour each, then 20 for an hour and 0 for an hour.
    expect(summary(await history(device))).toEqual([
      ['20T14:00', 17.5, 1050, 60, 20, 'heard'],
      ['20T15:00', 10, 600, 60, null, 'shared'],
      ['20T16:00', 0, 0, 30, 0, 'heard'],
    ]);
  });

  it('is the same however often the meter reports while it runs', async () => {
    const seldom = await meter(sensorTypes.FLOW);
    const often = await meter(sensorTypes.FLOW);
    // 60 L/min from 14:00 to 14:30, nothing in the hours beside.
    const flowAt = (minute: number) => ({ flowLpm: minute >= 60 && minute < 90 ? 60 : 0 });
    const report = (minute: number) => ({
      at: new Date(Date.parse('2026-11-20T13:00:30Z') + minute * 60_000).toISOString(),
      values: flowAt(minute),
    });
    const minutes = Array.from({ length: 181 }, (_, minute) => minute);
    await world.record(seldom, minutes.map(report));
    await world.record(
      often,
      minutes.filter((minute) => minute % 30 === 0 || (minute >= 59 && minute <= 91)).map(report),
    );
    for (const device of [seldom, often]) {
      const total = (await history(device)).reduce((sum, { litres }) => sum + (litres ?? 0), 0);
      expect(total).toBeCloseTo(1800, 0);
      const [day] = await history(device, { days: '365' });
      expect(day?.litres).toBeCloseTo(1800, 0);
      expect((day?.avgLitrePerMinute ?? 0) * (day?.minutes ?? 0)).toBeCloseTo(1800, -1);
    }
  });

  it('knows nothing of more than an hour and a half beside a reading', async () => {
    const device = await meter(sensorTypes.FLOW);
    await world.record(device, [
      { at: '2026-11-20T12:00:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T18:00:00Z', values: { flowLpm: 20 } },
    ]);
    expect(summary(await history(device))).toEqual([
      ['20T12:00', 10, 600, 60, 10, 'heard'],
      ['20T13:00', 10, 300, 30, null, 'shared'],
      ['20T16:00', 20, 600, 30, null, 'shared'],
      ['20T17:00', 20, 1200, 60, null, 'shared'],
      ['20T18:00', 20, null, 0, 20, 'heard'],
    ]);
    expect(summary(await history(device, { days: '61' }))).toEqual([
      ['20T11:00', 15, 2700, 180, 20, 'heard'],
    ]);
  });

  it('is of what can be a flow, of one meter and of all', async () => {
    const own = await buildFarmWorld(server);
    const device = await buildDevice(server.database.db, own.farm.id, 'sensor', { type: sensorTypes.FLOW });
    await own.record(device, [
      { at: '2026-11-20T14:00:00Z', values: { flowLpm: 200_000 } },
      { at: '2026-11-20T14:15:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T14:30:00Z', values: { flowLpm: 20 } },
      { at: '2026-11-20T15:00:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T15:30:00Z', values: { flowLpm: 50 } },
      { at: '2026-11-20T15:45:00Z', values: { flowLpm: -3 } },
      { at: '2026-11-20T16:00:00Z', values: { flowLpm: -3 } },
      { at: '2026-11-20T17:00:00Z', values: { flowLpm: 30 } },
    ]);
    const hourly = [
      // 15 L/min for 15 minutes, 20 and 10 for 15 each.
      ['20T14:00', 15, 675, 45, 20, 'heard'],
      // 10 for 15, 50 for 45.
      ['20T15:00', 40, 2400, 60, 50, 'heard'],
      // 50 for 15, 30 for 45; nothing good was read.
      ['20T16:00', 35, 2100, 60, null, 'shared'],
      ['20T17:00', 30, null, 0, 30, 'heard'],
    ];
    const daily = [['20T11:00', 31.36, 5175, 165, 50, 'heard']];
    for (const [days, expected] of [
      ['1', hourly],
      ['365', daily],
    ] as const) {
      const one = await own.get('GET /flow/history', { serial: device.serial_number, days });
      expect(summary(one.json<{ history: FlowPoint[] }>().history)).toEqual(expected);
      const all = await own.get('GET /flow/histories', { farmUID: own.farm.uid, days });
      expect(all.json()).toEqual({ meters: [{ _id: device.uid, history: one.json().history }] });
    }
  });

  it('is daily beyond 60 days, by the days of the farm', async () => {
    const device = await meter(sensorTypes.FLOW);
    await world.record(device, [
      { at: '2026-11-19T10:59:00Z', values: { flowLpm: 5 } },
      { at: '2026-11-19T11:00:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T10:59:00Z', values: { flowLpm: 20 } },
    ]);
    // Half a minute each; then an hour and a half each.
    expect(summary(await history(device, { days: '365' }))).toEqual([
      ['18T11:00', 7.5, 7.5, 1, 5, 'heard'],
      ['19T11:00', 15, 2700, 180, 20, 'heard'],
    ]);
  });

  it('of a meter that counts is its litres, each step evenly over its own time', async () => {
    const device = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 100 });
    await world.record(device, [
      { at: '2026-11-20T13:45:00Z', values: { pulsesTotal: 1000 } },
      { at: '2026-11-20T14:15:00Z', values: { pulsesTotal: 1003 } },
      { at: '2026-11-20T14:30:00Z', values: { pulsesTotal: 1006 } },
      { at: '2026-11-20T16:45:00Z', values: { pulsesTotal: 1006 } },
    ]);
    // 300 L in half an hour, 300 in a quarter, then nothing.
    expect(summary(await history(device))).toEqual([
      ['20T13:00', 10, 150, 15, null, 'heard'],
      ['20T14:00', 7.5, 450, 60, 20, 'heard'],
      ['20T15:00', 0, 0, 60, null, 'shared'],
      ['20T16:00', 0, 0, 45, 0, 'heard'],
    ]);
    expect(summary(await history(device, { days: '61' }))).toEqual([
      ['20T11:00', 3.33, 600, 180, 20, 'heard'],
    ]);
  });

  it('has no water of a total that fell and came back: nobody measured that, nor how fast it was', async () => {
    const device = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 100 });
    await world.record(device, [
      { at: '2026-11-20T13:45:00Z', values: { pulsesTotal: 1000 } },
      { at: '2026-11-20T14:15:00Z', values: { pulsesTotal: 1003 } },
      { at: '2026-11-20T14:20:00Z', values: { pulsesTotal: 0 } },
      { at: '2026-11-20T14:25:00Z', values: { pulsesTotal: 0 } },
      { at: '2026-11-20T14:45:00Z', values: { pulsesTotal: 1006 } },
    ]);
    // 300 L in half an hour, and 300 more in the next.
    expect(summary(await history(device))).toEqual([
      ['20T13:00', 10, 150, 15, null, 'heard'],
      ['20T14:00', 10, 450, 45, null, 'heard'],
    ]);
    expect(summary(await history(device, { days: '61' }))).toEqual([
      ['20T11:00', 10, 600, 60, null, 'heard'],
    ]);
  });

  it('has all water of a meter that is zeroed each morning, also where it passes what it had the day before', async () => {
    const device = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 100 });
    await world.record(device, [
      { at: '2026-11-18T20:00:00Z', values: { pulsesTotal: 0 } },
      { at: '2026-11-19T01:00:00Z', values: { pulsesTotal: 30 } },
      { at: '2026-11-19T20:00:00Z', values: { pulsesTotal: 0 } },
      { at: '2026-11-20T01:00:00Z', values: { pulsesTotal: 50 } },
    ]);
    const days = await history(device, { days: '61' });
    expect(days.reduce((sum, { litres }) => sum + (litres ?? 0), 0)).toBe(8000);
  });

  it('of a meter that was silent has its share in each hour of the silence', async () => {
    const device = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 10 });
    await world.record(device, [
      { at: '2026-11-20T14:30:00Z', values: { pulsesTotal: 0 } },
      { at: '2026-11-20T17:30:00Z', values: { pulsesTotal: 18 } },
    ]);
    expect(summary(await history(device))).toEqual([
      ['20T14:00', 1, 30, 30, null, 'heard'],
      ['20T15:00', 1, 60, 60, null, 'shared'],
      ['20T16:00', 1, 60, 60, null, 'shared'],
      ['20T17:00', 1, 30, 30, 1, 'heard'],
    ]);
  });

  it('goes by what a meter counted where it tells a flow too, and by the flow before it counted', async () => {
    const device = await meter(sensorTypes.FLOW, { litrePerPulse: 10 });
    await world.record(device, [
      { at: '2026-11-20T12:00:00Z', values: { flowLpm: 30 } },
      { at: '2026-11-20T13:00:00Z', values: { flowLpm: 30 } },
      { at: '2026-11-20T14:00:00Z', values: { flowLpm: 90, pulsesTotal: 0 } },
      { at: '2026-11-20T15:00:00Z', values: { flowLpm: 90, pulsesTotal: 30 } },
    ]);
    expect(summary(await history(device))).toEqual([
      ['20T12:00', 30, 1800, 60, 30, 'heard'],
      ['20T13:00', 60, 3600, 60, 30, 'heard'],
      ['20T14:00', 5, 300, 60, null, 'heard'],
      ['20T15:00', 90, null, 0, 90, 'heard'],
    ]);
  });

  it('of a meter that sends pulses since its last message is the same', async () => {
    const device = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 10 });
    await world.record(device, [
      { at: '2026-11-20T13:45:00Z', values: { pulses: 99 } },
      { at: '2026-11-20T14:15:00Z', values: { pulses: 6 } },
      { at: '2026-11-20T14:45:00Z', values: { pulses: 12 } },
    ]);
    // Since when the first one counted isn't known.
    expect(summary(await history(device))).toEqual([
      ['20T13:00', 2, 30, 15, null, 'heard'],
      ['20T14:00', 3.33, 150, 45, 4, 'heard'],
    ]);
  });

  it('has the same litres by hour as by day, and as were counted, whatever the times of the readings', async () => {
    const own = await buildFarmWorld(server);
    const isRate = fc.boolean();
    // Times within the last 30 days, in minutes before the clock; counts of up to ten pulses, through restarts.
    const readings = fc.uniqueArray(
      fc.tuple(fc.integer({ min: 1, max: 43_000 }), fc.integer({ min: 0, max: 10 })),
      {
        selector: ([ago]) => ago,
        minLength: 2,
        maxLength: 40,
      },
    );
    await fc.assert(
      fc.asyncProperty(isRate, readings, async (rate, rows) => {
        const device = await buildDevice(server.database.db, own.farm.id, 'sensor', {
          type: sensorTypes.FLOW,
        });
        const sorted = rows.toSorted(([a], [b]) => b - a);
        let count = 0;
        const reports = sorted.map(([ago, value], index) => {
          count = index % 13 === 12 ? 0 : count + value;
          const at = new Date(Date.parse('2026-11-20T21:00:00Z') - ago * 60_000).toISOString();
          return { at, values: { [rate ? 'flowLpm' : 'volumeTotalL']: rate ? value : count } };
        });
        await own.record(device, reports);
        const points = async (days: string) => {
          const reply = await own.get('GET /flow/history', { serial: device.serial_number, days });
          return reply.json<{ history: FlowPoint[] }>().history;
        };
        const litresOf = (of: FlowPoint[]) => of.reduce((sum, { litres }) => sum + (litres ?? 0), 0);
        const [hours, days] = [await points('32'), await points('61')];
        const steps = sorted.slice(1).map(([ago, value], index) => {
          const [agoBefore, valueBefore] = sorted[index] ?? [0, 0];
          return rate
            ? ((value + valueBefore) / 2) * Math.min(180, agoBefore - ago)
            : (index + 1) % 13 === 12
              ? 0
              : value;
        });
        const truth = steps.reduce((sum, step) => sum + step, 0);
        // Each point is rounded to a hundredth of a litre.
        expect(Math.abs(litresOf(hours) - truth)).toBeLessThan(0.01 * hours.length + 0.01);
        expect(Math.abs(litresOf(days) - truth)).toBeLessThan(0.01 * days.length + 0.01);
        for (const { avgLitrePerMinute, minutes, litres } of days)
          if (litres !== null)
            expect(Math.abs((avgLitrePerMinute ?? 0) * minutes - litres)).toBeLessThan(0.01 * minutes + 0.2);
      }),
      { numRuns: 30 },
    );
  });

  it('of an analog meter starts at its zero', async () => {
    const device = await meter(sensorTypes.FLOW_ANALOG, { offset: 4 });
    await world.record(device, [
      { at: '2026-11-20T14:00:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T15:00:00Z', values: { flowLpm: 3.9 } },
    ]);
    // 6 for half an hour and nothing for half an hour; the last one says what flowed then.
    expect((await history(device)).map((point) => point.avgLitrePerMinute)).toEqual([3, 0]);
  });

  it('of a tank unit with a meter is there, and of one without it is empty', async () => {
    const tank = await buildTank(server.database.db, world.farm.id, { type: sensorTypes.TLM_V3 });
    expect(await history(tank)).toEqual([]);
    await world.record(tank, [{ at: '2026-11-20T14:00:00Z', values: { levelMm: 10, flowLpm: 2 } }]);
    expect(summary(await history(tank))).toEqual([['20T14:00', 2, null, 0, 2, 'heard']]);
  });

  it('of anything but a sensor, and of a meter on a farm of strangers, is not there', async () => {
    const sprinkler = await buildDevice(server.database.db, world.farm.id, 'sprinkler');
    const theirs = await buildFarmWorld(server);
    const foreign = await buildDevice(server.database.db, theirs.farm.id, 'sensor', {
      type: sensorTypes.FLOW,
    });
    for (const { serial_number } of [sprinkler, foreign])
      expect((await world.get('GET /flow/history', { serial: serial_number })).statusCode).toBe(404);
  });
});

describe('the histories of all meters of a farm', () => {
  it('are those of each, by name, hourly and daily, without the tanks', async () => {
    const here = await buildFarmWorld(server);
    const add = (name: string, type: number, settings = {}) =>
      buildDevice(server.database.db, here.farm.id, 'sensor', {
        name,
        type,
        settings: JSON.stringify(settings),
      });
    const weir = await add('Weir', sensorTypes.FLOW);
    const bore = await add('Bore', sensorTypes.FLOW_PULSE, { litrePerPulse: 100 });
    const silent = await add('Silent', sensorTypes.FLOW);
    const tank = await buildTank(server.database.db, here.farm.id, { type: sensorTypes.TLM_V3 });
    await here.record(weir, [{ at: '2026-11-20T14:30:00Z', values: { flowLpm: 20 } }]);
    await here.record(tank, [{ at: '2026-11-20T14:30:00Z', values: { flowLpm: 2 } }]);
    await here.record(bore, [
      { at: '2026-11-20T13:45:00Z', values: { pulsesTotal: 1000 } },
      { at: '2026-11-20T14:45:00Z', values: { pulsesTotal: 1006 } },
    ]);
    const reply = await here.get('GET /flow/histories', { farmUID: here.farm.uid });
    // The bore's 600 L in 60 minutes.
    const all = reply.json<{ meters: { _id: string; history: FlowPoint[] }[] }>().meters;
    expect(all.map(({ _id, history }) => [_id, summary(history)])).toEqual([
      [
        bore.uid,
        [
          ['20T13:00', 10, 150, 15, null, 'heard'],
          ['20T14:00', 10, 450, 45, 10, 'heard'],
        ],
      ],
      [silent.uid, []],
      [weir.uid, [['20T14:00', 20, null, 0, 20, 'heard']]],
    ]);
    const daily = await here.get('GET /flow/histories', { farmUID: here.farm.uid, days: '365' });
    expect(daily.json()).toMatchObject({ meters: [{}, {}, { history: [{ time: time('20T11:00') }] }] });
  });
});
