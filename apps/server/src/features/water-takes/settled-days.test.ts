import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { takeDays } from '@headrace/contract/water-takes';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildTake } from '../../testing/take-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z; a day of 15 November is from 14T12:00Z.
let server: TestServer;
let world: FarmWorld;
let meter: DeviceRow;
let uid: string;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  world = await buildFarmWorld(server);
  meter = await buildDevice(db(), world.farm.id, 'sensor', { name: 'Bore 1', type: sensorTypes.FLOW_PULSE });
  ({ uid } = await buildTake(db(), meter, server.clock.now));
});

const db = () => server.database.db;
const FIRST = Date.parse('2026-11-13T00:00:00Z');
/** A count of each quarter of an hour since 13 November, but for these; 2 m³ in each. */
const counts = (but: (index: number) => boolean = () => false) =>
  world.record(
    meter,
    Array.from({ length: 7 * 96 }, (_none, index) => index)
      .filter((index) => !but(index))
      .map((index) => ({
        at: new Date(FIRST + index * 900_000).toISOString(),
        values: { pulsesTotal: 100 + index * 2 },
      })),
  );
const days = async () => {
  const query = { farmUID: world.farm.uid, uid, from: '2026-11-14', to: '2026-11-19' };
  const reply = (await world.get('GET /water-take/days', query)).json<ReplyOf<typeof takeDays>>();
  return reply.days.map(({ day, m3, missing, cells }) => [day, Math.round(m3 * 1000) / 1000, missing, cells]);
};
const settled = async () =>
  (
    await db()
      .selectFrom('take_meter_day')
      .select('day')
      .where('farm_id', '=', world.farm.id)
      .orderBy('day')
      .execute()
  ).map(({ day }) => day.toISOString().slice(0, 10));
const forget = () => db().deleteFrom('reading').where('farm_id', '=', world.farm.id).execute();

it('days that only a late reading can change are reckoned once, also where their readings are no longer kept', async () => {
  await counts();
  const first = await days();
  expect(first[1]).toEqual(['2026-11-15', 192, 0, 'm'.repeat(96)]);
  // Of the 19th the two days from its start to what may change it are not over yet.
  expect(await settled()).toEqual([
    '2026-11-13',
    '2026-11-14',
    '2026-11-15',
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
  ]);
  expect(await days()).toEqual(first);
  await forget();
  expect((await days()).slice(1, 5)).toEqual(first.slice(1, 5));
});

it('a setting that no volume rests on unsettles no day, and one whose readings are gone stays as it was reckoned', async () => {
  await counts();
  const first = await days();
  await forget();
  await db()
    .updateTable('device')
    .set({ settings: JSON.stringify({ ...meter.settings, litrePerPulse: 7 }) })
    .where('id', '=', meter.id)
    .execute();
  expect((await days()).slice(1, 5)).toEqual(first.slice(1, 5));
  await db()
    .updateTable('take_meter')
    .set({ m3_per_unit: 0.5 })
    .where('farm_id', '=', world.farm.id)
    .execute();
  const short = await createTestServer({ requestsPerMinute: 100_000, rawRetentionDays: 4 }, server);
  onTestFinished(() => short.close());
  short.clock.now = server.clock.now;
  const query = { farmUID: world.farm.uid, uid, from: '2026-11-14', to: '2026-11-16' };
  const reply = await short.call('GET /water-take/days', { headers: world.headers, query });
  // A count was 1 m³ then, and is half of that now: it says so.
  expect(reply.json<ReplyOf<typeof takeDays>>().days[1]).toMatchObject({
    day: '2026-11-15',
    m3: 192,
    hasOldSettings: true,
  });
});

it('a day whose readings are gone and whose settings are those of then says nothing of settings', async () => {
  await counts();
  await days();
  const short = await createTestServer({ requestsPerMinute: 100_000, rawRetentionDays: 4 }, server);
  onTestFinished(() => short.close());
  short.clock.now = server.clock.now;
  const query = { farmUID: world.farm.uid, uid, from: '2026-11-14', to: '2026-11-16' };
  const reply = await short.call('GET /water-take/days', { headers: world.headers, query });
  expect(reply.json<ReplyOf<typeof takeDays>>().days.map(({ hasOldSettings }) => hasOldSettings)).toEqual([
    false,
    false,
    false,
  ]);
});

