import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Farm, Timezone } from '@headrace/contract/farms';
import type { AccountRow, DeviceRow, FarmRow } from '../../db/schema.ts';
import { buildAccount, buildTank } from '../../testing/factories.ts';
import { everyMinutes, recordReadings } from '../../testing/record-readings.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { purgeFarms } from './purge-farms.ts';
import { rebuildFarmRollups } from './rebuild-farm-rollups.ts';
import { farmCalls, landAt, refusal } from './testing/farm-kit.ts';

let server: TestServer;
let owner: AccountRow;
let owned: Awaited<ReturnType<typeof farmCalls>>;
const changedDevices: number[] = [];
beforeAll(async () => {
  server = await createTestServer({ onDevicesChanged: (farmId) => changedDevices.push(farmId) });
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await buildAccount(server.database.db);
  owned = await farmCalls(server, owner);
});

const later = (seconds: number) => new Date(server.clock.now.getTime() + seconds * 1000);
const rebuild = (at = later(61), runMs?: number) => rebuildFarmRollups(server.database.pool, at, runMs);
const rowOf = (uid: string): Promise<FarmRow> =>
  server.database.db.selectFrom('farm').selectAll().where('uid', '=', uid).executeTakeFirstOrThrow();
const setDst = (farmUID: string, dstEnabled: boolean) =>
  owned.call('PUT /farm-timezone', { body: { farmUID, dstEnabled } });
const refresh = (farmUID: string) => owned.call('POST /farm-timezone', { body: { farmUID } });
async function newFarm(change = {}): Promise<FarmRow> {
  return rowOf((await owned.create(change)).json<{ farmUID: string }>().farmUID);
}

describe('the time zone of a farm', () => {
  it('is told, and daylight saving can be switched off and on without touching the form', async () => {
    const { uid, id } = await newFarm();
    const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
    expect((await owned.call('GET /farm-timezone', { query: { farmUID: uid } })).json()).toEqual(zone);
    changedDevices.length = 0;
    expect((await setDst(uid, false)).json()).toEqual({ ...zone, dstEnabled: false });
    expect(changedDevices).toEqual([id]);
    // A form that was open meanwhile can still be saved.
    expect((await owned.change(uid, { name: 'Other', version: 1 })).json<Farm>().timezone.dstEnabled).toBe(
      false,
    );
    expect((await setDst(uid, true)).json()).toEqual(zone);
  });

  it('that knows no daylight saving has none to switch on', async () => {
    const { uid } = await newFarm(landAt(-28.654, 151.933));
    expect(refusal(await setDst(uid, true))).toEqual({
      status: 400,
      errorMessage: 'There is no daylight saving in Australia/Brisbane.',
      field: 'dstEnabled',
    });
    expect((await setDst(uid, false)).statusCode).toBe(200);
  });

  it('looked up again for the same place keeps how the switch was set; for another zone it is that of the zone', async () => {
    const { uid, id } = await newFarm();
    await setDst(uid, false);
    expect((await refresh(uid)).json<Timezone>().dstEnabled).toBe(false);
    await server.database.db
      .updateTable('farm')
      .set({ time_zone_id: 'Etc/UTC' })
      .where('id', '=', id)
      .execute();
    expect((await refresh(uid)).json()).toEqual({
      timeZoneId: 'Pacific/Auckland',
      rawOffset: 43_200,
      dstOffset: 3600,
      dstEnabled: true,
    });
  });
});

interface Bucket {
  at: string;
  n: number;
  falls: number;
  rises: number;
}

