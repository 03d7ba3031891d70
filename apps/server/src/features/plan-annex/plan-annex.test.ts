import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PlanAnnex } from '@headrace/contract/plan-annex';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildGroup, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { meterEntry, takeEntries } from '../../testing/take-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

/** A farm in New Zealand on 22 November, 09:00. Its group of two waters on the 18th and 20th from 18:12 to 18:40; on the 19th and 21st it only speaks; on the 21st A2 says open at 10:00 and closed at 11:00, and nobody asked for that. */
let server: TestServer;
let world: FarmWorld;
let group: string;
const at = (day: number, time: string) => new Date(`2026-11-${day}T${time}:00+13:00`);
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
  server.clock.now = at(22, '09:00');
  world = await buildFarmWorld(server);
  const { db } = server.database;
  await db.updateTable('farm').set({ irrigation_area_ha: 120 }).where('id', '=', world.farm.id).execute();
  const units = [];
  for (const name of ['A1', 'A2']) units.push(await buildSprinkler(db, world.farm.id, { name }));
  group = await buildGroup(db, world.farm.id, 'North', units);
  await db
    .updateTable('unit_grouping')
    .set({ since: at(10, '00:00') } as never)
    .where('farm_id', '=', world.farm.id)
    .execute();
  for (const unit of units)
    for (const day of [18, 20])
      await watered(unit, { opened: at(day, '18:12'), closed: at(day, '18:40'), how: 'logged' });
  await watered(units[1]!, { opened: at(21, '10:00'), closed: at(21, '11:00'), how: 'said' });
  for (const day of [19, 21])
    await world.record(units[0]!, [{ at: at(day, '12:00').toISOString(), values: { clock: 0 } }]);
  const site = await buildDevice(db, world.farm.id, 'sensor', {
    type: sensorTypes.SOIL_MOISTURE,
    name: 'Top',
  });
  // Before the watering of the 18th it was drier than 30 kPa; before that of the 20th it had said nothing for four hours.
  await world.record(site, [
    { at: at(18, '17:20').toISOString(), values: { swp1Kpa: 50, swp2Kpa: 40 } },
    { at: at(20, '14:00').toISOString(), values: { swp1Kpa: 20 } },
  ]);
  const put = await server.call('PUT /irrigation-advice/settings', {
    headers: world.headers,
    body: {
      farmUID: world.farm.uid,
      groupUID: group,
      version: 0,
      soil: null,
      knownDay: null,
      knownMm: null,
      usualEt0Mm: null,
      rainSiteUID: null,
      probeUID: site.uid,
      refillKpa: 30,
    },
  });
  expect(put.statusCode, put.body).toBe(200);
  await world.send('PUT /irrigation-advice/day', {
    farmUID: world.farm.uid,
    day: '2026-11-19',
    et0Mm: null,
    rainMm: 7.5,
  });
});
afterAll(() => server.close());

interface Run {
  opened: Date;
  closed: Date;
  how: 'logged' | 'said';
}
async function watered({ farm_id, id: device_id }: DeviceRow, { opened, closed, how }: Run): Promise<void> {
  await server.database.db
    .insertInto('watering_run')
    .values({
      farm_id,
      device_id,
      opened_at: opened,
      opened_how: how,
      open_until: opened,
      closed_at: closed,
      closed_how: how,
      lps: 4,
      mm_per_min: 0.2,
      is_part: false,
    })
    .execute();
}
const days = { start: '17-11-2026', stop: '21-11-2026' };
const ask = (query: object = days) =>
  world.get('GET /reports/plan-annex', { farmUID: world.farm.uid, ...query });
/** When all days are reckoned. */
const annex = () =>
  vi.waitFor(
    async () => {
      const found = (await ask()).json<PlanAnnex>();
      expect(found.toReckon).toBe(0);
      return found;
    },
    { timeout: 20_000 },
  );

