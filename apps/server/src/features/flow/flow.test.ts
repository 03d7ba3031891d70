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

describe('flow history', () => {
  it('is the mean of what the meter reports, by hour; nothing where it was silent', async () => {
    const device = await meter(sensorTypes.FLOW);
    await world.record(device, [
      { at: '2026-11-20T14:00:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T14:30:00Z', values: { flowLpm: 20 } },
      { at: '2026-11-20T14:45:00Z', values: { flowLpm: null } },
      { at: '2026-11-20T16:30:00Z', values: { flowLpm: 0 } },
    ]);
    expect(await history(device)).toEqual([
      { time: time('20T14:00'), avgLitrePerMinute: 15 },
      { time: time('20T16:00'), avgLitrePerMinute: 0 },
    ]);
  });

  it('is the mean of what can be a flow, of one meter and of all', async () => {
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
      { time: time('20T14:00'), avgLitrePerMinute: 15 },
      { time: time('20T15:00'), avgLitrePerMinute: 30 },
      { time: time('20T16:00'), avgLitrePerMinute: null },
      { time: time('20T17:00'), avgLitrePerMinute: 30 },
    ];
    // Five readings of 120 L/min in all.
    const daily = [{ time: time('20T11:00'), avgLitrePerMinute: 24 }];
    for (const [days, expected] of [
      ['1', hourly],
      ['365', daily],
    ] as const) {
      const one = await own.get('GET /flow/history', { serial: device.serial_number, days });
      expect(one.json()).toEqual({ history: expected });
      const all = await own.get('GET /flow/histories', { farmUID: own.farm.uid, days });
      expect(all.json()).toEqual({ meters: [{ _id: device.uid, history: expected }] });
    }
  });

  it('is daily beyond 60 days, by the days of the farm', async () => {
    const device = await meter(sensorTypes.FLOW);
    await world.record(device, [
      { at: '2026-11-19T10:59:00Z', values: { flowLpm: 5 } },
      { at: '2026-11-19T11:00:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T10:59:00Z', values: { flowLpm: 20 } },
    ]);
    expect(await history(device, { days: '365' })).toEqual([
      { time: time('18T11:00'), avgLitrePerMinute: 5 },
      { time: time('19T11:00'), avgLitrePerMinute: 15 },
    ]);
  });

  it('of a meter that counts is its litres over the time since the reading before', async () => {
    const device = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 100 });
    await world.record(device, [
      { at: '2026-11-20T13:45:00Z', values: { pulsesTotal: 1000 } },
      { at: '2026-11-20T14:15:00Z', values: { pulsesTotal: 1003 } },
      { at: '2026-11-20T14:45:00Z', values: { pulsesTotal: 1006 } },
      { at: '2026-11-20T16:45:00Z', values: { pulsesTotal: 1006 } },
    ]);
    // 600 L in 60 minutes, then nothing in two hours. Of the first reading alone no flow is known.
    expect(await history(device)).toEqual([
      { time: time('20T14:00'), avgLitrePerMinute: 10 },
      { time: time('20T16:00'), avgLitrePerMinute: 0 },
    ]);
  });

  it('of a meter that sends pulses since its last message is the same', async () => {
    const device = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 10 });
    await world.record(device, [
      { at: '2026-11-20T13:45:00Z', values: { pulses: 99 } },
      { at: '2026-11-20T14:15:00Z', values: { pulses: 6 } },
      { at: '2026-11-20T14:45:00Z', values: { pulses: 12 } },
    ]);
    expect(await history(device)).toEqual([{ time: time('20T14:00'), avgLitrePerMinute: 3 }]);
  });

  it('of an analog meter starts at its zero', async () => {
    const device = await meter(sensorTypes.FLOW_ANALOG, { offset: 4 });
    await world.record(device, [
      { at: '2026-11-20T14:00:00Z', values: { flowLpm: 10 } },
      { at: '2026-11-20T15:00:00Z', values: { flowLpm: 3.9 } },
    ]);
    expect((await history(device)).map((point) => point.avgLitrePerMinute)).toEqual([6, 0]);
  });

  it('of a tank unit with a meter is there, and of one without it is empty', async () => {
    const tank = await buildTank(server.database.db, world.farm.id, { type: sensorTypes.TLM_V3 });
    expect(await history(tank)).toEqual([]);
    await world.record(tank, [{ at: '2026-11-20T14:00:00Z', values: { levelMm: 10, flowLpm: 2 } }]);
    expect(await history(tank)).toEqual([{ time: time('20T14:00'), avgLitrePerMinute: 2 }]);
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
    expect(reply.json()).toEqual({
      meters: [
        { _id: bore.uid, history: [{ time: time('20T14:00'), avgLitrePerMinute: 10 }] },
        { _id: silent.uid, history: [] },
        { _id: weir.uid, history: [{ time: time('20T14:00'), avgLitrePerMinute: 20 }] },
      ],
    });
    const daily = await here.get('GET /flow/histories', { farmUID: here.farm.uid, days: '365' });
    expect(daily.json()).toMatchObject({ meters: [{}, {}, { history: [{ time: time('20T11:00') }] }] });
  });
});
