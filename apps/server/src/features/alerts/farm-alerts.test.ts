import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ForecastDay } from '@headrace/contract/weather';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import type { DeviceRow } from '../../db/schema.ts';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildDevice, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler, buildWanted } from '../../testing/irrigation-factories.ts';
import { everyMinutes } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';

const START = Date.parse('2026-11-20T21:00:00Z');
const MINUTE = 60_000;
const at = (minute: number) => new Date(START + minute * MINUTE);

describe('by what devices say', () => {
  let server: TestServer;
  let world: FarmWorld;
  let forecast: ForecastDay[] = [];
  beforeAll(async () => {
    const weather = {
      source: 'Weather Co',
      isDemo: false,
      forecast: async () => forecast.map((one) => ({ ...one, wind: [] })),
    };
    server = await createTestServer({ requestsPerMinute: 100_000, weather });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    server.clock.now = at(0);
    // Forecasts are kept by place for a while.
    world = await buildFarmWorld(server);
    await db()
      .updateTable('farm')
      .set({ lat: -40 - world.farm.id })
      .where('id', '=', world.farm.id)
      .execute();
  });

  const db = () => server.database.db;
  const rule = (kind: 'Flow' | 'EmptySoon' | 'PumpRuns' | 'Frost' | 'Rain', over: object = {}) =>
    buildRule(db(), world.farm.id, { kind, condition: 'any', value: null, hold_min: 0, ...over });
  async function look(minute: number): Promise<void> {
    server.clock.now = at(minute);
    server.committed(new Set([world.farm.id]));
    await server.runJob('alerts');
  }
  const bell = async () =>
    (await server.call('GET /notifications', { headers: await server.signIn(world.owner) }))
      .json<{ list: { message: string }[] }>()
      .list.map(({ message }) => message)
      .toReversed();
  const day = (index: number, over: Partial<ForecastDay>): ForecastDay => ({
    date: new Date(START + 13 * 36e5 + index * 864e5).toISOString().slice(0, 10),
    rain: 0,
    chance: 0,
    minTemperature: 8,
    maxTemperature: 20,
    et0: 4,
    ...over,
  });

  it('too much flow is told, and over ten percent inside of the limit', async () => {
    await rule('Flow', { condition: 'above', value: 100 });
    const meter = await buildDevice(db(), world.farm.id, 'sensor', { name: 'Bore', type: sensorTypes.FLOW });
    const flows = (minute: number, flowLpm: number) =>
      world.record(meter, [{ at: at(minute).toISOString(), values: { flowLpm } }]);
    await flows(0, 120);
    await look(0);
    await flows(5, 95);
    await look(5);
    await look(15);
    expect(await bell()).toEqual([
      '120 L/min flow through Bore, above 100 L/min since 10:00. Look for a burst pipe, a closed valve or a pump that stands.',
    ]);
    await flows(16, 90);
    await look(16);
    await look(22);
    expect((await bell()).slice(1)).toEqual(['Bore: it ended at 10:16 after 16 minutes.']);
  });

  it('no flow is told while three sprinklers have been open for the hold, by what the meter says of that time', async () => {
    await rule('Flow', { condition: 'none', hold_min: 15 });
    const meter = await buildDevice(db(), world.farm.id, 'sensor', { name: 'Bore', type: sensorTypes.FLOW });
    const flows = (minute: number, flowLpm: number) =>
      world.record(meter, [{ at: at(minute).toISOString(), values: { flowLpm } }]);
    const units: DeviceRow[] = [];
    for (const name of ['A1', 'A2', 'A3']) units.push(await buildSprinkler(db(), world.farm.id, { name }));
    const says = async (minute: number, valve: number, of: readonly DeviceRow[]) => {
      for (const unit of of)
        await world.record(unit, [{ at: at(minute).toISOString(), values: { valve, charge: 90 } }]);
    };
    // Nothing flowed before the evening's watering, and the meter reports each hour.
    await flows(0, 0);
    await says(10, 1, units.slice(0, 2));
    await look(30);
    await says(40, 1, units.slice(2));
    for (const minute of [40, 56]) await look(minute);
    // It spoke as the pump started.
    await flows(42, 0);
    await look(57);
    expect(await bell()).toEqual([]);
    await flows(60, 0);
    await look(60);
    expect(await bell()).toEqual([
      expect.stringContaining('Nothing flows through Bore since 10:40, while 3 sprinklers water.'),
    ]);
    await says(90, 0, units);
    for (const minute of [90, 106]) await look(minute);
    expect((await bell()).slice(1)).toEqual(['Bore: it ended at 11:30 after 50 minutes.']);
  });

  it('a tank that may be empty within two days is told, and one that is filled again and again is not', async () => {
    await rule('EmptySoon', { condition: 'within', value: 3 });
    const tank = await buildTank(db(), world.farm.id, {
      name: 'House tank',
      settings: { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 },
    });
    // 80 mm a day: after six days 420 mm are left, five days and a bit.
    const level = (index: number) => 900 - Math.floor(index * 3.33);
    await world.record(
      tank,
      everyMinutes(60, new Date(START - 6 * 86_400_000).toISOString(), 6 * 24 + 1, (index) => ({
        levelMm: level(index),
      })),
    );
    await look(1);
    expect(await bell()).toEqual([]);
    await world.record(
      tank,
      everyMinutes(60, at(60).toISOString(), 72, (index) => ({ levelMm: level(145 + index) })),
    );
    await look(72 * 60 + 30);
    expect(await bell()).toEqual([expect.stringMatching(/^House tank may be empty in 2(\.\d)? days/)]);
  });

  it('a pump that runs without a rise is told only by signs that may be believed', async () => {
    await rule('PumpRuns');
    const tank = await buildTank(db(), world.farm.id, { name: 'House tank', type: sensorTypes.TLM_V3 });
    // Each day from 19:00Z an hour in which the level rises by 200 mm, and falls again.
    const run = (dayBack: number, rises: boolean) =>
      world.record(
        tank,
        everyMinutes(15, new Date(START - 120 * MINUTE - dayBack * 86_400_000).toISOString(), 8, (index) => ({
          levelMm: 1000 + (rises ? Math.min(5, Math.max(0, index - 1)) * 40 : 0),
          relayControl: 1,
          relayState: index >= 2 && (index < 7 || dayBack === 0) ? 1 : 0,
        })),
      );
    for (const dayBack of [4, 3, 2, 1]) await run(dayBack, true);
    await run(0, false);
    await look(0);
    expect(await bell()).toEqual([
      expect.stringMatching(
        /^The pump at House tank runs since 08:30, and the level has risen by 0 % of it\. Stop it/,
      ),
    ]);
  });

  it('frost that is forecast is told of each night once, and what the forecast takes back is over', async () => {
    await rule('Frost', { condition: 'below', value: 2 });
    forecast = [
      day(0, { minTemperature: -3 }),
      day(1, { minTemperature: -1.5 }),
      day(2, { minTemperature: -9 }),
    ];
    await look(0);
    await look(60);
    const SUNDAY = 'The forecast (Weather Co) says -1.5 °C for Sun 22 Nov. See to what frost harms.';
    expect(await bell()).toEqual([SUNDAY]);
    // The night has passed: nobody is told that, and the next one is told as the first was.
    for (const minute of [24 * 60, 24 * 60 + 31]) await look(minute);
    const MONDAY = 'The forecast (Weather Co) says -9 °C for Mon 23 Nov. See to what frost harms.';
    expect(await bell()).toEqual([SUNDAY, MONDAY]);
    const incidents = await server.call('GET /alert/incidents', {
      headers: await server.signIn(world.owner),
      query: { farmUID: world.farm.uid },
    });
    const { ended } = incidents.json<{ ended: { message: string }[] }>();
    expect(ended.map(({ message }) => message)).toEqual(['Sun 22 Nov is over.']);
    forecast = [day(1, {}), day(2, { minTemperature: 3.5 })];
    for (const minute of [30 * 60, 30 * 60 + 31]) await look(minute);
    expect((await bell()).slice(2)).toEqual(['The forecast says no frost any more.']);
  });

  it('a night of frost is over at nine by the farm’s clock, also where that was put forward in it', async () => {
    await rule('Frost', { condition: 'below', value: 2 });
    forecast = [day(0, { date: '2026-09-27', minTemperature: -3 })];
    const NINE = (Date.parse('2026-09-26T20:00:00Z') - START) / MINUTE;
    await look(NINE);
    expect(await bell()).toEqual([]);
    await look(NINE - 31);
    expect(await bell()).toHaveLength(1);
  });

  it('rain is told by the wetter of the two days', async () => {
    await rule('Rain', { condition: 'above', value: 5 });
    forecast = [day(0, { rain: 4 }), day(1, { rain: 12 })];
    await look(0);
    expect(await bell()).toEqual([
      'The forecast (Weather Co) says 12 mm of rain for Sun 22 Nov. See whether the next watering is needed.',
    ]);
  });
});

