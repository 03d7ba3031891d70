import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FlowSummary } from '@headrace/contract/flow';
import { sensorTypes } from '@headrace/contract/sensor-types';
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

const meter = (type: number, settings = {}, values = {}) =>
  buildDevice(server.database.db, world.farm.id, 'sensor', {
    type,
    settings: JSON.stringify(settings),
    ...values,
  });

async function summaries(): Promise<FlowSummary[]> {
  const reply = await world.get('GET /flow/suminfo', { farmUID: world.farm.uid });
  expect(reply.statusCode).toBe(200);
  return reply.json<{ flows: FlowSummary[] }>().flows;
}
async function only(): Promise<FlowSummary> {
  const [first, ...others] = await summaries();
  expect(others).toEqual([]);
  if (!first) throw new Error('no meter');
  return first;
}

const unknown = { litresPerSecond: null, litresPerHour: null, cubicMetresDay: null };

describe('flow meters of a farm', () => {
  it('are its meters alone, by name without regard to case', async () => {
    await meter(sensorTypes.FLOW, {}, { name: 'river' });
    await meter(sensorTypes.FLOW_PULSE, {}, { name: 'Bore' });
    await meter(sensorTypes.FLOW_ANALOG, {}, { name: 'Race' });
    await meter(sensorTypes.SOIL_MOISTURE);
    await buildTank(server.database.db, world.farm.id, {
      type: sensorTypes.TLM_V3,
      settings: { enabledFlow: true },
    });
    await buildDevice(server.database.db, (await buildFarmWorld(server)).farm.id, 'sensor', {
      type: sensorTypes.FLOW,
    });
    expect((await summaries()).map(({ name }) => name)).toEqual(['Bore', 'Race', 'river']);
  });

  it('that never spoke have 60 days of which nothing is known', async () => {
    const device = await meter(sensorTypes.FLOW);
    const summary = await only();
    expect(summary).toMatchObject({
      _id: device.uid,
      serialNumber: device.serial_number,
      statusTime: null,
      isOutOfContact: true,
      invalid: false,
      value: unknown,
    });
    expect(summary.history).toHaveLength(60);
    expect(summary.history.every(({ value }) => value === null)).toBe(true);
    // 23 September to 21 November; clocks went forward on 27 September.
    expect(summary.history[0]?.time).toBe('2026-09-22T12:00:00.000Z');
    expect(summary.history[59]?.time).toBe('2026-11-20T11:00:00.000Z');
  });
});

describe('what flows now', () => {
  it('is told in three units, with when it was said', async () => {
    const device = await meter(sensorTypes.FLOW);
    await world.record(device, [{ at: '2026-11-20T18:00:00Z', values: { flowLpm: 150 } }]);
    // 150 L/min = 2.5 L/s = 9000 L/h = 216 m³ a day. Exactly three hours old is still in contact.
    expect(await only()).toMatchObject({
      statusTime: '2026-11-20T18:00:00.000Z',
      isOutOfContact: false,
      invalid: false,
      value: { litresPerSecond: 2.5, litresPerHour: 9000, cubicMetresDay: 216 },
    });
  });

  it('stays what was said last when the meter falls silent', async () => {
    const device = await meter(sensorTypes.FLOW);
    await world.record(device, [{ at: '2026-11-20T17:59:00Z', values: { flowLpm: 60 } }]);
    expect(await only()).toMatchObject({ isOutOfContact: true, value: { litresPerSecond: 1 } });
  });

  it.each([
    ['that the meter calls invalid', null],
    ['below zero', -0.5],
    ['beyond what any pipe carries', 100_001],
  ])('is unknown when it is a flow %s', async (_what, flowLpm) => {
    const device = await meter(sensorTypes.FLOW);
    await world.record(device, [
      { at: '2026-11-20T20:30:00Z', values: { flowLpm: 60 } },
      { at: '2026-11-20T20:45:00Z', values: { flowLpm } },
    ]);
    expect(await only()).toMatchObject({
      invalid: true,
      value: unknown,
      statusTime: '2026-11-20T20:45:00.000Z',
    });
  });

  it('of an analog meter is what it shows above its zero', async () => {
    const device = await meter(sensorTypes.FLOW_ANALOG, { offset: 30 });
    await world.record(device, [{ at: '2026-11-20T20:45:00Z', values: { flowLpm: 90 } }]);
    expect((await only()).value.litresPerSecond).toBe(1);
  });

  it.each([
    // 18 pulses × 100 L in 15 minutes are 120 L/min.
    ['grew', 1000, 1018, 2],
    ['started again', 5000, 9, 1],
    ['of 16 bits ran over', 65_530, 12, 2],
    ['stood still', 1000, 1000, 0],
  ])(
    'of a meter whose total %s is that over the time since its reading before',
    async (_w, from, to, lps) => {
      const device = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 100 });
      await world.record(device, [
        { at: '2026-11-20T20:30:00Z', values: { pulsesTotal: from } },
        { at: '2026-11-20T20:45:00Z', values: { pulsesTotal: to } },
      ]);
      expect((await only()).value.litresPerSecond).toBe(lps);
    },
  );

  it('of a meter that sends its pulses since the last message, or litres, is the same', async () => {
    const pulses = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 10 }, { name: 'A' });
    const litres = await meter(sensorTypes.FLOW, { litrePerPulse: 10 }, { name: 'B' });
    await world.record(
      pulses,
      everyMinutes(30, '2026-11-20T20:00:00Z', 2, () => ({ pulses: 360 })),
    );
    await world.record(
      litres,
      everyMinutes(30, '2026-11-20T20:00:00Z', 2, (index) => ({ volumeTotalL: 7 + index * 1800 })),
    );
    // 3600 L and 1800 L in half an hour.
    expect((await summaries()).map(({ value }) => value.litresPerSecond)).toEqual([2, 1]);
  });

  it('is not known of a meter that has counted once', async () => {
    const device = await meter(sensorTypes.FLOW_PULSE);
    await world.record(device, [{ at: '2026-11-20T20:45:00Z', values: { pulsesTotal: 9 } }]);
    expect(await only()).toMatchObject({ invalid: false, value: unknown });
  });

  it('is not what another meter in its place has counted in its life', async () => {
    const device = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 100 });
    await world.record(device, [
      { at: '2026-11-20T20:30:00Z', values: { pulsesTotal: 1000 } },
      { at: '2026-11-20T20:45:00Z', values: { pulsesTotal: 1_000_000 } },
    ]);
    expect(await only()).toMatchObject({ invalid: true, value: unknown });
  });
});

