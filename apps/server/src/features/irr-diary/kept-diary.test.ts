import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DiaryPage } from '@headrace/contract/irr-diary';
import { type ScheduleEntry, scheduleCrc } from '@headrace/device/schedule-crc';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** A diary that was looked at before, of two sprinklers that hold 18:12 to 18:40 in New Zealand; minutes count from 18:00 (05:00 UTC). */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());

const START = Date.parse('2026-11-20T05:00:00Z');
const DAY = 1440;
const at = (minute: number) => new Date(START + minute * 60_000);
const evening: ScheduleEntry[] = [{ start: 18 * 60 + 12, duration: 28, cycle: 1 }];
const unit = (index: number) => {
  const found = driver.units[index];
  if (!found) throw new Error('no such unit');
  return found;
};
const said = (index: number, minute: number, valve: 'open' | 'closed') =>
  driver.reportsValve(unit(index), valve, at(minute));
const db = () => kit.server.database.db;

beforeEach(async () => {
  kit.clock.now = at(600);
  driver = await kit.farm({ units: 2 });
  await db()
    .insertInto('unit_held')
    .values(
      driver.units.map(({ farm_id, id: device_id }) => ({
        farm_id,
        device_id,
        since: at(-5 * DAY),
        crc: scheduleCrc(evening),
        how: 'said' as const,
        entries: JSON.stringify(evening),
        cycle_days: 1,
      })),
    )
    .execute();
});

async function summary(): Promise<string[]> {
  const reply = await kit.server.call('GET /irr-diary-logs', {
    headers: driver.headers,
    query: { farmUID: driver.farm.uid, start: '20-11-2026', stop: '20-11-2026' },
  });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply
    .json<DiaryPage>()
    .logs.map(
      ({ sprinkler, group, outcome, reasons }) =>
        `${[sprinkler, group].filter(Boolean).join(' of ')}: ${[outcome, ...reasons.map(({ code }) => code)].join(' ')}`,
    );
}

it('tells what comes late of a day that was looked at', async () => {
  expect(await summary()).toEqual(['U001: not known notHeard', 'U002: not known notHeard']);
  await said(0, 12, 'open');
  await said(0, 40, 'closed');
  expect(await summary()).toEqual(['U001: watered', 'U002: not known notHeard']);
  await said(1, 20, 'closed');
  await said(1, 35, 'closed');
  expect(await summary()).toEqual(['U001: watered', 'U002: missed saidClosed']);
});

it('tells what time brings, without a word', async () => {
  kit.clock.now = at(5);
  expect(await summary()).toEqual([]);
  kit.clock.now = at(20);
  expect(await summary()).toEqual(['U001: not known notOver', 'U002: not known notOver']);
  kit.clock.now = at(60);
  expect(await summary()).toEqual(['U001: not known notHeard', 'U002: not known notHeard']);
});

it('goes on with a valve that is open while it is looked at', async () => {
  kit.clock.now = at(20);
  await said(0, 12, 'open');
  const minutes = async () => {
    const reply = await kit.server.call('GET /irr-diary-logs', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid, start: '20-11-2026', stop: '20-11-2026' },
    });
    return reply.json<DiaryPage>().logs[0]?.bounds?.minutes.most;
  };
  expect(await minutes()).toBe(8);
  kit.clock.now = at(25);
  expect(await minutes()).toBe(13);
});

it('tells what another server wrote: a run, a name, a group, another schedule, a sprinkler that is gone', async () => {
  expect(await summary()).toHaveLength(2);
  const first = { farmId: unit(0).farm_id, deviceId: unit(0).id };
  await sql`insert into watering_run (farm_id, device_id, opened_at, opened_how, open_until, closed_at, closed_how, lps,
      mm_per_min, is_part)
    values (${first.farmId}, ${first.deviceId}, ${at(12)}, 'said', ${at(12)}, ${at(40)}, 'said', 4, 0.17, false)`.execute(
    db(),
  );
  expect(await summary()).toEqual(['U001: watered', 'U002: not known notHeard']);
  await db().updateTable('device').set({ name: 'Gate' }).where('id', '=', unit(0).id).execute();
  expect(await summary()).toEqual(['Gate: watered', 'U002: not known notHeard']);
  await sql`insert into unit_grouping (farm_id, device_id, since, groups, line)
    values (${first.farmId}, ${first.deviceId}, ${at(-DAY)}, '[{"uid": "aaaaaaaaaaaaaaaaaaaaaaaa", "name": "Creek"}]', '')
    on conflict (farm_id, device_id, since) do update set groups = excluded.groups`.execute(db());
  expect(await summary()).toEqual(['Gate of Creek: watered', 'U002: not known notHeard']);
  await db()
    .updateTable('unit_held')
    .set({ entries: JSON.stringify([{ start: 19 * 60, duration: 10, cycle: 1 }]) })
    .where('device_id', '=', unit(0).id)
    .execute();
  expect(await summary()).toEqual([
    'Gate of Creek: unplanned',
    'U002: not known notHeard',
    'Gate of Creek: not known notHeard',
  ]);
  await db()
    .updateTable('device')
    .set({ deleted_at: at(-3 * DAY) })
    .where('id', '=', unit(0).id)
    .execute();
  expect(await summary()).toEqual(['U002: not known notHeard']);
});
