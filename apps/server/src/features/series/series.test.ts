import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SeriesNow } from '@headrace/contract/series';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice, buildGateway } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose day began at 11:00Z.
let server: TestServer;
let world: FarmWorld;
let sensor: DeviceRow;
beforeAll(async () => {
  server = await createTestServer();
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  sensor = await build();
});
afterAll(() => server.close());

const mapping = [
  { path: 'ph', metric: 'custom.ph', name: 'pH of the trough', unit: 'pH' },
  { path: 'starts', metric: 'counter.starts' },
];
const build = () =>
  buildDevice(server.database.db, world.farm.id, 'sensor', { type: 3, mapping: JSON.stringify(mapping) });
const list = async () =>
  (await world.get('GET /series/list', { deviceId: sensor.uid })).json<{ series: SeriesNow[] }>().series;
const days = { startDate: '21-11-2026', endDate: '21-11-2026' };
const points = (metric: string, range: object = days) =>
  world.get('GET /series', { deviceId: sensor.uid, metric, ...range });

describe('everything that a sensor says', () => {
  it('is nothing before its first message', async () => {
    expect(await list()).toEqual([]);
    expect((await points('humidityPercent')).json()).toMatchObject({ unit: '%', points: [] });
    expect((await points('humidity')).statusCode).toBe(404);
  });

  it('is listed with name, unit, newest value and its last day, our metrics first', async () => {
    await world.record(sensor, [
      { at: '2026-11-20T18:10:00Z', values: { 'custom.ph': 6.5, humidityPercent: 40 } },
      { at: '2026-11-20T18:50:00Z', values: { 'custom.ph': 7.5, 'counter.starts': 10 } },
      { at: '2026-11-20T20:50:00Z', values: { 'custom.ph': 7.25, 'counter.starts': 14, leak: 1 } },
    ]);
    expect(await list()).toEqual([
      {
        metric: 'humidityPercent',
        label: 'Humidity of the air',
        unit: '%',
        kind: 'gauge',
        isBoolean: false,
        digits: 1,
        time: '2026-11-20T18:10:00.000Z',
        value: 40,
        lately: [{ time: '2026-11-20T18:00:00.000Z', value: 40 }],
      },
      {
        metric: 'leak',
        label: 'Water where none should be',
        unit: '',
        kind: 'state',
        isBoolean: true,
        digits: 0,
        time: '2026-11-20T20:50:00.000Z',
        value: 1,
        lately: [{ time: '2026-11-20T20:00:00.000Z', value: 1 }],
      },
      {
        metric: 'counter.starts',
        label: 'starts',
        unit: '',
        kind: 'counter',
        isBoolean: false,
        digits: null,
        time: '2026-11-20T20:50:00.000Z',
        value: 14,
        // Nothing before the first count; 4 from 10 to 14.
        lately: [
          { time: '2026-11-20T18:00:00.000Z', value: 0 },
          { time: '2026-11-20T20:00:00.000Z', value: 4 },
        ],
      },
      {
        metric: 'custom.ph',
        label: 'pH of the trough',
        unit: 'pH',
        kind: 'gauge',
        isBoolean: false,
        digits: null,
        time: '2026-11-20T20:50:00.000Z',
        value: 7.25,
        lately: [
          { time: '2026-11-20T18:00:00.000Z', value: 7 },
          { time: '2026-11-20T20:00:00.000Z', value: 7.25 },
        ],
      },
    ]);
  });

  it('has no value where the newest report can’t be one, and its age all the same', async () => {
    await world.record(sensor, [
      { at: '2026-11-20T20:00:00Z', values: { humidityPercent: 40 } },
      { at: '2026-11-20T20:50:00Z', values: { humidityPercent: 900 } },
    ]);
    expect(await list()).toMatchObject([{ value: null, time: '2026-11-20T20:50:00.000Z' }]);
  });

  it('is asked of sensors alone', async () => {
    const gateway = await buildGateway(server.database.db, world.farm.id);
    expect((await world.get('GET /series/list', { deviceId: gateway.uid })).statusCode).toBe(404);
  });
});

