import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { BatteryPoint, FlowPoint, LevelPoint, UsagePoint } from '@headrace/contract/tanks';
import { buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { everyMinutes } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose day began at 11:00Z.
let server: TestServer;
let world: FarmWorld;
beforeAll(async () => {
  server = await createTestServer();
  world = await buildFarmWorld(server);
});
afterAll(() => server.close());

const db = () => server.database.db;

async function points<T>(key: string, query: Record<string, string>, of: FarmWorld = world): Promise<T[]> {
  const reply = await of.get(key, query);
  expect(reply.statusCode).toBe(200);
  return reply.json<{ history: T[] }>().history;
}
const levels = (uid: string, query = {}, of = world) =>
  points<LevelPoint>('GET /lvl/history', { sensorUid: uid, ...query }, of);
const usage = async (uid: string, query = {}, of = world) =>
  (await points<UsagePoint>('GET /lvl/waterflow', { sensorId: uid, ...query }, of)).map(
    ({ generated, source: _source, ...point }) => (generated ? { ...point, generated } : point),
  );
const battery = (uid: string, query = {}) =>
  points<BatteryPoint>('GET /tank/battery', { sensorUid: uid, ...query });

const time = (text: string) => `2026-11-${text}:00.000Z`;

describe('level history', () => {
  it('is the hourly mean in percent of the last 24 hours', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-19T21:59:00Z', values: { levelMm: 0 } },
      { at: '2026-11-20T19:00:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T19:30:00Z', values: { levelMm: 1030 } },
      { at: '2026-11-20T20:00:00Z', values: { levelMm: 2400 } },
      { at: '2026-11-20T21:00:00Z', values: { levelMm: 1250 } },
    ]);
    // (500 + 1015) / 2500; more than full is full.
    expect(await levels(tank.uid)).toEqual([
      { time: time('20T19:00'), value: 60.6, lowest: 60, highest: 61.2, generated: false },
      { time: time('20T20:00'), value: 100, lowest: 100, highest: 100, generated: false },
      { time: time('20T21:00'), value: 70, lowest: 70, highest: 70, generated: false },
    ]);
  });

  it('fills a gap with points marked generated, and nothing before the first and after the last', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T08:10:00Z', values: { levelMm: 750 } },
      { at: '2026-11-20T09:10:00Z', values: { levelMm: 750 } },
      { at: '2026-11-20T11:10:00Z', values: { levelMm: 750 } },
      { at: '2026-11-20T15:10:00Z', values: { levelMm: 1750 } },
      { at: '2026-11-20T16:10:00Z', values: { levelMm: 1750 } },
      { at: '2026-11-20T17:10:00Z', values: { levelMm: 1750 } },
    ]);
    const history = await levels(tank.uid);
    expect(history.map(({ time, value, generated }) => [time.slice(11, 13), value, generated])).toEqual([
      ['08', 50, false],
      ['09', 50, false],
      ['11', 50, false],
      ['12', 60, true],
      ['13', 70, true],
      ['14', 80, true],
      ['15', 90, false],
      ['16', 90, false],
      ['17', 90, false],
    ]);
  });

  it('sees no gap where the sensor reports that seldom', async () => {
    const slow = await buildTank(db(), world.farm.id);
    await world.record(
      slow,
      everyMinutes(240, '2026-11-20T01:00:00Z', 5, () => ({ levelMm: 750 })),
    );
    const told = await buildTank(db(), world.farm.id);
    await world.record(told, [
      { at: '2026-11-20T10:10:00Z', values: { levelMm: 750, commsIntervalMin: 120 } },
      { at: '2026-11-20T11:10:00Z', values: { levelMm: 750 } },
      { at: '2026-11-20T12:10:00Z', values: { levelMm: 750 } },
      { at: '2026-11-20T16:10:00Z', values: { levelMm: 1750 } },
    ]);
    expect((await levels(slow.uid)).map(({ generated }) => generated)).toEqual(Array(5).fill(false));
    expect((await levels(told.uid)).map(({ generated }) => generated)).toEqual(Array(4).fill(false));
  });

  it('leaves out what can not be a level', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T18:10:00Z', values: { levelMm: 9999 } },
      { at: '2026-11-20T19:10:00Z', values: { levelMm: 9999 } },
      { at: '2026-11-20T19:20:00Z', values: { levelMm: 750 } },
      { at: '2026-11-20T20:10:00Z', values: { levelMm: null } },
    ]);
    expect(await levels(tank.uid)).toEqual([
      { time: time('20T19:00'), value: 50, lowest: 50, highest: 50, generated: false },
    ]);
  });

  it('is the mean of the good readings where some can not be, wherever in the hour or day they lie', async () => {
    const own = await buildFarmWorld(server);
    const tank = await buildTank(db(), own.farm.id);
    await own.record(tank, [
      { at: '2026-11-20T12:00:00Z', values: { levelMm: 9999 } },
      { at: '2026-11-20T12:20:00Z', values: { levelMm: 750 } },
      { at: '2026-11-20T12:40:00Z', values: { levelMm: 1250 } },
      { at: '2026-11-20T13:00:00Z', values: { levelMm: 500 } },
      { at: '2026-11-20T13:20:00Z', values: { levelMm: -500 } },
      { at: '2026-11-20T13:40:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T14:00:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T14:20:00Z', values: { levelMm: 2000 } },
      { at: '2026-11-20T14:40:00Z', values: { levelMm: 9999 } },
      // Of hours without a good reading nothing is known, whether it is too much, too little or both.
      { at: '2026-11-20T15:00:00Z', values: { levelMm: 9999 } },
      { at: '2026-11-20T15:20:00Z', values: { levelMm: -500 } },
      { at: '2026-11-20T16:00:00Z', values: { levelMm: 9999 } },
    ]);
    const hourly = (await levels(tank.uid, {}, own)).map(({ time, value }) => [time.slice(11, 13), value]);
    // (500 + 1000) / 2500, (500 + 750) / 2500, (500 + 1500) / 2500; their six readings have a mean of 1083 1/3 mm.
    expect(hourly).toEqual([
      ['12', 60],
      ['13', 50],
      ['14', 80],
    ]);
    expect(await levels(tank.uid, { days: '61' }, own)).toEqual([
      { time: time('20T11:00'), value: 63.33, lowest: 40, highest: 100, generated: false },
    ]);
  });

  it('whose readings are no longer all kept is the newest good one of an hour with others', async () => {
    const own = await buildFarmWorld(server);
    const tank = await buildTank(db(), own.farm.id);
    await own.record(tank, [
      { at: '2026-11-20T12:10:00Z', values: { levelMm: 500 } },
      { at: '2026-11-20T12:15:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T12:20:00Z', values: { levelMm: 9999 } },
      { at: '2026-11-20T12:30:00Z', values: { levelMm: 1500 } },
    ]);
    expect(await levels(tank.uid, {}, own)).toMatchObject([{ value: 60 }]);
    // Of 1,000 and 1,500 mm alone it would be 70 %.
    const oldest = db().deleteFrom('reading').where('farm_id', '=', own.farm.id);
    await oldest.where('at', '<', new Date('2026-11-20T12:15:00Z')).execute();
    expect(await levels(tank.uid, {}, own)).toMatchObject([{ value: 80 }]);
  });

  it('has the lowest and the highest reading of each hour and day, also of one that was dry for a minute', async () => {
    const own = await buildFarmWorld(server);
    const tank = await buildTank(db(), own.farm.id);
    await own.record(tank, [
      { at: '2026-11-20T19:00:00Z', values: { levelMm: 1500 } },
      { at: '2026-11-20T19:20:00Z', values: { levelMm: -500 } },
      { at: '2026-11-20T19:21:00Z', values: { levelMm: 0 } },
      { at: '2026-11-20T19:40:00Z', values: { levelMm: 1750 } },
      { at: '2026-11-20T20:40:00Z', values: { levelMm: 1000 } },
    ]);
    const extremes = (points: LevelPoint[]) => points.map(({ lowest, highest }) => [lowest, highest]);
    // (500 + mm) / 2500; -500 mm is no level.
    expect(extremes(await levels(tank.uid, {}, own))).toEqual([
      [20, 90],
      [60, 60],
    ]);
    expect(extremes(await levels(tank.uid, { days: '365' }, own))).toEqual([[20, 90]]);
  });

  it('is never lower at its lowest, nor less high at its highest, over more days', async () => {
    const own = await buildFarmWorld(server);
    const minute = Date.parse('2026-11-20T20:59:00Z') / 60_000;
    const reading = fc.record({
      // Mostly of the last days, some of the last year, and one in ten that can't be.
      ago: fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 500_000 })),
      mm: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 2000 }) }, fc.constantFrom(9999, -500)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(reading, { minLength: 1, maxLength: 60 }), async (readings) => {
        const tank = await buildTank(db(), own.farm.id);
        const byTime = new Map(readings.map(({ ago, mm }) => [minute - ago, mm]));
        await own.record(
          tank,
          [...byTime].map(([at, levelMm]) => ({
            at: new Date(at * 60_000).toISOString(),
            values: { levelMm },
          })),
        );
        let [lowest, highest] = [Infinity, -Infinity];
        for (const days of [1, 7, 30, 365]) {
          const points = await levels(tank.uid, { days: String(days) }, own);
          const low = Math.min(...points.map((point) => point.lowest ?? Infinity));
          const high = Math.max(...points.map((point) => point.highest ?? -Infinity));
          expect(low).toBeLessThanOrEqual(lowest);
          expect(high).toBeGreaterThanOrEqual(highest);
          [lowest, highest] = [low, high];
        }
        const good = [...byTime.entries()].filter(
          ([at, mm]) => minute - at <= 364 * 1440 && mm >= -50 && mm <= 3500,
        );
        const percents = good.map(([, mm]) => Math.min(100, (500 + mm) / 25));
        if (percents.length > 0) expect(lowest).toBeCloseTo(Math.min(...percents), 1);
        if (percents.length > 0) expect(highest).toBeCloseTo(Math.max(...percents), 1);
      }),
      { numRuns: 25 },
    );
  });

  it('of a calendar day ends with it, also on the day of 25 hours', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(
      tank,
      everyMinutes(30, '2026-04-04T10:30:00Z', 60, () => ({ levelMm: 750 })),
    );
    const history = await levels(tank.uid, { stopAt: '05-04-2026', days: '1' });
    expect(history).toHaveLength(25);
    expect(history.at(0)?.time).toBe('2026-04-04T11:00:00.000Z');
    expect(history.at(-1)?.time).toBe('2026-04-05T11:00:00.000Z');
    expect(await levels(tank.uid, { stopAt: '2026-04-05' })).toEqual(history);
  });

  it('is hourly for 60 days and daily for more, read from days alone', async () => {
    const own = await buildFarmWorld(server);
    const tank = await buildTank(db(), own.farm.id);
    await own.record(tank, [
      { at: '2026-02-01T00:00:00Z', values: { levelMm: 500 } },
      { at: '2026-11-19T00:00:00Z', values: { levelMm: 750 } },
      { at: '2026-11-19T06:00:00Z', values: { levelMm: 1250 } },
      { at: '2026-11-20T06:00:00Z', values: { levelMm: 1750 } },
    ]);
    const hourly = await levels(tank.uid, { days: '60' }, own);
    expect(hourly.map(({ time }) => time)).toContain(time('19T06:00'));
    await db().deleteFrom('reading').where('farm_id', '=', own.farm.id).execute();
    await db().deleteFrom('reading_hour').where('farm_id', '=', own.farm.id).execute();
    // 19 November on the farm is 11:00Z to 11:00Z.
    expect(await levels(tank.uid, { days: '61' }, own)).toEqual([
      { time: time('18T11:00'), value: 60, lowest: 50, highest: 70, generated: false },
      { time: time('19T11:00'), value: 90, lowest: 90, highest: 90, generated: false },
    ]);
    const year = await levels(tank.uid, { days: '365' }, own);
    expect(year.at(0)).toMatchObject({ time: '2026-01-31T11:00:00.000Z', value: 40, generated: false });
    expect(await levels(tank.uid, { days: '60' }, own)).toEqual([]);
  });

  it.each(['31-02-2026', '99-99-9999', '2026-13-01'])(
    'refuses %s as a day, naming the field',
    async (stopAt) => {
      const tank = await buildTank(db(), world.farm.id);
      for (const [key, query] of [
        ['GET /lvl/history', { sensorUid: tank.uid, stopAt }],
        ['GET /lvl/waterflow', { sensorId: tank.uid, stopAt }],
        ['GET /tank/battery', { sensorUid: tank.uid, stopAt }],
        ['GET /flow/history', { serial: tank.serial_number, stopAt }],
      ] as const) {
        const reply = await world.get(key, query);
        expect(reply.statusCode).toBe(400);
        expect(reply.json()).toMatchObject({ code: 'invalid', field: 'stopAt' });
      }
    },
  );
});

