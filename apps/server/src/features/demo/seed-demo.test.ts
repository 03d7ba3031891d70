import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoFarms } from '@headrace/demo/demo-farms';
import { scheduleEntries } from '@headrace/demo/irrigation-plan';
import { headlineTypes } from '@headrace/contract/default-settings';
import type { Settings } from '@headrace/contract/settings';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { seedDemo } from './seed-demo.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const now = new Date('2026-11-20T21:00:00Z');
const registered = async () => {
  const rows = await database.db.selectFrom('registry').select(['serial_number', 'mac', 'kind']).execute();
  return rows.map(({ serial_number, mac, kind }) => `${kind} ${serial_number} ${mac}`).toSorted();
};

it("puts every radio device of the demo's farms into the registry, also where the demo is older than that", async () => {
  const expected = demoFarms()
    .flatMap((farm) => [...farm.gateways, ...farm.repeaters, ...farm.sprinklers, ...farm.sensors])
    .map(({ kind, serialNumber, mac }) => `${kind === 'sprinkler' ? 'ipc' : kind} ${serialNumber} ${mac}`)
    .toSorted();
  await seedDemo(database.db, 'secret', now);
  expect(await registered()).toEqual(expected);
  await database.db.deleteFrom('registry').execute();
  await seedDemo(database.db, 'secret', now);
  expect(await registered()).toEqual(expected);
});

it('has sets computed from templates, and each sprinkler is to water by what the simulated one does', async () => {
  const { db } = database;
  const wanted = await db
    .selectFrom('unit_program as p')
    .innerJoin('device as d', 'd.id', 'p.device_id')
    .innerJoin('farm as f', 'f.id', 'p.farm_id')
    .leftJoin('unit_held as h', (join) =>
      join.onRef('h.device_id', '=', 'p.device_id').on('h.until', 'is', null),
    )
    .select(['f.name as farm', 'd.mac', 'p.entries', 'h.entries as held'])
    .execute();
  for (const profile of demoFarms()) {
    const simulated = scheduleEntries(profile);
    const held = wanted.filter(({ farm }) => farm === profile.name);
    const stored = held.map(({ mac, held: entries }) => [mac, entries] as const);
    const watering = stored.filter(([, entries]) => entries && entries.length > 0);
    expect(new Map(watering)).toEqual(simulated);
    const behind = held.filter((one) => JSON.stringify(one.entries) !== JSON.stringify(one.held));
    // Half of the twelve blocks of 25.
    expect(behind).toHaveLength(profile.name === 'Waihao Flats' ? 150 : 0);
  }
  const sets = await db.selectFrom('schedule_set').select(['name', 'figures']).orderBy('id').execute();
  expect(sets.map(({ name }) => name)).toEqual([
    'Spread over the day',
    'Summer',
    'Spread over the day',
    'Spring',
    'Summer',
  ]);
  // 50 sprinklers for 28 min at 4 L/s, 4.83 mm each.
  expect(sets[1]?.figures).toMatchObject({
    units: 50,
    litres: 336_000,
    mm: { mean: expect.closeTo(4.83, 2) },
  });
});

it('gives the owner four headlines on each farm with more than tanks, of devices of that farm', async () => {
  const { db } = database;
  const row = await db
    .selectFrom('account_settings as s')
    .innerJoin('account as a', 'a.id', 's.account_id')
    .select(['s.data', 's.version'])
    .where('a.email', '=', 'owner@headrace.test')
    .executeTakeFirstOrThrow();
  const { farms = [] } = row.data as Settings;
  const found = await Promise.all(
    farms.map(async ({ info, headlines = [] }) => {
      const farm = await db
        .selectFrom('farm')
        .select(['id', 'name'])
        .where('uid', '=', info.id)
        .executeTakeFirstOrThrow();
      const devices = await db
        .selectFrom('device')
        .select(['uid', 'name'])
        .where('farm_id', '=', farm.id)
        .execute();
      const nameOf = new Map(devices.map(({ uid, name }) => [uid, name]));
      const told = headlines.map(({ position, type, configs = {} }) => {
        const { sensor, site } = configs as { sensor?: string; site?: string };
        return [position, type, nameOf.get(sensor ?? site ?? '') ?? ''];
      });
      return [farm.name, told];
    }),
  );
  const { TankLevel, Flow, RainfallAccumulated, RainForecast } = headlineTypes;
  const four = (tank: string, meter: string, site: string) => [
    [0, TankLevel, tank],
    [1, Flow, meter],
    [2, RainfallAccumulated, site],
    [3, RainForecast, ''],
  ];
  expect(found).toEqual([
    ['Rakaia Downs', four('Dairy shed', 'Main pump meter', 'Line A soil')],
    ['Waihao Flats', four('Cottage', 'Intake meter', 'Block 2 soil')],
  ]);
  expect(row.version).toBe(6);
});

it('has a take on the meter of the irrigation main, which is not entered twice', async () => {
  const { db } = database;
  const takes = () =>
    db
      .selectFrom('water_take as t')
      .innerJoin('take_meter as m', 'm.take_id', 't.id')
      .innerJoin('device as d', 'd.id', 'm.device_id')
      .select(['t.consent_no as consent', 'd.name as meter', 'm.m3_per_unit as m3'])
      .execute();
  const one = [{ consent: 'DEMO-184512', meter: 'Main pump meter', m3: 0.01 }];
  expect(await takes()).toEqual(one);
  await seedDemo(db, 'secret', now);
  expect(await takes()).toEqual(one);
});

it('has alerts on each farm, which stay away once somebody has deleted them', async () => {
  const { db } = database;
  const farms = await db.selectFrom('alert_rule').select('farm_id').distinct().execute();
  expect(farms).toHaveLength(demoFarms().length);
  const onTanksAlone = await db
    .selectFrom('alert_rule as r')
    .innerJoin('farm as f', 'f.id', 'r.farm_id')
    .select('kind')
    .where('f.tank_only', '=', true)
    .where('kind', 'in', ['ValveOpen', 'SprinklerError', 'Missed', 'TankLow'])
    .execute();
  expect(onTanksAlone).toEqual([{ kind: 'TankLow' }]);
  await db.deleteFrom('alert_rule').execute();
  await seedDemo(db, 'secret', now);
  expect(await db.selectFrom('alert_rule').select('id').execute()).toEqual([]);
});