describe('by what was planned and sent', () => {
  let kit: CommandsKit;
  beforeAll(async () => {
    kit = await createCommandsKit();
  });
  afterAll(() => kit.close());

  const bell = async (headers: Record<string, string>) =>
    (await kit.server.call('GET /notifications', { headers }))
      .json<{ list: { title: string; message: string }[] }>()
      .list.filter(({ title }) => /missed|Command failed/.test(title))
      .map(({ message }) => message)
      .toReversed();

  it('what did not water in the night is told at seven, by group, each night by itself, and the next good one ends it', async () => {
    // 05:00 on 21 November by the farm's clock; it waters from 05:12 to 05:40.
    kit.clock.now = new Date('2026-11-20T16:00:00Z');
    const driver = await kit.farm({ units: 5 });
    // Of the fifth nobody hears anything.
    const heard = driver.units.slice(0, 4);
    const { db } = kit.server.database;
    await buildGroup(db, driver.farm.id, 'North', driver.units.slice(0, 2));
    // The last is of two groups from the same moment on; it is one sprinkler that was missed.
    await db.transaction().execute(async (trx) => {
      await buildGroup(trx, driver.farm.id, 'South', heard.slice(2));
      await buildGroup(trx, driver.farm.id, 'Corner', heard.slice(3));
    });
    const entries = [{ start: 312, duration: 28, cycle: 1 }];
    await buildWanted(db, driver.farm.id, driver.units, entries);
    await db
      .insertInto('unit_held')
      .values(
        driver.units.map(({ farm_id, id }) => ({
          farm_id,
          device_id: id,
          since: new Date('2026-11-15T00:00:00Z'),
          until: null,
          crc: scheduleCrc(entries),
          how: 'said' as const,
          entries: JSON.stringify(entries),
          cycle_days: 1,
          stopped_at: null,
        })),
      )
      .execute();
    await buildRule(db, driver.farm.id, { kind: 'Missed', condition: 'above', value: 5, hold_min: 0 });
    const look = () => kit.server.runJob('alerts');
    const night = async (short: boolean) => {
      kit.pass(13);
      for (const unit of heard) await driver.reportsValve(unit, 'open');
      kit.pass(7);
      if (short && driver.units[3]) await driver.reportsValve(driver.units[3], 'closed');
      kit.pass(21);
      for (const unit of short ? heard.slice(0, 3) : heard) await driver.reportsValve(unit, 'closed');
      kit.pass(60);
      await look();
    };
    await night(true);
    expect(await bell(driver.headers)).toEqual([]);
    kit.pass(25);
    await look();
    expect(await bell(driver.headers)).toEqual([
      'Sprinklers that did not water as planned, or were cut short: Corner: 1 of 1; South: 1 of 2. The diary says of each what is known.',
    ]);
    // Pages tell by this that the alert and the farm's card say the same.
    const told = await kit.server.call('GET /alerts/open', { headers: driver.headers });
    const home = await kit.server.call('GET /farms-summary', { headers: driver.headers });
    expect(told.json().open).toMatchObject([
      { kind: 'Missed', watering: { endAt: '2026-11-20T16:40:00.000Z', sprinklers: 1 } },
    ]);
    expect(home.json().farms[0].attention).toContainEqual(
      expect.objectContaining({
        kind: 'missedWatering',
        sprinklers: 1,
        wateringEndAt: '2026-11-20T16:40:00.000Z',
      }),
    );
    // One from before alerts named their watering does so with the next look, and nobody is told again.
    const isNamed = async () =>
      (await kit.server.call('GET /alerts/open', { headers: driver.headers })).json().open[0].watering !==
      undefined;
    await db
      .updateTable('alert_episode')
      .set({ facts: sql`facts - 'missedOf'` })
      .where('farm_id', '=', driver.farm.id)
      .execute();
    expect(await isNamed()).toBe(false);
    kit.pass(15);
    await look();
    expect(await isNamed()).toBe(true);
    await db
      .updateTable('account')
      .set({ send_email: true, email_confirmed_at: kit.clock.now })
      .where('id', '=', driver.farm.owner_id)
      .execute();
    await kit.server.runJob('alert digests');
    const digest = await db
      .selectFrom('outbox')
      .select('body')
      .where('account_id', '=', driver.farm.owner_id)
      .where('dedupe_key', 'like', 'alert digest %')
      .executeTakeFirstOrThrow();
    expect(digest.body).toContain(
      'Not known:\n- whether 1 of 5 sprinklers watered, in the watering that ended at 05:40',
    );
    // The next night is missed as well: it is told as the first was, and nobody hears that the first is over.
    const toTheNext = 24 * 60 - 13 - 7 - 21 - 60 - 25;
    kit.pass(toTheNext);
    await night(true);
    kit.pass(25);
    await look();
    expect((await bell(driver.headers)).filter((message) => message.startsWith('Sprinklers'))).toHaveLength(
      2,
    );
    const incidents = async () =>
      (
        await kit.server.call('GET /alert/incidents', {
          headers: driver.headers,
          query: { farmUID: driver.farm.uid },
        })
      ).json<{ open: unknown[]; ended: { message: string }[] }>();
    kit.pass(6);
    await look();
    expect((await incidents()).ended.map(({ message }) => message)).toEqual([
      'Nor did the next watering go as planned.',
    ]);
    kit.pass(toTheNext - 6);
    await night(false);
    kit.pass(40);
    await look();
    kit.pass(40);
    await look();
    expect((await bell(driver.headers)).at(-1)).toBe('The next watering went as planned.');
    expect((await incidents()).open).toEqual([]);
  });

  it('a command that ran out of time for some of many is told once', async () => {
    kit.clock.now = new Date('2026-11-20T21:00:00Z');
    const driver = await kit.farm({ units: 3 });
    const { db } = kit.server.database;
    await buildRule(db, driver.farm.id, {
      kind: 'CommandFailed',
      condition: 'any',
      value: null,
      hold_min: 0,
      created_at: kit.clock.now,
      updated_at: kit.clock.now,
    });
    const { id } = await db
      .insertInto('command')
      .values({
        farm_id: driver.farm.id,
        uid: driver.farm.uid,
        account_id: null,
        type: 1,
        name: 'Inhibit North',
        serial_number: '',
        payload: '{}',
        max_open_minutes: null,
        hide_notification: false,
        result_message: null,
        created_at: kit.clock.now,
        expires_at: kit.clock.now,
        state: 'expired',
        state_at: new Date(kit.clock.now.getTime() + 30 * MINUTE),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('command_unit')
      .values(
        driver.units.map((unit, position) => ({
          farm_id: driver.farm.id,
          command_id: id,
          device_id: unit.id,
          gateway_id: driver.gateway.id,
          position,
          state: position === 0 ? ('done' as const) : ('expired' as const),
          at: kit.clock.now,
          lane: 0,
        })),
      )
      .execute();
    kit.pass(31);
    for (let times = 0; times < 3; times += 1) {
      await kit.server.runJob('alerts');
      kit.pass(5);
    }
    expect(await bell(driver.headers)).toEqual([
      expect.stringMatching(/^Inhibit North, 10:30: it failed or ran out of time for 2 of 3 sprinklers\./),
    ]);
  });
});
