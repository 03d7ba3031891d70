import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { farmInsights } from '@headrace/contract/insights';
import type { TankInfo, UsagePoint } from '@headrace/contract/tanks';
import type { DeviceRow } from '../../db/schema.ts';
import { buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import type { Report } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { countLevelDays } from './count-level-days.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, whose days begin at 11:00Z.
let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const DAY = 86_400_000;
const now = Date.parse('2026-11-20T21:00:00Z');
/** 1 mm is 10 L. */
const settings = { offset: 0, height: 3000, toplevel: 2500, volume: 25_000 };
const count = () => countLevelDays(server.database.db, server.clock.now);

/** A sum of waves whose lengths don't fit: between -1 and 1, and the same each time. */
const wobble = (n: number) => (Math.sin(n * 12.9898) + Math.sin(n * 78.233) + Math.sin(n * 37.719)) / 3;

/** Every so many minutes for so many days up to now: a level with a noise of some 2 mm. */
const reportsOf = (days: number, every: number, level: (daysAgo: number) => number): Report[] =>
  Array.from({ length: (days * 1440) / every }, (_, n) => {
    const ago = (days * 1440 - n * every) * MINUTE;
    return { at: new Date(now - ago).toISOString(), values: { levelMm: level(ago / DAY) + 4 * wobble(n) } };
  });

interface Tank {
  own: FarmWorld;
  tank: DeviceRow;
}
async function tankWith(reports: readonly Report[]): Promise<Tank> {
  const own = await buildFarmWorld(server);
  const tank = await buildTank(server.database.db, own.farm.id, { settings });
  await own.record(tank, reports);
  return { own, tank };
}
async function used({ own, tank }: Tank, days: number, stopAt?: string): Promise<UsagePoint[]> {
  const query = { sensorId: tank.uid, days: String(days), ...(stopAt && { stopAt }) };
  return (await own.get('GET /lvl/waterflow', query)).json<{ history: UsagePoint[] }>().history;
}
const litres = (points: readonly UsagePoint[]) => points.map(({ litreValue }) => litreValue);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('what a tank used by its level', () => {
  it('is nothing while it stands, whatever its noise', async () => {
    const world = await tankWith(reportsOf(9, 10, () => 1000));
    for (const isCounted of [false, true]) {
      if (isCounted) await count();
      expect(Math.max(...litres(await used(world, 7)))).toBeLessThan(30);
      expect(sum(litres(await used(world, 1)))).toBeLessThan(30);
    }
  });

  it('is the same on the Usage tab, in the details, the headline and the forecast, counted before or not', async () => {
    // 60 mm a day: 600 L.
    const world = await tankWith(reportsOf(16, 15, (daysAgo) => 900 + 60 * daysAgo));
    const { own, tank } = world;
    const told = async () => {
      const week = await used(world, 7);
      const info = (await own.get('GET /level/full-info', { sensorUid: tank.uid })).json<TankInfo>();
      const headline = async (sumType: string) =>
        (await own.get('GET /headline/tankflow', { sensorUid: tank.uid, sumType, metric: 'L' })).json<{
          value: number;
        }>().value;
      const insights = (await own.get('GET /insights', { farmUID: own.farm.uid })).json<
        ReplyOf<typeof farmInsights>
      >();
      const fortnight = litres(await used(world, 15)).slice(0, -1);
      return {
        week: litres(week),
        yesterday: [info.yesterdayUsage, await headline('yesterday'), litres(week).at(-2)],
        today: [info.todayUsage, await headline('today'), litres(week).at(-1)],
        hours: sum(litres(await used(world, 1, '20-11-2026'))),
        perDay: insights.tanks[0]?.untilEmpty?.litresPerDay ?? 0,
        fortnight: fortnight.toSorted((a, b) => a - b),
      };
    };
    const before = await told();
    await count();
    const after = await told();
    expect(after).toEqual(before);
    expect(new Set(after.yesterday).size).toBe(1);
    expect(new Set(after.today).size).toBe(1);
    expect(after.hours).toBeCloseTo(after.yesterday[0] ?? 0, 0);
    for (const day of after.week.slice(0, -1)) expect(Math.abs(day - 600)).toBeLessThan(120);
    expect(Math.abs(sum(after.fortnight) / 14 - 600)).toBeLessThan(12);
    // The middle two of fourteen days.
    expect(after.perDay).toBeCloseTo(((after.fortnight[6] ?? 0) + (after.fortnight[7] ?? 0)) / 2, -1);
  });

  it('is counted anew after late readings, another height of the tank and a day of silence', async () => {
    const all = reportsOf(12, 20, (daysAgo) => 1000 + 50 * daysAgo);
    const isLate = ({ at }: Report) => at > '2026-11-14T05' && at < '2026-11-16T17';
    const world = await tankWith(all.filter((report) => !isLate(report)));
    await count();
    const without = await used(world, 12);
    // Two days and a half of silence have their share: the days that nobody heard are marked.
    expect(sum(litres(without))).toBeGreaterThan(5300);
    expect(without.filter(({ generated }) => generated).map(({ time }) => time.slice(0, 10))).toEqual([
      '2026-11-14',
      '2026-11-15',
    ]);
    await world.own.record(world.tank, all.filter(isLate));
    await count();
    const whole = await tankWith(all);
    await count();
    expect(await used(world, 12)).toEqual(await used(whole, 12));
    // Half of its readings can't be levels of a tank this low.
    await server.database.db
      .updateTable('device')
      .set({ settings: JSON.stringify({ ...settings, height: 700 }) })
      .where('id', '=', world.tank.id)
      .execute();
    await count();
    expect(sum(litres(await used(world, 12)))).toBeLessThan(2500);
  });

  it('stays when its raw readings are gone', async () => {
    const world = await tankWith(reportsOf(40, 30, (daysAgo) => 1000 + 20 * daysAgo));
    await count();
    const before = await used(world, 40);
    const { db } = server.database;
    await db
      .deleteFrom('reading')
      .where('farm_id', '=', world.own.farm.id)
      .where('at', '<', new Date('2026-11-10T00:00Z'))
      .execute();
    await count();
    expect(await used(world, 40)).toEqual(before);
  });

  it('of days that were never counted and have no readings any more is the sum of their falls', async () => {
    const world = await tankWith([
      { at: '2026-11-01T12:00:00Z', values: { levelMm: 1000 } },
      { at: '2026-11-01T18:00:00Z', values: { levelMm: 900 } },
    ]);
    await server.database.db.deleteFrom('reading').where('farm_id', '=', world.own.farm.id).execute();
    await count();
    expect(litres(await used(world, 30))).toEqual([1000]);
  });
});