describe('the annex for a farm environment plan', () => {
  it('reckons what was given, and takes a day on which nothing was heard for no zero', async () => {
    const { months, rain, sprinklers, irrigatedHa, groups } = await annex();
    // 28 min at 0.2 mm on two days; nobody was heard on the 17th.
    expect(months).toMatchObject([
      {
        groupUID: group,
        from: '2026-11-17',
        to: '2026-11-21',
        days: 5,
        known: 4,
        wateringDays: 2,
        notKnown: 1,
      },
    ]);
    expect(months[0]?.mm).toBeCloseTo(11.2);
    // A2 was open on the 21st for 60 min at most, and is one of two: 60 × 0.2 ÷ 2 = 6 mm more.
    expect(months[0]?.mostMm).toBeCloseTo(17.2);
    // Of the two starts that of the 18th is known: the mean of its two sensors.
    expect(months[0]).toMatchObject({ read: 1, kpa: 45, wetter: 0 });
    expect(rain).toEqual([{ from: '2026-11-17', to: '2026-11-21', days: 5, known: 1, mm: 7.5 }]);
    expect([sprinklers, irrigatedHa]).toEqual([2, 120]);
    expect(groups).toMatchObject([{ name: 'North', sprinklers: 2, probe: { name: 'Top', refillKpa: 30 } }]);
  });

  it('lists when meters were verified, and leaks that were told of', async () => {
    const { db } = server.database;
    const meter = await buildDevice(db, world.farm.id, 'sensor', {
      type: sensorTypes.FLOW_PULSE,
      name: 'Bore',
    });
    const tank = await buildTank(db, world.farm.id, { name: 'House' });
    const take = await world.send('POST /water-take', {
      farmUID: world.farm.uid,
      ...takeEntries,
      consentNo: 'CRC1',
      meters: [meterEntry(meter, { verifiedOn: '2024-03-14', nextVerification: '2029-03-14' })],
    });
    expect(take.statusCode, take.body).toBe(200);
    await leaked(tank, at(18, '02:00'), at(18, '07:00'));
    await leaked(tank, at(10, '02:00'), at(11, '07:00'));
    // Its alert was switched off: when it ended nobody knows.
    await leaked(tank, at(17, '02:00'), at(17, '03:00'), { unwatched: 'the alert was switched off' });
    const { meters, leaks, leakCount, isWatchedForLeaks } = await annex();
    expect(meters).toMatchObject([{ consentNo: 'CRC1', device: 'Bore', nextVerification: '2029-03-14' }]);
    // The one of the 10th was over before.
    expect([leaks, leakCount, isWatchedForLeaks]).toEqual([
      [
        {
          tank: 'House',
          since: at(18, '02:00').toISOString(),
          until: at(18, '07:00').toISOString(),
          watchedUntil: null,
        },
        {
          tank: 'House',
          since: at(17, '02:00').toISOString(),
          until: null,
          watchedUntil: at(17, '03:00').toISOString(),
        },
      ],
      2,
      false,
    ]);
  });

  it('is a PDF and a table of the same days', async () => {
    await annex();
    const query = { farmUID: world.farm.uid, ...days };
    const [pdf, csv] = [
      await world.get('GET /reportspdf/plan-annex', query),
      await world.get('GET /reports/plan-annex.csv', query),
    ];
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 8).toString()]).toEqual([200, '%PDF-1.7']);
    expect(csv.headers['content-disposition']).toMatch(/farm-environment-plan-.*-2026-11-17-2026-11-21\.csv/);
    expect(csv.body).toContain('month,North,2026-11-17,2026-11-21,5,4,11.2,17.2,1,2,1,45,0,');
  });

  it.each([
    [{ start: '31-02-2026' }, 'start'],
    [{ start: '21-11-2026', stop: '20-11-2026' }, 'stop'],
    // Today isn't over.
    [{ start: '20-11-2026', stop: '22-11-2026' }, 'stop'],
    [{ start: '01-01-2025', stop: '20-11-2026' }, 'start'],
  ])('refuses days that are none, not over, or too many: %j', async (query, field) => {
    const reply = await ask(query);
    expect([reply.statusCode, reply.json<{ field?: string }>().field]).toEqual([400, field]);
  });

  it('of a farm with nothing on it knows nothing', async () => {
    const bare = await buildFarmWorld(server);
    const found = (
      await bare.get('GET /reports/plan-annex', { farmUID: bare.farm.uid, ...days })
    ).json<PlanAnnex>();
    expect(found).toMatchObject({
      months: [],
      meters: [],
      leaks: [],
      sprinklers: 0,
      toReckon: 0,
      gauge: null,
    });
    expect(found.rain).toMatchObject([{ known: 0, mm: null }]);
  });
});

async function leaked(tank: DeviceRow, since: Date, until: Date, facts = {}): Promise<void> {
  const { db } = server.database;
  const { id } = await db
    .insertInto('alert_incident')
    .values({
      farm_id: world.farm.id,
      uid: newUid(),
      rule_id: null,
      rule_name: 'Tank leak',
      kind: 'TankLeak',
      class: 'important',
      opened_at: since,
      ended_at: until,
      answered_by: null,
      answered_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('alert_episode')
    .values({
      farm_id: world.farm.id,
      rule_id: 1,
      device_id: tank.id,
      part: 0,
      incident_id: id,
      state: 'ended',
      class: 'important',
      since,
      fired_at: since,
      answered_at: null,
      clear_since: null,
      ended_at: until,
      value: null,
      peak: null,
      came_back: 0,
      facts: JSON.stringify(facts),
      due_at: null,
    })
    .execute();
}
