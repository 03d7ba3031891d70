import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildShare, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { everyMinutes } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

let world: FarmWorld;
let tank: DeviceRow;
let unit: DeviceRow;
beforeEach(async () => {
  const { db } = server.database;
  world = await buildFarmWorld(server);
  unit = await buildSprinkler(db, world.farm.id, { name: '=A1', serial_number: 'IPC1' });
  tank = await buildTank(db, world.farm.id);
  await db
    .updateTable('device')
    .set({ name: 'Top', serial_number: 'T1' })
    .where('id', '=', tank.id)
    .execute();
});

const ask = (query: Record<string, string>, headers = world.headers) =>
  server.call('GET /export/readings.csv', { headers, query: { farmUID: world.farm.uid, ...query } });

async function linesOf(query: Record<string, string>, headers = world.headers): Promise<string[]> {
  const reply = await ask(query, headers);
  expect(reply.statusCode).toBe(200);
  return reply.body.split('\r\n');
}

it('has each reading with its time on the farm and in UTC, and no formula', async () => {
  // The clocks go back at 14:00 UTC: half past two comes twice.
  await world.record(tank, [
    { at: '2026-04-04T13:30:00Z', values: { levelMm: 1500.25, batteryV: 3.9 } },
    { at: '2026-04-04T14:30:00Z', values: { levelMm: null } },
    { at: '2026-04-04T14:30:00.250Z', values: { levelMm: 99_999 } },
  ]);
  await world.record(unit, [{ at: '2026-04-04T13:30:00Z', values: { batteryV: 3.3 } }]);
  const reply = await ask({ each: 'reading', startDate: '05-04-2026', endDate: '05-04-2026' });
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(reply.headers['content-disposition']).toContain('readings.csv');
  expect(reply.body.split('\r\n')).toEqual([
    '\uFEFFtime,time_utc,kind,device,serial_number,metric,unit,value',
    `2026-04-05T02:30:00+13:00,2026-04-04T13:30:00Z,sprinkler,"'=A1",IPC1,batteryV,V,3.3`,
    '2026-04-05T02:30:00+13:00,2026-04-04T13:30:00Z,sensor,Top,T1,levelMm,mm,1500.25',
    '2026-04-05T02:30:00+12:00,2026-04-04T14:30:00Z,sensor,Top,T1,levelMm,mm,',
    // No tank is so high: it was said, and is no level.
    '2026-04-05T02:30:00.250+12:00,2026-04-04T14:30:00.250Z,sensor,Top,T1,levelMm,mm,',
    '2026-04-05T02:30:00+13:00,2026-04-04T13:30:00Z,sensor,Top,T1,batteryV,V,3.9',
    '',
  ]);
});

it('has hours and days with what they have in charts, and of how many readings', async () => {
  await world.record(tank, [
    { at: '2026-11-01T00:10:00Z', values: { levelMm: 1000, pulsesTotal: 5 } },
    { at: '2026-11-01T00:50:00Z', values: { levelMm: 1100, pulsesTotal: 9 } },
    { at: '2026-11-01T01:10:00Z', values: { levelMm: 1300 } },
  ]);
  const query = { startDate: '01-11-2026', endDate: '01-11-2026' };
  expect(await linesOf({ each: 'hour', ...query })).toEqual([
    '\uFEFFtime,time_utc,kind,device,serial_number,metric,unit,value,lowest,highest,readings',
    '2026-11-01T13:00:00+13:00,2026-11-01T00:00:00Z,sensor,Top,T1,levelMm,mm,1050,1000,1100,2',
    '2026-11-01T14:00:00+13:00,2026-11-01T01:00:00Z,sensor,Top,T1,levelMm,mm,1300,1300,1300,1',
    '2026-11-01T13:00:00+13:00,2026-11-01T00:00:00Z,sensor,Top,T1,pulsesTotal,pulses,4,,,2',
    '',
  ]);
  expect((await linesOf({ each: 'day', ...query }))[1]).toMatch(
    /^2026-11-01T00:00:00\+13:00,2026-10-31T11:00:00Z,sensor,Top,T1,levelMm,mm,1133\.33333,1000,1300,3$/,
  );
});

