import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  AdviceLedger,
  AdviceSettings,
  GroupAdvice,
  IrrigationAdvice,
} from '@headrace/contract/irrigation-advice';
import type { ForecastDay } from '@headrace/contract/weather';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import type { DeviceRow } from '../../db/schema.ts';
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
  forecast: () => Promise.resolve(days),
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

async function told(): Promise<IrrigationAdvice> {
  const reply = await get('GET /irrigation-advice', { farmUID: world.farm.uid });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}
async function ofNorth(): Promise<GroupAdvice> {
  const found = (await told()).groups.find(({ groupUID }) => groupUID === north);
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
    await enter('day', { day: '2026-11-20', et0Mm: 4.5, rainMm: null });
    expect(await ofNorth()).toMatchObject({ state: 'noEt0', stateDay: '2026-11-21', advice: null });
  });

  it('is by what was used, what fell and what valves did; of a sprinkler that was not heard it says what would be', async () => {
    await watered(0, '2026-11-20');
    await watered(1, '2026-11-20');
    await watered(0, '2026-11-21');
    await enter('settings', { groupUID: north, ...known });
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
    const day = (date: string, rain: number): ForecastDay => ({
      date,
      rain,
      chance: null,
      minTemperature: null,
      maxTemperature: null,
      et0: 4,
    });
    days = [day('2026-11-22', 6), day('2026-11-23', 8), day('2026-11-24', 0), day('2026-11-25', 0)];
    await enter('settings', { groupUID: north, ...known, knownDay: '2026-11-21' });
    const before = await ofNorth();
    expect(before.advice).toMatchObject({
      cycles: 2,
      rainAheadMm: 14,
      heldBackUntil: at('2026-11-23', '06:00').toISOString(),
    });
    expect(before.advice?.outlook[0]).toMatchObject({ depletionMm: 25 });
    await server.runJob('irrigation advice');
    server.clock.now = at('2026-11-23', '09:00');
    headers = await server.signIn(world.owner);
    days = [day('2026-11-23', 0), day('2026-11-24', 0), day('2026-11-25', 0)];
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
