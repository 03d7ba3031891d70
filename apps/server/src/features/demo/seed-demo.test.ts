import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoFarms } from '@headrace/demo/demo-farms';
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
