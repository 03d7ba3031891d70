import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoFarms } from '@headrace/demo/demo-farms';
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