describe('one of the things it says', () => {
  beforeEach(() =>
    world.record(sensor, [
      { at: '2026-11-19T10:00:00Z', values: { 'custom.ph': 6, 'counter.starts': 2, flowLpm: 0 } },
      { at: '2026-11-20T12:00:00Z', values: { 'custom.ph': 6.5, 'counter.starts': 10, flowLpm: 30 } },
      { at: '2026-11-20T12:10:00Z', values: { 'custom.ph': 7.5, 'counter.starts': 12, flowLpm: 0 } },
      { at: '2026-11-20T12:50:00Z', values: { 'custom.ph': 7, 'counter.starts': 15, flowLpm: 0 } },
    ]),
  );

  it('is its readings on a few days', async () => {
    expect((await points('custom.ph')).json()).toEqual({
      metric: 'custom.ph',
      label: 'pH of the trough',
      unit: 'pH',
      kind: 'gauge',
      isBoolean: false,
      digits: null,
      span: 'reading',
      points: [
        { time: '2026-11-20T12:00:00.000Z', value: 6.5, lowest: 6.5, highest: 6.5 },
        { time: '2026-11-20T12:10:00.000Z', value: 7.5, lowest: 7.5, highest: 7.5 },
        { time: '2026-11-20T12:50:00.000Z', value: 7, lowest: 7, highest: 7 },
      ],
    });
  });

  const month = { startDate: '01-11-2026', endDate: '21-11-2026' };
  it('is hours over weeks: the mean with its extremes of a gauge', async () => {
    expect((await points('custom.ph', month)).json()).toMatchObject({
      span: 'hour',
      points: [
        { time: '2026-11-19T10:00:00.000Z', value: 6 },
        // (6.5 + 7.5 + 7) / 3
        { time: '2026-11-20T12:00:00.000Z', value: 7, lowest: 6.5, highest: 7.5 },
      ],
    });
  });

  it('is what was counted of a running total', async () => {
    // From 2 to 15, and nothing before the first.
    expect((await points('counter.starts', month)).json()).toMatchObject({
      points: [{ value: 0 }, { time: '2026-11-20T12:00:00.000Z', value: 13, lowest: null, highest: null }],
    });
  });

  // It shows 102 at 10:45Z, 7 to 11 from 10:50 to 11:05, and 110 at 11:20: the farm's day begins at 11:00.
  const away = [
    { at: '2026-11-20T10:30:00Z', values: { 'counter.pumped': 100 } },
    { at: '2026-11-20T10:45:00Z', values: { 'counter.pumped': 102 } },
    { at: '2026-11-20T10:50:00Z', values: { 'counter.pumped': 7 } },
    { at: '2026-11-20T10:55:00Z', values: { 'counter.pumped': 9 } },
    { at: '2026-11-20T11:05:00Z', values: { 'counter.pumped': 11 } },
    { at: '2026-11-20T11:20:00Z', values: { 'counter.pumped': 110 } },
    { at: '2026-11-20T11:30:00Z', values: { 'counter.pumped': 112 } },
  ];
  it.each([
    ['the day itself', 'reading', { startDate: '21-11-2026', endDate: '21-11-2026' }, [0, 8, 2]],
    ['weeks from it', 'hour', { startDate: '21-11-2026', endDate: '30-11-2026' }, [10]],
    ['months from it', 'day', { startDate: '21-11-2026', endDate: '31-01-2027' }, [10]],
    ['the day before', 'reading', { startDate: '20-11-2026', endDate: '20-11-2026' }, [0, 2, 0, 0]],
    ['weeks up to it', 'hour', { startDate: '11-11-2026', endDate: '20-11-2026' }, [2]],
    ['months up to it', 'day', { startDate: '01-09-2026', endDate: '20-11-2026' }, [2]],
  ])(
    'is none of a total that is away at midnight: in a chart of %s',
    async (_what, span, range, expected) => {
      const mapped = await buildDevice(server.database.db, world.farm.id, 'sensor', {
        type: 3,
        mapping: JSON.stringify([{ path: 'pumped', metric: 'counter.pumped' }]),
      });
      await world.record(mapped, away);
      const asked = { deviceId: mapped.uid, metric: 'counter.pumped', ...range };
      const chart = (await world.get('GET /series', asked)).json<{
        span: string;
        points: { value: number }[];
      }>();
      expect(chart.span).toBe(span);
      expect(chart.points.map(({ value }) => value)).toEqual(expected);
    },
  );

  it('is by time of a rate: 30 L/min that fell to 0 within ten minutes of fifty', async () => {
    // (30 + 0) / 2 × 10 min, and 40 min of nothing, by 50 min.
    expect((await points('flowLpm', month)).json()).toMatchObject({
      points: [{}, { value: 3, lowest: 0, highest: 30 }],
    });
  });

  it.each([
    ['a day that there isn’t', { startDate: '31-02-2026', endDate: '21-11-2026' }, 'startDate'],
    ['days that end before they begin', { startDate: '21-11-2026', endDate: '20-11-2026' }, 'endDate'],
  ])('is refused for %s', async (_, range, field) => {
    expect((await points('custom.ph', range)).json()).toMatchObject({ code: 'invalid', field });
  });
});