describe('hours and days of a farm whose clock was changed', () => {
  /** Forty days of a level, every 30 minutes, with falls and rises. */
  const reports = everyMinutes(30, '2026-10-01T00:10:00Z', 1920, (index) => ({
    levelMm: 1000 + ((index * 37) % 101),
  }));

  async function stored(farm: FarmRow, table: 'reading_hour' | 'reading_day'): Promise<Bucket[]> {
    const { rows } = await server.database.pool.query<Bucket>(
      `select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as at, n, falls, rises, min, max, sum, first_at,
        last_at, first_value, last_value from ${table} b where farm_id = $1 order by b.at`,
      [farm.id],
    );
    return rows;
  }
  const both = async (farm: FarmRow) => ({
    hours: await stored(farm, 'reading_hour'),
    days: await stored(farm, 'reading_day'),
  });

  async function farmWithHistory(change = {}): Promise<{ farm: FarmRow; tank: DeviceRow }> {
    const farm = await newFarm(change);
    const tank = await buildTank(server.database.db, farm.id);
    await recordReadings(server.database, farm, tank, reports);
    return { farm, tank };
  }

  it('come to what they were if it had always been so, for zones at :45 and back', async () => {
    const chathams = landAt(-43.954, -176.56);
    const { farm } = await farmWithHistory();
    const asItWas = await both(farm);
    const there = await farmWithHistory(chathams);
    await owned.change(farm.uid, chathams);
    expect(await both(farm)).toEqual(asItWas);
    await rebuild();
    const moved = await both(farm);
    expect(moved).toEqual(await both(there.farm));
    expect(moved).not.toEqual(asItWas);
    // 9 November in the Chathams begins at 10:15 UTC the day before.
    expect(moved.days.map(({ at }) => at)).toContain('2026-11-08T10:15');
    await owned.change(farm.uid, {});
    await rebuild();
    expect(await both(farm)).toEqual(asItWas);
  });

  it('are those of standard time once daylight saving is off: days begin at 12:00 UTC', async () => {
    const { farm } = await farmWithHistory();
    await setDst(farm.uid, false);
    await rebuild();
    const { days } = await both(farm);
    expect(days.slice(1).every(({ at }) => at.endsWith('T12:00'))).toBe(true);
    expect(days.reduce((sum, { n }) => sum + n, 0)).toBe(1920);
  });

  it('wait a minute until every server has heard, and are made once', async () => {
    const { farm } = await farmWithHistory();
    const before = await both(farm);
    await setDst(farm.uid, false);
    await rebuild(later(59));
    expect(await both(farm)).toEqual(before);
    await rebuild();
    expect(await both(farm)).not.toEqual(before);
    const left = await server.database.db.selectFrom('farm_clock_change').selectAll().execute();
    expect(left).toEqual([]);
  });

  it('go on after a stop where they were, and begin anew when the clock changes meanwhile', async () => {
    const { farm, tank } = await farmWithHistory();
    const second = await buildTank(server.database.db, farm.id);
    await recordReadings(server.database, farm, second, reports.slice(0, 100));
    await setDst(farm.uid, false);
    await rebuild(later(61), 0);
    const progress = () =>
      server.database.db
        .selectFrom('farm_clock_change')
        .selectAll()
        .where('farm_id', '=', farm.id)
        .executeTakeFirst();
    const [series] = await server.database.db
      .selectFrom('series')
      .select('id')
      .where('device_id', '=', tank.id)
      .execute();
    expect((await progress())?.series_done).toBe(series?.id);
    server.clock.now = later(100);
    await setDst(farm.uid, true);
    expect((await progress())?.series_done).toBe(0);
    for (let runs = 0; runs < 3; runs += 1) await rebuild(later(61), 0);
    expect(await progress()).toBeUndefined();
    const { days } = await both(farm);
    expect(days.reduce((sum, { n }) => sum + n, 0)).toBe(2020);
    expect(days.at(-1)?.at.endsWith('T11:00')).toBe(true);
  });

  it('of an earlier version get what flows amount to from the readings, and nothing else is touched', async () => {
    const { farm, tank } = await farmWithHistory();
    const flows = everyMinutes(10, '2026-11-10T00:00:00Z', 300, (index) => ({
      flowLpm: index % 7,
      pulsesTotal: index * 3 + (index % 5),
    }));
    await recordReadings(server.database, farm, tank, flows);
    const { pool, db } = server.database;
    const stored = async () =>
      (await pool.query('select * from reading_day where farm_id = $1 order by series_id, at', [farm.id]))
        .rows;
    const before = await stored();
    for (const table of ['reading_hour', 'reading_day'])
      await pool.query(
        `update ${table} set area = null, covered_min = null, fastest = null where farm_id = $1`,
        [farm.id],
      );
    await db
      .insertInto('farm_clock_change')
      .values({ farm_id: farm.id, at: server.clock.now, flows_only: true })
      .execute();
    expect(await stored()).not.toEqual(before);
    await rebuild();
    expect(await stored()).toEqual(before);
    expect(await db.selectFrom('farm_clock_change').selectAll().execute()).toEqual([]);
  });

  it('older than the raw readings stay as they were', async () => {
    const { farm } = await farmWithHistory();
    const before = await both(farm);
    await server.database.pool.query("delete from reading where farm_id = $1 and at < '2026-10-20T03:00Z'", [
      farm.id,
    ]);
    await setDst(farm.uid, false);
    await rebuild();
    const { days, hours } = await both(farm);
    const isOld = ({ at }: Bucket) => at < '2026-10-20';
    expect(days.filter(isOld)).toEqual(before.days.filter(isOld));
    expect(hours.filter(isOld)).toEqual(before.hours.filter(isOld));
    expect(days.find(({ at }) => at > '2026-10-21')?.at).toBe('2026-10-21T12:00');
  });
});

describe('what was measured on a deleted farm', () => {
  const countsOf = async (farm: FarmRow) => {
    const tables = ['reading', 'reading_hour', 'reading_day', 'series', 'latest'];
    const counts = await Promise.all(
      tables.map((table) =>
        server.database.pool.query(`select 1 from ${table} where farm_id = $1`, [farm.id]),
      ),
    );
    return counts.map(({ rowCount }) => rowCount);
  };

  it('stays for 30 days and is gone after them; other farms keep theirs', async () => {
    const [gone, kept] = [await newFarm(), await newFarm()];
    for (const farm of [gone, kept]) {
      const tank = await buildTank(server.database.db, farm.id);
      await recordReadings(server.database, farm, tank, [
        { at: '2026-11-20T10:00:00Z', values: { levelMm: 1 } },
      ]);
    }
    await owned.remove(gone.uid);
    const { db } = server.database;
    await purgeFarms(db, later(30 * 86_400));
    expect(await countsOf(gone)).toEqual([1, 1, 1, 1, 1]);
    expect(await purgeFarms(db, later(30 * 86_400 + 1))).toBe(1);
    expect(await countsOf(gone)).toEqual([0, 0, 0, 0, 0]);
    expect(await countsOf(kept)).toEqual([1, 1, 1, 1, 1]);
    expect(await purgeFarms(db, later(30 * 86_400 + 1))).toBe(0);
  });
});