describe('usage', () => {
  it('is what the level fell, by hour; zero where nothing left, nothing before and after it was heard', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T14:00:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T14:30:00Z', values: { levelMm: 900 } },
      { at: '2026-11-20T14:45:00Z', values: { levelMm: 950 } },
      { at: '2026-11-20T15:10:00Z', values: { levelMm: 925 } },
      { at: '2026-11-20T17:10:00Z', values: { levelMm: 925 } },
    ]);
    // 12 L to the mm; the rise of 50 mm does not count against the fall. Of 300 L from 14:45 to 15:10 three fifths lie before 15:00.
    expect(await usage(tank.uid)).toEqual([
      { time: time('20T14:00'), litreValue: 1380, avgLitrePerMinute: 23 },
      { time: time('20T15:00'), litreValue: 120, avgLitrePerMinute: 2 },
      { time: time('20T16:00'), litreValue: 0, avgLitrePerMinute: 0, generated: true },
      { time: time('20T17:00'), litreValue: 0, avgLitrePerMinute: 0 },
    ]);
  });

  it('is counted by the meter where the tank has one, by day beyond one day', async () => {
    const settings = { offset: 0, toplevel: 2000, volume: 10_000, enabledFlow: true, litrePerPulse: 10 };
    const tank = await buildTank(db(), world.farm.id, { type: sensorTypes.TLM_V3, settings });
    await world.record(tank, [
      { at: '2026-11-18T23:00:00Z', values: { levelMm: 1900, pulsesTotal: 100 } },
      { at: '2026-11-19T10:30:00Z', values: { levelMm: 1000, pulsesTotal: 130 } },
      { at: '2026-11-19T11:30:00Z', values: { pulsesTotal: 145 } },
      { at: '2026-11-20T10:30:00Z', values: { pulsesTotal: 5 } },
      { at: '2026-11-20T11:30:00Z', values: { pulsesTotal: 5 } },
    ]);
    // Days begin at 11:00Z and have 1440 minutes; of the 150 L from 10:30Z to 11:30Z half lies in each. The counter started again
    // between 145 and 5: what it shows is what was counted since.
    expect(await usage(tank.uid, { days: '7' })).toEqual([
      { time: time('18T11:00'), litreValue: 375, avgLitrePerMinute: 0.26 },
      { time: time('19T11:00'), litreValue: 125, avgLitrePerMinute: 0.09 },
      { time: time('20T11:00'), litreValue: 0, avgLitrePerMinute: 0 },
    ]);
  });

  it('is the sum of the pulses since each message where a meter sends those', async () => {
    const settings = { enabledFlow: true, litrePerPulse: 2 };
    const tank = await buildTank(db(), world.farm.id, { type: sensorTypes.TLM_V3, settings });
    await world.record(
      tank,
      everyMinutes(20, '2026-11-20T14:00:00Z', 4, (index) => ({ pulses: index + 1 })),
    );
    // From 14:00 to 15:00 in three messages; since when the first counted isn't known.
    expect(await usage(tank.uid)).toEqual([
      { time: time('20T14:00'), litreValue: 18, avgLitrePerMinute: 0.3 },
    ]);
  });

  it('of a meter is the same as the Flow tab has, in every hour and on every day', async () => {
    const settings = { enabledFlow: true, litrePerPulse: 5 };
    const own = await buildFarmWorld(server);
    const tank = await buildTank(db(), own.farm.id, { type: sensorTypes.TLM_V3, settings });
    // Uneven times, a day of silence, and a flow at the moment that says something else.
    await own.record(
      tank,
      Array.from({ length: 300 }, (_, index) => ({
        at: new Date(
          Date.parse('2026-11-09T10:07:00Z') + index * 3_000_000 + (index > 150 ? 90_000_000 : 0),
        ).toISOString(),
        values: { pulsesTotal: 7 * index - 3 * (index % 3), flowLpm: index % 3 },
      })),
    );
    for (const days of ['1', '7', '30', '61', '365']) {
      const used = await points<UsagePoint>('GET /lvl/waterflow', { sensorId: tank.uid, days }, own);
      const flows = await points<FlowPoint>('GET /flow/history', { serial: tank.serial_number, days }, own);
      const sum = (values: (number | null)[]) =>
        values.reduce<number>((total, value) => total + (value ?? 0), 0);
      expect(sum(flows.map(({ litres }) => litres))).toBeCloseTo(
        sum(used.map(({ litreValue }) => litreValue)),
        0,
      );
      expect(sum(used.map(({ litreValue }) => litreValue))).toBeGreaterThan(400);
    }
  });

  it('is told by the level until the meter had counted for a whole day, and says so', async () => {
    const settings = { offset: 0, height: 3000, toplevel: 2500, volume: 25_000, enabledFlow: true };
    const own = await buildFarmWorld(server);
    const tank = await buildTank(db(), own.farm.id, { type: sensorTypes.TLM_V3, settings });
    // 10 mm (100 L) every six hours; the meter counts 40 L in the same time from the third day on.
    await own.record(
      tank,
      Array.from({ length: 24 }, (_, index) => ({
        at: new Date(Date.parse('2026-11-14T11:00:00Z') + index * 21_600_000).toISOString(),
        values: { levelMm: 2000 - 10 * index, ...(index >= 10 && { pulsesTotal: 40 * index }) },
      })),
    );
    for (const days of ['30', '365']) {
      const used = await points<UsagePoint>('GET /lvl/waterflow', { sensorId: tank.uid, days }, own);
      expect(used.map(({ litreValue, source }) => [litreValue, source])).toEqual([
        [400, 'level'],
        [400, 'level'],
        [400, 'level'],
        [160, 'meter'],
        [160, 'meter'],
        [120, 'meter'],
      ]);
    }
  });

  it('falls by the level where the meter has never counted', async () => {
    const settings = { offset: 0, toplevel: 2000, volume: 10_000, enabledFlow: true };
    const tank = await buildTank(db(), world.farm.id, { type: sensorTypes.TLM_V3, settings });
    await world.record(tank, [
      { at: '2026-11-20T14:00:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T14:30:00Z', values: { levelMm: 900 } },
    ]);
    expect(await usage(tank.uid)).toEqual([
      { time: time('20T14:00'), litreValue: 500, avgLitrePerMinute: 8.33 },
    ]);
  });

  it('keeps each fall over readings that can not be, and counts no way back from them', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T14:00:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T14:50:00Z', values: { levelMm: 9999 } },
      { at: '2026-11-20T15:10:00Z', values: { levelMm: 990 } },
      { at: '2026-11-20T15:30:00Z', values: { levelMm: 980 } },
      { at: '2026-11-20T16:10:00Z', values: { levelMm: 970 } },
      { at: '2026-11-20T16:20:00Z', values: { levelMm: 9999 } },
      { at: '2026-11-20T16:30:00Z', values: { levelMm: 985 } },
      { at: '2026-11-20T16:40:00Z', values: { levelMm: 960 } },
      { at: '2026-11-20T17:10:00Z', values: { levelMm: -500 } },
      { at: '2026-11-20T18:10:00Z', values: { levelMm: 955 } },
      { at: '2026-11-20T18:20:00Z', values: { levelMm: 9999 } },
    ]);
    // 12 L to the mm: 10 mm from 14:00 to 15:10, 10 to 15:30, 10 to 16:10, 25 to 16:40 and 5 to 18:10, evenly in each.
    const amounts = (await usage(tank.uid)).map(({ time, litreValue }) => [time.slice(11, 13), litreValue]);
    expect(amounts).toEqual([
      ['14', 102.86],
      ['15', 227.14],
      ['16', 343.33],
      ['17', 40],
      ['18', 6.67],
    ]);
  });

  it('counts from the last level that can be, however long ago', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-10-30T00:00:00Z', values: { levelMm: 1000 } },
      ...everyMinutes(720, '2026-10-30T12:00:00Z', 42, () => ({ levelMm: 9999 })),
      { at: '2026-11-20T12:00:00Z', values: { levelMm: 900 } },
    ]);
    // 100 mm at 12 L, shared out over 516 hours; the last of them are today's, one of them already.
    const hourly = await usage(tank.uid);
    expect(new Set(hourly.slice(0, -1).map(({ litreValue }) => litreValue))).toEqual(new Set([2.33]));
    const days = await usage(tank.uid, { days: '23' });
    expect(days.reduce((sum, { litreValue }) => sum + litreValue, 0)).toBeCloseTo(1200, 0);
  });

  it('belongs to the days of the farm, with and without daylight saving', async () => {
    const without = await buildFarmWorld(server, { dst_enabled: false });
    const expected = [
      // 11:30Z on 4 April is 00:30 on the 5th by daylight saving, 23:30 on the 4th without.
      [
        world,
        ['2026-04-03T11:00:00.000Z', '2026-04-04T11:00:00.000Z', '2026-04-05T12:00:00.000Z'],
        // Half of 1,200 L; the other half, 1,200 and half of 600; the other half.
        [600, 2100, 300],
        // The day that clocks go back has 1500 minutes.
        [0.42, 1.4, 0.21],
      ],
      [
        without,
        ['2026-04-03T12:00:00.000Z', '2026-04-04T12:00:00.000Z', '2026-04-05T12:00:00.000Z'],
        // Half an hour of a day's 1,200 L lies before midnight, and half of 600 L.
        [1225, 1475, 300],
        [0.85, 1.02, 0.21],
      ],
    ] as const;
    for (const [of, times, litres, means] of expected) {
      const tank = await buildTank(db(), of.farm.id);
      await of.record(tank, [
        { at: '2026-04-04T10:30:00Z', values: { levelMm: 1000 } },
        { at: '2026-04-04T11:30:00Z', values: { levelMm: 900 } },
        { at: '2026-04-05T11:30:00Z', values: { levelMm: 800 } },
        { at: '2026-04-05T12:30:00Z', values: { levelMm: 750 } },
      ]);
      const history = await usage(tank.uid, { days: '4', stopAt: '06-04-2026' }, of);
      expect(history).toEqual(
        times.map((at, index) => ({
          time: at,
          litreValue: litres[index],
          avgLitrePerMinute: means[index],
        })),
      );
    }
  });

  it('has its mean over the 23 hours of the day that clocks go forward', async () => {
    const tank = await buildTank(db(), world.farm.id);
    // 27 September lasts from 12:00Z on the 26th to 11:00Z on the 27th: 1380 minutes, 230 mm × 12 L = 2760 L.
    await world.record(tank, [
      { at: '2026-09-26T12:30:00Z', values: { levelMm: 1230 } },
      { at: '2026-09-27T10:30:00Z', values: { levelMm: 1000 } },
    ]);
    const history = await usage(tank.uid, { days: '2', stopAt: '27-09-2026' });
    expect(history).toEqual([{ time: '2026-09-26T12:00:00.000Z', litreValue: 2760, avgLitrePerMinute: 2 }]);
  });

  it('has its mean over the time so far in the day and the hour under way', async () => {
    const tank = await buildTank(db(), world.farm.id);
    const { now } = server.clock;
    server.clock.now = new Date('2026-11-20T20:30:00Z');
    await world.record(tank, [
      { at: '2026-11-20T19:30:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-20T20:15:00Z', values: { levelMm: 950 } },
    ]);
    // 600 L, a third of them in 30 minutes of the hour, all in 9½ hours of the day.
    expect((await usage(tank.uid)).at(-1)).toMatchObject({ litreValue: 200, avgLitrePerMinute: 6.67 });
    expect((await usage(tank.uid, { days: '7' })).at(-1)).toMatchObject({ avgLitrePerMinute: 1.05 });
    server.clock.now = now;
  });
});