it.each([
  ['at first', '/vZesfj5XtmKQp/0Hga2QiM9GL0=', '93LVnbld10Tp+5rxSNzqt8RMkbU='],
  [
    'by the second version',
    'X9sNg81Hm9xudYdMVfDGW+NPLCbJir/9rpl4O7Cdglc=',
    'PcubXMGtqjHHr2EIUn9YbBKgR8eyo02+Ywx8pn0LMtQ=',
  ],
  [
    'by the version before',
    'pRGLDHxEMEVc8NN2+/Cmy2yh+K9/cs3EO/KfVuLADgY=',
    '+fyH7DFAaWNBED2VzQI9WTwSPW5BPm2rsgGfe3YeJOo=',
  ],
])(
  'a day whose readings are gone says nothing of settings for being kept under its print as it was made %s',
  async (_when, first, second) => {
    await counts();
    await days();
    const former = { '2026-11-14T00:00:00Z': first, '2026-11-15T00:00:00Z': second };
    for (const [day, print] of Object.entries(former))
      await db()
        .updateTable('take_meter_day')
        .set({ print })
        .where('farm_id', '=', world.farm.id)
        .where('day', '=', new Date(day))
        .execute();
    const short = await createTestServer({ requestsPerMinute: 100_000, rawRetentionDays: 4 }, server);
    onTestFinished(() => short.close());
    short.clock.now = server.clock.now;
    const query = { farmUID: world.farm.uid, uid, from: '2026-11-15', to: '2026-11-15' };
    const read = async () => {
      const reply = await short.call('GET /water-take/days', { headers: world.headers, query });
      return reply
        .json<ReplyOf<typeof takeDays>>()
        .days.map(({ m3, hasOldSettings }) => [m3, hasOldSettings]);
    };
    expect(await read()).toEqual([[192, false]]);
    await db()
      .updateTable('take_meter')
      .set({ m3_per_unit: 0.5 })
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(await read()).toEqual([[192, true]]);
  },
);

it('a reading that comes late unsettles its day, and a count of another size all of them', async () => {
  // Of the 16th in UTC nothing from 06:15 to 08:45.
  const gap = (index: number) => index > 3 * 96 + 24 && index < 3 * 96 + 36;
  await counts(gap);
  expect((await days())[2]).toEqual([
    '2026-11-16',
    192,
    12,
    `${'m'.repeat(72)}${'-'.repeat(12)}${'m'.repeat(12)}`,
  ]);
  await world.record(
    meter,
    Array.from({ length: 11 }, (_none, index) => ({
      at: new Date(FIRST + (3 * 96 + 25 + index) * 900_000).toISOString(),
      values: { pulsesTotal: 100 + (3 * 96 + 25 + index) * 2 },
    })),
  );
  expect((await days())[2]).toEqual(['2026-11-16', 192, 0, 'm'.repeat(96)]);
  await db()
    .updateTable('take_meter')
    .set({ m3_per_unit: 0.5 })
    .where('farm_id', '=', world.farm.id)
    .execute();
  expect((await days())[2]?.[1]).toBe(96);
});

it('a day in a long silence is not settled: what ends the silence says how much it was', async () => {
  const silence = (index: number) => index > 2 * 96 && index < 5 * 96;
  await counts(silence);
  await days();
  expect(await settled()).toEqual(['2026-11-13', '2026-11-14', '2026-11-18']);
});

it('a silence over the end of the days that are reckoned at a time is one gap with its total, and each day counts once', async () => {
  // Forty days from 1 October end with 9 November: it is silent from 22:00 on that day to 02:00, for 16 quarters of 2 m³.
  const since = Date.parse('2026-10-01T00:00:00Z');
  await db()
    .updateTable('take_meter')
    .set({ starts_at: new Date(since) })
    .where('farm_id', '=', world.farm.id)
    .execute();
  const silent = Date.parse('2026-11-09T22:00:00Z');
  await world.record(
    meter,
    Array.from({ length: 44 * 96 }, (_none, index) => ({
      at: since + index * 900_000,
      total: 100 + index * 2,
    }))
      .filter(({ at }) => at <= silent || at >= silent + 16 * 900_000)
      .map(({ at, total }) => ({ at: new Date(at).toISOString(), values: { pulsesTotal: total } })),
  );
  const query = { farmUID: world.farm.uid, uid, from: '2026-10-02', to: '2026-11-12' };
  const told = async () =>
    (await world.get('GET /water-take/days', query)).json<ReplyOf<typeof takeDays>>().days;
  const first = await told();
  // Of the day with the silence 80 quarters are known, and the total of the others: 192 m³ in all.
  expect(first.map(({ m3 }) => Math.round(m3 * 1000) / 1000)).toEqual(Array(42).fill(192));
  expect(first.filter(({ missing }) => missing > 0)).toMatchObject([{ day: '2026-11-10', missing: 16 }]);
  expect(await settled()).toHaveLength(43);
  expect(await told()).toEqual(first);
});
