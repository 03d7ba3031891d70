import { sensorTypes } from '@headrace/contract/sensor-types';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
let tank: DeviceRow;
const NOW = Date.parse('2026-11-20T21:00:00Z');
const settings = { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 };

beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.now = new Date(NOW);
  world = await buildFarmWorld(server);
  tank = await buildTank(server.database.db, world.farm.id, { name: 'Trough 4', settings });
});

const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
const say = (...levels: [hours: number, percent: number][]) =>
  world.record(
    tank,
    levels.map(([hours, percent]) => ({ at: hoursAgo(hours), values: { levelMm: percent * 10 } })),
  );
const tryOut = async (over: object = {}) =>
  world.send('POST /alert/trial', {
    farmUID: world.farm.uid,
    name: 'Low',
    enabled: true,
    kind: 'TankLow',
    deviceIds: [],
    condition: 'below',
    value: 20,
    holdMinutes: 15,
    ...over,
  });

describe('an alert that is tried out', () => {
  it('says how often it would have told in 30 days, when, and how a longer hold changes that', async () => {
    // Two hours below the limit ten days ago, half an hour three days ago, and since an hour.
    await say(
      [242, 50],
      [240, 18],
      [239, 15],
      [238, 60],
      [73, 60],
      [72, 19],
      [71.5, 60],
      [2, 60],
      [1, 12],
      [0.5, 11],
    );
    const trial = (await tryOut()).json();
    expect(trial).toMatchObject({ isPossible: true, told: 3, short: 0, tried: 1, of: 1 });
    expect(trial.byHold).toEqual([
      { holdMinutes: 30, told: 3 },
      { holdMinutes: 60, told: 2 },
      { holdMinutes: 180, told: 0 },
      { holdMinutes: 720, told: 0 },
    ]);
    expect(trial.chart).toMatchObject({ name: 'Trough 4', unit: '%', limit: 20, end: 25 });
    expect(trial.chart.marks).toEqual([
      { since: hoursAgo(240), firedAt: hoursAgo(239.75), endedAt: hoursAgo(238), peak: 15 },
      { since: hoursAgo(72), firedAt: hoursAgo(71.75), endedAt: hoursAgo(71.5), peak: 19 },
      { since: hoursAgo(1), firedAt: hoursAgo(0.75), endedAt: null, peak: 11 },
    ]);
    expect(trial.chart.points).toHaveLength(10);
  });

  it('looks no further back than 30 days, at chosen devices alone, and stores nothing', async () => {
    await say([31 * 24, 10], [31 * 24 - 1, 60]);
    const other = await buildTank(server.database.db, world.farm.id, { name: 'Trough 5', settings });
    await world.record(other, [{ at: hoursAgo(5), values: { levelMm: 100 } }]);
    expect((await tryOut({ deviceIds: [tank.uid] })).json()).toMatchObject({ told: 0, tried: 1, of: 1 });
    expect((await tryOut()).json()).toMatchObject({ told: 1, of: 2, chart: { name: 'Trough 5' } });
    expect((await tryOut({ deviceIds: [tank.uid] })).json()).toMatchObject({ heard: 0, since: null });
    expect((await tryOut()).json()).toMatchObject({ tried: 2, heard: 1, since: hoursAgo(5) });
    expect((await world.get('GET /alerts', { farmUID: world.farm.uid })).json().alerts).toEqual([]);
  });

  it('of batteries of tanks, and of flow, is read from what they said', async () => {
    await world.record(
      tank,
      [20, 10, 8].map((hours) => ({ at: hoursAgo(hours), values: { batteryV: hours === 10 ? 3.4 : 3.7 } })),
    );
    const battery = { kind: 'LowBattery', condition: 'below', value: null, watch: 'tank', holdMinutes: 60 };
    expect((await tryOut(battery)).json()).toMatchObject({
      isPossible: true,
      told: 1,
      chart: {
        unit: 'V',
        limit: 3.5,
        end: 3.6,
        marks: [{ since: hoursAgo(10), endedAt: hoursAgo(8), peak: 3.4 }],
      },
    });
    const meter = await buildDevice(server.database.db, world.farm.id, 'sensor', { type: sensorTypes.FLOW });
    await world.record(
      meter,
      [3, 2, 1].map((hours) => ({ at: hoursAgo(hours), values: { flowLpm: hours === 2 ? 900 : 100 } })),
    );
    const flow = { kind: 'Flow', condition: 'above', value: 500 };
    expect((await tryOut(flow)).json()).toMatchObject({
      told: 1,
      chart: { unit: 'L/min', marks: [{ peak: 900 }] },
    });
    expect((await tryOut({ ...flow, condition: 'none', value: null })).json()).toMatchObject({
      isPossible: false,
    });
  });

  it('of a kind that leaves no readings says that, and what is wrong is named', async () => {
    const kind = { kind: 'ValveOpen', condition: 'any', value: null, holdMinutes: 0 };
    expect((await tryOut(kind)).json()).toMatchObject({ isPossible: false, told: 0, chart: null });
    expect((await tryOut({ value: 300 })).json()).toMatchObject({ field: 'value' });
  });
});

it('how much somebody was told in 30 days is counted by day and by alert', async () => {
  const { db } = server.database;
  const { id: uid } = (
    await world.send('POST /alert', {
      farmUID: world.farm.uid,
      name: 'Low',
      enabled: true,
      kind: 'TankLow',
      deviceIds: [],
      condition: 'below',
      value: 20,
      holdMinutes: 0,
    })
  ).json();
  for (const [minutes, percent] of [
    [-60, 18],
    [-55, 60],
    [-49, 60],
    [-10, 18],
  ] as const) {
    server.clock.now = new Date(NOW + minutes * 60_000);
    await say([-minutes / 60, percent]);
    server.committed(new Set([world.farm.id]));
    await server.runJob('alerts');
  }
  server.clock.now = new Date(NOW);
  const lately = (await world.get('GET /alert/lately', { farmUID: world.farm.uid })).json();
  expect(lately.days).toHaveLength(30);
  // The beginning of both, and the end of the first.
  expect(lately.days.at(-1)).toEqual({ day: '2026-11-21', told: 3 });
  expect(lately).toMatchObject({
    incidents: 2,
    short: 1,
    answered: 0,
    loudest: [{ alertUID: uid, name: 'Low', told: 2, short: 1 }],
  });
  expect(
    await db.selectFrom('alert_notice').selectAll().where('account_id', '=', world.owner.id).execute(),
  ).toHaveLength(3);
  // A flood of hundreds of alerts is counted whole.
  await sql`insert into alert_incident (farm_id, uid, rule_name, kind, class, opened_at)
    select ${world.farm.id}, lpad(n::text, 24, '0'), 'Full ' || n, 'TankHigh', 'important', ${new Date(NOW)}
    from generate_series(1, 150) n`.execute(db);
  const flooded = (await world.get('GET /alert/lately', { farmUID: world.farm.uid })).json();
  expect([flooded.incidents, flooded.loudest.length]).toEqual([152, 3]);
});