describe('battery history', () => {
  it('is the mean voltage by hour, its percentage, and whether it was charged', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T14:00:00Z', values: { batteryV: 3.5, charging: 0 } },
      { at: '2026-11-20T14:30:00Z', values: { batteryV: 3.6, charging: 1 } },
      { at: '2026-11-20T15:30:00Z', values: { batteryV: 4.2, charging: 0 } },
      { at: '2026-11-20T16:30:00Z', values: { batteryV: 3 } },
    ]);
    expect(await battery(tank.uid)).toEqual([
      { time: time('20T14:00'), value: 50, voltage: 3.55, lowest: 45.45, lowestVoltage: 3.5, charging: true },
      { time: time('20T15:00'), value: 100, voltage: 4.2, lowest: 100, lowestVoltage: 4.2, charging: false },
      { time: time('20T16:00'), value: 0, voltage: 3, lowest: 0, lowestVoltage: 3, charging: null },
    ]);
  });

  it.each([
    ['hour', {}, '20T14:00'],
    ['day', { days: '365' }, '20T11:00'],
  ])('leaves out what no battery has: a good %s is of its good readings', async (_span, query, at) => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T14:00:00Z', values: { batteryV: 3.5 } },
      { at: '2026-11-20T14:20:00Z', values: { batteryV: -5 } },
      { at: '2026-11-20T14:40:00Z', values: { batteryV: 99 } },
      ...(_span === 'hour' ? [{ at: '2026-11-20T15:40:00Z', values: { batteryV: 99 } }] : []),
    ]);
    expect(await battery(tank.uid, query)).toEqual([
      { time: time(at), value: 45.45, voltage: 3.5, lowest: 45.45, lowestVoltage: 3.5, charging: null },
    ]);
  });

  it('is daily beyond 60 days', async () => {
    const tank = await buildTank(db(), world.farm.id);
    await world.record(tank, [
      { at: '2026-11-20T05:00:00Z', values: { batteryV: 4, charging: 1 } },
      { at: '2026-11-20T06:00:00Z', values: { batteryV: 4, charging: 0 } },
    ]);
    expect(await battery(tank.uid, { days: '365' })).toEqual([
      { time: time('19T11:00'), value: 90.91, voltage: 4, lowest: 90.91, lowestVoltage: 4, charging: true },
    ]);
  });
});
