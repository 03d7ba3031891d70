import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type {
  AdviceLedger,
  AdviceSettings,
  GroupAdvice,
  IrrigationAdvice,
} from '@headrace/contract/irrigation-advice';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { ForecastDay } from '@headrace/contract/weather';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler, buildWanted } from '../../testing/irrigation-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import type { WeatherDriver } from '../weather/weather-driver.ts';

/** What a group of two sprinklers needs on 22 November, 09:00 in New Zealand; each waters from 18:12 to 18:40. */
let days: ForecastDay[] = [];
let farms = 0;
const driver: WeatherDriver = {
  source: 'The met office',
  isDemo: false,
  forecast: () => Promise.resolve(days.map((day) => ({ ...day, wind: [] }))),
};
let server: TestServer;
let world: FarmWorld;
/** A session ends before the next day. */
let headers: Record<string, string>;
let units: DeviceRow[];
let north: string;
beforeAll(async () => {
  server = await createTestServer({ weather: driver, requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  days = [];
  server.clock.now = at('2026-11-22', '09:00');
  world = await buildFarmWorld(server);
  headers = world.headers;
  const { db } = server.database;
  // A forecast is remembered by place.
  await db
    .updateTable('farm')
    .set({ lat: -40 - (farms += 1) / 5 })
    .where('id', '=', world.farm.id)
    .execute();
  units = [];
  for (const name of ['U001', 'U002']) units.push(await buildSprinkler(db, world.farm.id, { name }));
  north = await buildGroup(db, world.farm.id, 'North', units);
  await buildWanted(db, world.farm.id, units, evening);
  await db
    .updateTable('unit_program')
    .set({ wanted_at: at('2026-11-01', '09:00') })
    .execute();
  for (const { farm_id, id: device_id } of units)
    await db
      .insertInto('unit_held')
      .values({
        farm_id,
        device_id,
        since: at('2026-11-01', '09:00'),
        until: null,
        crc: scheduleCrc(evening),
        how: 'said',
        entries: JSON.stringify(evening),
        cycle_days: 1,
      })
      .execute();
});

const evening = [{ start: 18 * 60 + 12, duration: 28, cycle: 1 }];
/** By the clock of New Zealand in summer. */
const at = (day: string, time: string) => new Date(`${day}T${time}:00+13:00`);
async function watered(index: number, day: string): Promise<void> {
  const { farm_id, id: device_id } = units[index]!;
  const [opened, closed] = [at(day, '18:12'), at(day, '18:40')];
  await server.database.db
    .insertInto('watering_run')
    .values({
      farm_id,
      device_id,
      opened_at: opened,
      opened_how: 'said',
      open_until: opened,
      closed_at: closed,
      closed_how: 'said',
      lps: 4,
      mm_per_min: 0.17240856,
      is_part: false,
    })
    .execute();
}
const put = (what: string, body: object) =>
  server.call(`PUT /irrigation-advice/${what}`, {
    headers,
    body: { farmUID: world.farm.uid, ...body },
  });
const get = (key: string, query: Record<string, string>) => server.call(key, { headers, query });
const nothing = {
  soil: null,
  knownDay: null,
  knownMm: null,
  probeUID: null,
  refillKpa: null,
  usualEt0Mm: null,
  rainSiteUID: null,
};
async function enter(what: string, body: object): Promise<AdviceSettings> {
  const reply = await put(what, body);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}
/** What was given since is reckoned after the reply, the earliest day last. */
const reckoned = (day: string) =>
  vi.waitFor(async () => expect(await notedOf(day)).not.toEqual([]), { timeout: 20_000 });
const notedOf = async (day: string) =>
  (
    await sql<{ groupUid: string; mm: number }>`select group_uid as "groupUid", mm from applied_day
      where farm_id = ${world.farm.id} and day = ${day}::date`.execute(server.database.db)
  ).rows;
/** What changes is noted by the database's clock: it was at this time. */
const groupedAt = (since: Date) =>
  sql`update unit_grouping o set since = ${since} where farm_id = ${world.farm.id} and not exists (select from unit_grouping l
    where l.farm_id = o.farm_id and l.device_id = o.device_id and l.since > o.since)`.execute(
    server.database.db,
  );
async function goOn(day: string, time: string): Promise<void> {
  server.clock.now = at(day, time);
  headers = await server.signIn(world.owner);
}
const forecastOf = (date: string, rain: number): ForecastDay => ({
  date,
  rain,
  chance: null,
  minTemperature: null,
  maxTemperature: null,
  et0: 4,
});
/** 60 mm, half of it easy to take; full at 0. It lacked 21 mm on the evening of the 19th. */
const soil = {
  awcMmPerM: 120,
  rootM: 0.5,
  easyShare: 0.5,
  kc: 1,
  triggerShare: 0.65,
  targetShare: 0.8,
  efficiency: 0.85,
};
const known = { ...nothing, soil, knownDay: '2026-11-19', knownMm: 21 };

async function readAdvice(): Promise<IrrigationAdvice> {
  const reply = await get('GET /irrigation-advice', { farmUID: world.farm.uid });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}
async function ofNorth(): Promise<GroupAdvice> {
  const found = (await readAdvice()).groups.find(({ groupUID }) => groupUID === north);
  if (!found) throw new Error('no such group');
  return found;
}
const ledger = async (): Promise<AdviceLedger['days']> =>
  (
    await get('GET /irrigation-advice/ledger', { farmUID: world.farm.uid, groupUID: north, days: '4' })
  ).json<AdviceLedger>().days;

describe('advice', () => {
  it('says that nobody told what the soil lacked, and of its numbers that they are defaults', async () => {
    const { advice, state, soilFrom, tawMm, cycle } = await ofNorth();
    expect([advice, state, soilFrom, tawMm]).toEqual([null, 'noStart', 'default', 65]);
    // 28 × 4 × 8.620428 × 7.2 ÷ 1440.
    expect(cycle).toEqual({ mm: 4.83, days: 0, from: 'sent' });
  });

  it('names the day on which nobody knows what the crop used', async () => {
    await enter('settings', { groupUID: north, ...known });
    await reckoned('2026-11-19');
    await enter('day', { day: '2026-11-20', et0Mm: 4.5, rainMm: null });
    expect(await ofNorth()).toMatchObject({ state: 'noEt0', stateDay: '2026-11-21', advice: null });
  });

  it('is by what was used, what fell and what valves did; of a sprinkler that was not heard it says what would be', async () => {
    await watered(0, '2026-11-20');
    await watered(1, '2026-11-20');
    await watered(0, '2026-11-21');
    await enter('settings', { groupUID: north, ...known });
    await reckoned('2026-11-19');
    await enter('settings', { ...nothing, usualEt0Mm: 4.5 });
    await enter('day', { day: '2026-11-21', et0Mm: null, rainMm: 2 });
    const { advice, ...facts } = await ofNorth();
    // 21 + 4.5 − 0.85 × 4.8274 = 21.3967; + 4.5 − 2 − 0.85 × 2.4137 = 21.8450; with both 19.7934. 1 − 21.845 ÷ 60.
    expect(facts).toMatchObject({
      state: 'advised',
      soilFrom: 'group',
      since: '2026-11-19',
      depletionMm: 21.85,
      leastMm: 19.79,
      fullness: 0.636,
      notKnown: 1,
      rainNotKnown: 1,
      today: { rainMm: null, appliedMm: 0 },
    });
    // 9.845 mm lack to 80 %: two cycles that bring 4.103 each. At 19.79 it is 67 %: none.
    expect(advice).toMatchObject({
      cycles: 2,
      mm: 9.65,
      leastCycles: 0,
      heldBackUntil: null,
      rainAheadMm: null,
    });
    // 21.845 − 8.2066 + 4.5, and on.
    expect(advice?.outlook).toEqual([
      { day: '2026-11-23', fullness: 0.698, depletionMm: 18.14, cycles: 0 },
      { day: '2026-11-24', fullness: 0.623, depletionMm: 22.64, cycles: 2 },
      { day: '2026-11-25', fullness: 0.548, depletionMm: 27.14, cycles: 3 },
    ]);
    expect(
      (await ledger()).map(({ day, appliedMm, notKnown, et0From, rainFrom, depletionMm }) =>
        [day, appliedMm, notKnown, et0From, rainFrom, depletionMm].join(' '),
      ),
    ).toEqual([
      '2026-11-22  0 usual  ',
      '2026-11-21 2.41 1 usual entered 21.85',
      '2026-11-20 4.83 0 usual  21.4',
      '2026-11-19 0 2 usual  ',
    ]);
  });

  it('is held back for rain until six, and given back when less fell: forecast rain never counts', async () => {
    const rains: [string, number][] = [
      ['2026-11-22', 6],
      ['2026-11-23', 8],
      ['2026-11-24', 0],
      ['2026-11-25', 0],
    ];
    days = rains.map((rain) => forecastOf(...rain));
    await enter('settings', { groupUID: north, ...known, knownDay: '2026-11-21' });
    await reckoned('2026-11-21');
    const before = await ofNorth();
    expect(before.advice).toMatchObject({
      cycles: 2,
      rainAheadMm: 14,
      heldBackUntil: at('2026-11-23', '06:00').toISOString(),
    });
    expect(before.advice?.outlook[0]).toMatchObject({ depletionMm: 25 });
    await server.runJob('irrigation advice');
    await goOn('2026-11-23', '09:00');
    days = ['2026-11-23', '2026-11-24', '2026-11-25'].map((date) => forecastOf(date, 0));
    await enter('day', { day: '2026-11-22', et0Mm: null, rainMm: 1 });
    await server.runJob('irrigation advice');
    // 21 + 4 − 1; nobody heard them water.
    expect(await ofNorth()).toMatchObject({
      depletionMm: 24,
      advice: { cycles: 2, heldBackUntil: null, rainAheadMm: 0 },
    });
    await enter('note', { groupUID: north, day: '2026-11-23', note: 'Two rounds from noon' });
    expect(await ledger()).toMatchObject([
      {
        day: '2026-11-23',
        advised: { cycles: 2, isHeldBack: false },
        note: 'Two rounds from noon',
        noteBy: 'A Person',
      },
      {
        day: '2026-11-22',
        forecastMm: 6,
        rainMm: 1,
        et0From: 'forecast',
        advised: { cycles: 2, isHeldBack: true },
      },
      { day: '2026-11-21' },
      { day: '2026-11-20' },
    ]);
  });

  it('begins with days that were over before anybody asked, by what the source reckons of them; their rain is no forecast', async () => {
    days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24'].map((date) =>
      forecastOf(date, 3),
    );
    await enter('day', { day: '2026-11-20', et0Mm: 5, rainMm: null });
    await enter('settings', { groupUID: north, ...known });
    await reckoned('2026-11-19');
    // 21 + 5 + 4: nobody heard them water.
    expect(await ofNorth()).toMatchObject({ depletionMm: 30 });
    expect(
      (await ledger()).map(({ day, et0Mm, et0From, forecastMm }) => [day, et0Mm, et0From, forecastMm]),
    ).toEqual([
      ['2026-11-22', 4, 'forecast', 3],
      ['2026-11-21', 4, 'forecast', null],
      ['2026-11-20', 5, 'entered', null],
      ['2026-11-19', null, null, null],
    ]);
  });

  it('is not held back for rain that has fallen already', async () => {
    days = ['2026-11-22', '2026-11-23', '2026-11-24'].map((date, index) =>
      forecastOf(date, index === 0 ? 10 : 0),
    );
    await enter('settings', { groupUID: north, ...known, knownDay: '2026-11-21', knownMm: 27 });
    await reckoned('2026-11-21');
    await enter('day', { day: '2026-11-22', et0Mm: null, rainMm: 6 });
    // 27 − 6; 9 mm lack to 80 %, and 4 of the 10 that were forecast are still to come.
    expect(await ofNorth()).toMatchObject({
      depletionMm: 21,
      advice: { cycles: 2, rainAheadMm: 4, heldBackUntil: null },
    });
  });
});

it('knows no rain of the day in which the gauge fell silent, until it speaks again', async () => {
  const gauge = await buildDevice(server.database.db, world.farm.id, 'sensor', {
    type: sensorTypes.SOIL_MOISTURE,
  });
  const fell = (day: string, time: string, rainMm: number) =>
    world.record(gauge, [{ at: at(day, time).toISOString(), values: { rainMm } }]);
  const rain = async () => (await ledger()).map(({ day, rainMm, rainFrom }) => [day, rainMm, rainFrom]);
  await enter('settings', { groupUID: north, ...known });
  await fell('2026-11-20', '22:00', 3);
  await fell('2026-11-21', '01:00', 1);
  const before = [
    ['2026-11-20', 3, 'gauge'],
    ['2026-11-19', null, null],
  ];
  expect(await rain()).toEqual([['2026-11-22', null, null], ['2026-11-21', null, null], ...before]);
  await fell('2026-11-22', '08:30', 0);
  expect(await rain()).toEqual([['2026-11-22', 0, 'gauge'], ['2026-11-21', 1, 'gauge'], ...before]);
});

describe('what was given', () => {
  it('stays as it was when a sprinkler comes into the group, and is among more from then on', async () => {
    const { db } = server.database;
    const other = await buildSprinkler(db, world.farm.id, { name: 'U003' });
    await buildGroup(db, world.farm.id, 'South', [other]);
    await groupedAt(at('2020-01-01', '09:00'));
    for (const index of [0, 1]) await watered(index, '2026-11-21');
    await enter('settings', { groupUID: north, ...known });
    await reckoned('2026-11-19');
    const group = await db
      .selectFrom('device_group')
      .select('id')
      .where('uid', '=', north)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('device_group_member')
      .values({ farm_id: world.farm.id, group_id: group.id, device_id: other.id })
      .execute();
    await sql`update unit_grouping set since = ${at('2026-11-22', '08:00')} where farm_id = ${world.farm.id}
      and device_id = ${other.id} and groups @> ${JSON.stringify([{ uid: north }])}::jsonb`.execute(db);
    for (const index of [0, 1]) await watered(index, '2026-11-22');
    await goOn('2026-11-23', '09:00');
    await server.runJob('irrigation advice');
    // 28 min × 0.1724 mm, of two; of three, one of which got nothing: × 2 ÷ 3.
    expect((await ledger()).slice(1, 3).map(({ day, appliedMm }) => [day, appliedMm])).toEqual([
      ['2026-11-22', 3.22],
      ['2026-11-21', 4.83],
    ]);
  });

  it('counts for a new group as well, of whose sprinklers all is known; what was noted long ago stays', async () => {
    const { db } = server.database;
    await groupedAt(at('2020-01-01', '09:00'));
    for (const index of [0, 1]) await watered(index, '2026-11-18');
    await enter('settings', { ...nothing, soil, knownDay: '2026-11-17', knownMm: 10, usualEt0Mm: 4.5 });
    await reckoned('2026-11-17');
    await sql`update applied_day set mm = 4 where farm_id = ${world.farm.id} and day = '2026-11-18'`.execute(
      db,
    );
    const all = await buildGroup(db, world.farm.id, 'All', units);
    await groupedAt(at('2026-11-22', '08:00'));
    const ofAll = async () => (await readAdvice()).groups.find(({ groupUID }) => groupUID === all);
    expect(await ofAll()).toMatchObject({ state: 'noIrrigation', stateDay: '2026-11-18' });
    await server.runJob('irrigation advice');
    // 10 + 4.5 − 0.85 × 4.8274, and three days of 4.5; of North 4 mm are noted.
    expect(await ofAll()).toMatchObject({ state: 'advised', depletionMm: 23.9 });
    expect(await ofNorth()).toMatchObject({ state: 'advised', depletionMm: 24.6 });
  });

  it('is reckoned after the reply, and by the hourly job where that failed', async () => {
    const { db } = server.database;
    await db.transaction().execute(async (trx) => {
      await sql`lock table applied_day in access exclusive mode`.execute(trx);
      expect(await enter('settings', { groupUID: north, ...known })).toMatchObject({
        version: 1,
        knownMm: 21,
      });
      await vi.waitFor(
        async () => {
          const { rows } = await sql`select pg_cancel_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%applied_day%'`.execute(
            db,
          );
          expect(rows).toHaveLength(1);
        },
        { timeout: 20_000 },
      );
    });
    expect(await notedOf('2026-11-19')).toEqual([]);
    await server.runJob('irrigation advice');
    expect(await notedOf('2026-11-19')).toEqual([{ groupUid: north, mm: 0 }]);
  });
});

describe('what is entered', () => {
  it('by two people at once asks who is to be heard', async () => {
    expect(await enter('settings', { groupUID: north, ...known, version: 0 })).toMatchObject({
      version: 1,
      by: 'A Person',
    });
    const late = await put('settings', { groupUID: north, ...nothing, version: 0 });
    expect([late.statusCode, late.json()]).toMatchObject([409, { current: { version: 1, knownMm: 21 } }]);
  });

  it.each([
    [
      'a day that is to come',
      'settings',
      { ...known, knownDay: '2026-11-23' },
      'knownDay: this day is still to come.',
    ],
    [
      'a day that is none',
      'settings',
      { ...known, knownDay: '2026-11-31' },
      'knownDay: this day does not exist.',
    ],
    [
      'a month that is none',
      'settings',
      { ...known, knownDay: '2026-13-45' },
      'knownDay: this day does not exist.',
    ],
    [
      'weather of a month that is none',
      'day',
      { day: '2026-13-45', et0Mm: 3, rainMm: 0 },
      'day: this day does not exist.',
    ],
    ['a day without its mm', 'settings', { ...known, knownMm: null }, 'Both a day and the mm'],
    [
      'a target under the trigger',
      'settings',
      { ...known, soil: { ...soil, targetShare: 0.6 } },
      'Fill up to must be more',
    ],
    ['weather of long ago', 'day', { day: '2026-08-01', et0Mm: 3, rainMm: 0 }, 'day: at most 60 days back.'],
  ])('with %s is refused', async (_, what, body, sentence) => {
    const reply = await put(what, body);
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      400,
      expect.stringContaining(sentence),
    ]);
  });

  it('of a group that the farm hasn’t is refused', async () => {
    expect((await put('settings', { groupUID: '0123456789abcdef01234567', ...nothing })).statusCode).toBe(
      404,
    );
  });
});