describe('the last 60 days', () => {
  it('are the means of the days of the farm, null on days without a reading', async () => {
    const device = await meter(sensorTypes.FLOW);
    await world.record(device, [
      { at: '2026-11-18T10:59:00Z', values: { flowLpm: 600 } },
      { at: '2026-11-18T11:00:00Z', values: { flowLpm: 60 } },
      { at: '2026-11-18T12:00:00Z', values: { flowLpm: 90 } },
      { at: '2026-11-18T12:30:00Z', values: { flowLpm: 30 } },
      { at: '2026-11-20T12:00:00Z', values: { flowLpm: 6 } },
    ]);
    // A late one. The first day has half a minute of 600 and of 60; the next 4,500 L in an hour, 1,800 in half an hour, 8,100 in
    // three hours of seven and a half, 5,400 in one and a half: 19,800 L in 360 minutes. The last reading speaks from 10:30Z on.
    await world.record(device, [{ at: '2026-11-18T20:00:00Z', values: { flowLpm: 60 } }]);
    const { history } = await only();
    expect(history.slice(-4).map(({ value }) => value)).toEqual([5.5, 0.9167, 0.1, 0.1]);
  });

  it('say the same as the history of the meter', async () => {
    const device = await meter(sensorTypes.FLOW_PULSE, { litrePerPulse: 30 });
    await world.record(
      device,
      everyMinutes(360, '2026-09-24T00:00:00Z', 200, (index) => ({ pulsesTotal: index * 12 })),
    );
    const reply = await world.get('GET /flow/history', { serial: device.serial_number, days: '61' });
    const days = reply.json<{ history: { time: string; avgLitrePerMinute: number }[] }>().history;
    const known = (await only()).history.filter(({ value }) => value !== null);
    // 360 L every six hours: 1 L/min, on every day alike, also on the one of 23 hours.
    expect(new Set(days.map(({ avgLitrePerMinute }) => avgLitrePerMinute))).toEqual(new Set([1]));
    expect(known).toEqual(days.map(({ time }) => ({ time, value: 0.0167 })));
  });
});

it('takes as many queries for ten meters as for one', async () => {
  const { pool } = server.database;
  const add = async () => {
    const device = await meter(sensorTypes.FLOW_PULSE);
    await world.record(
      device,
      everyMinutes(15, '2026-11-20T20:00:00Z', 2, (n) => ({ pulsesTotal: n })),
    );
  };
  const countOf = async () => {
    let count = 0;
    const counted = () => (count += 1);
    pool.on('acquire', counted);
    await summaries();
    pool.off('acquire', counted);
    return count;
  };
  await add();
  const ofOne = await countOf();
  for (let index = 0; index < 9; index += 1) await add();
  expect(await countOf()).toBe(ofOne);
});