it('has all of a long series in order, and nothing outside the days', async () => {
  await world.record(
    tank,
    everyMinutes(5, '2026-10-31T10:55:00Z', 9000, (index) => ({ levelMm: 500 + (index % 1000) })),
  );
  const lines = await linesOf({ each: 'reading', startDate: '01-11-2026', endDate: '30-11-2026' });
  // From local midnight on; the server's clock stands at 20 November 21:00 UTC, and 9,000 × 5 min end before 2 December.
  const times = lines.slice(1, -1).map((line) => line.split(',')[1] ?? '');
  expect(times[0]).toBe('2026-10-31T11:00:00Z');
  expect(times.at(-1)).toBe('2026-11-20T21:00:00Z');
  expect(times).toHaveLength((20 * 24 + 10) * 12 + 1);
  expect(times).toEqual([...new Set(times)].toSorted());
});

it('has one device alone where it is asked for, and none of another farm', async () => {
  for (const device of [tank, unit])
    await world.record(device, [{ at: '2026-11-01T00:10:00Z', values: { batteryV: 3.5 } }]);
  const query = { each: 'reading', startDate: '01-11-2026', endDate: '01-11-2026' };
  const lines = await linesOf({ ...query, deviceId: tank.uid });
  expect(lines.slice(1, -1).map((line) => line.split(',')[3])).toEqual(['Top']);
  const other = await buildFarmWorld(server);
  const foreign = await buildTank(server.database.db, other.farm.id);
  expect((await ask({ ...query, deviceId: foreign.uid })).statusCode).toBe(404);
});

it('has what the caller may see: an export is no way round rights', async () => {
  const { db } = server.database;
  for (const device of [tank, unit])
    await world.record(device, [{ at: '2026-11-01T00:10:00Z', values: { batteryV: 3.5 } }]);
  const guest = await buildAccount(db);
  const none = { irrigationDevices: 0, gateways: 0, repeaters: 0 };
  await buildShare(db, world.farm.id, guest.id, { ...presets.guest, ...none, export: true });
  const query = { each: 'reading', startDate: '01-11-2026', endDate: '01-11-2026' };
  const headers = await server.signIn(guest);
  expect((await linesOf(query, headers)).slice(1, -1).map((line) => line.split(',')[2])).toEqual(['sensor']);
  expect((await ask({ ...query, deviceId: unit.uid }, headers)).statusCode).toBe(404);

  const blind = await buildAccount(db);
  await buildShare(db, world.farm.id, blind.id, { ...presets.guest, ...none, sensors: 0, export: true });
  const refused = await ask(query, await server.signIn(blind));
  expect([refused.statusCode, refused.json().errorMessage]).toEqual([
    403,
    'You may see no devices of this farm that have readings.',
  ]);
});

it.each([
  ['reading', '01-01-2025', '02-01-2026', '367 days are asked for. The most is 366.'],
  ['hour', '01-01-2025', '02-01-2026', '367 days are asked for. The most is 366.'],
  ['day', '02-01-2026', '01-01-2026', 'endDate must not lie before startDate.'],
  ['day', '31-02-2026', '01-03-2026', 'startDate must be a day that exists, as DD-MM-YYYY.'],
])('refuses by each %s from %s to %s', async (each, startDate, endDate, sentence) => {
  const reply = await ask({ each, startDate, endDate });
  expect([reply.statusCode, reply.json().errorMessage]).toEqual([400, sentence]);
});

it('counts towards the files that an account may make a day', async () => {
  await ask({ each: 'day', startDate: '01-11-2026', endDate: '01-11-2026' });
  const usage = await server.call('GET /account/usage', { headers: world.headers });
  expect(usage.json()).toMatchObject({ files: { today: 1 } });
});
