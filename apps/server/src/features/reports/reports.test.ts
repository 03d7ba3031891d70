import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { OperatingTimes } from '@headrace/contract/reports';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import { newUid } from '../../db/ids.ts';
import { buildAccount, buildShare, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildScheduleSet } from '../../testing/irrigation-factories.ts';
import { whileLocked } from '../../testing/while-locked.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';
import { createScheduleSets } from '../schedules/schedule-sets.ts';

/** A farm in New Zealand; a sprinkler waters on 20/11 from 18:14 to 18:40 (UTC+13). */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
  kit.clock.now = new Date('2026-11-20T15:00:00Z');
  driver = await kit.farm({ units: 2 });
  const [unit] = driver.units;
  if (!unit) throw new Error('no unit');
  await driver.reportsValve(unit, 'open', new Date('2026-11-20T05:14:00Z'));
  await driver.reportsValve(unit, 'closed', new Date('2026-11-20T05:40:00Z'));
});
afterAll(() => kit.close());

const get = (
  call: 'GET /reportspdf/irrdiary/summary' | 'GET /reports/irrigation-diary.csv',
  days: { start?: string; stop?: string } = {},
) => kit.server.call(call, { headers: driver.headers, query: { farmUID: driver.farm.uid, ...days } });

describe('the irrigation diary as a report', () => {
  it('is a PDF of the last 30 days, named after them', async () => {
    const reply = await get('GET /reportspdf/irrdiary/summary');
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf']);
    expect(reply.headers['content-disposition']).toContain('irrigation-diary-2026-10-23-2026-11-21.pdf');
    expect(reply.rawPayload.subarray(0, 8).toString()).toBe('%PDF-1.7');
    expect(reply.rawPayload.subarray(-6).toString().trim()).toBe('%%EOF');
  });

  it('has its sums as a table', async () => {
    const reply = await get('GET /reports/irrigation-diary.csv', { start: '20-11-2026', stop: '20-11-2026' });
    const [head, farm] = reply.body.split('\r\n');
    expect(head).toBe(
      '\uFEFFday,group,planned,watered,missed,short,not_known,kept,mean_mm,litres,litres_least,litres_most',
    );
    expect(farm).toMatch(/^2026-11-20,,/);
  });

  it.each([
    [{ start: '31-02-2026' }, 'start'],
    [{ start: '21-11-2026', stop: '20-11-2026' }, 'stop'],
    [{ start: '01-01-2026', stop: '20-11-2026' }, 'start'],
  ])('refuses days that are none, or too many: %j', async (days, field) => {
    const reply = await get('GET /reportspdf/irrdiary/summary', days);
    expect([reply.statusCode, reply.json<{ field?: string }>().field]).toEqual([400, field]);
  });
});

describe('the operating time of a set', () => {
  const HOUR = 60;
  /** 03:12 to 03:40 each second day, from 24 October to this morning: 15 of 30 days. */
  const entries = [{ start: 3 * HOUR + 12, duration: 28, cycle: 1 }];
  const FIRST = Date.parse('2026-10-23T14:12:00Z');
  const at = (turn: number, minute: number) => new Date(FIRST + turn * 2 * 86_400_000 + minute * 60_000);
  let own: FarmDriver;
  let setUid: string;
  beforeAll(async () => {
    own = await kit.farm({ units: 3 });
    const { db } = kit.server.database;
    const [full, silent] = own.units;
    if (!full || !silent) throw new Error('no units');
    for (const { farm_id, id } of own.units)
      await db
        .insertInto('unit_held')
        .values({
          farm_id,
          device_id: id,
          since: new Date('2026-10-01T00:00:00Z'),
          crc: scheduleCrc(entries),
          how: 'said',
          entries: JSON.stringify(entries),
          cycle_days: 2,
        })
        .execute();
    // The third is not in the set.
    setUid = newUid();
    await createScheduleSets(db).store(own.farm.id, {
      uid: setUid,
      name: '=Summer / north',
      cycleMinutes: 2 * 24 * HOUR,
      units: [full, silent].map(({ id }) => ({
        deviceId: id,
        groupUid: '',
        groupName: '',
        scheduleGroup: 'River',
        entries,
      })),
    });
    for (let turn = 0; turn < 14; turn += 1) {
      await own.reportsValve(full, 'open', at(turn, 0));
      await own.reportsValve(full, 'closed', at(turn, turn === 13 ? 12 : 28));
    }
    // Said twice inside its time: the last one was missed.
    for (const minute of [7, 20]) await own.reportsValve(full, 'closed', at(14, minute));
  });
  const ask = (
    call: 'GET /reports/operating-time' | 'GET /reportspdf/operatingtime' | 'GET /reports/operating-time.csv',
    scheduleID = setUid,
  ) => kit.server.call(call, { headers: own.headers, query: { farmUID: own.farm.uid, scheduleID } });

  it('has 15 × 28 = 420 min planned, 376 watered, and of who was silent nothing', async () => {
    const reply = await ask('GET /reports/operating-time');
    expect(reply.statusCode, reply.body).toBe(200);
    const { units, ...of } = reply.json<OperatingTimes>();
    expect(of).toEqual({
      setUID: setUid,
      name: '=Summer / north',
      isDeleted: false,
      start: '2026-10-23',
      stop: '2026-11-21',
      gone: 0,
    });
    expect(units).toMatchObject([
      {
        sprinkler: 'U001',
        scheduleGroup: 'River',
        planned: 420,
        actual: 376,
        unknown: 0,
        share: 89.5,
        other: 0,
      },
      { sprinkler: 'U002', planned: 420, actual: null, unknown: 420, share: null, lastWatered: null },
    ]);
    expect(units[0]?.waterings).toEqual({
      planned: 15,
      unknown: 0,
      missed: 1,
      kept: 0,
      startNotHeard: 0,
      endNotHeard: 0,
    });
    expect(units[0]?.lastWatered).toBe(at(13, 12).toISOString());
  });

  it('is a PDF and a table of the same rows, named after the set', async () => {
    const pdf = await ask('GET /reportspdf/operatingtime');
    expect([pdf.statusCode, pdf.headers['content-type'], pdf.headers['cache-control']]).toEqual([
      200,
      'application/pdf',
      'no-store',
    ]);
    expect(pdf.headers['content-disposition']).toContain('operating-time--Summer-north.pdf');
    expect(pdf.rawPayload.subarray(-6).toString().trim()).toBe('%%EOF');
    const csv = await ask('GET /reports/operating-time.csv');
    expect(
      csv.body
        .split('\r\n')
        .slice(1, 3)
        .map((row) => row.split(',').slice(0, 10).join(',')),
    ).toEqual([
      expect.stringMatching(/^U001,\w+,River,420,376,89\.5,0,0,0,15$/),
      expect.stringMatching(/^U002,\w+,River,420,,,420,0,0,15$/),
    ]);
  });

  it('of a set that was deleted says so, and of none of this farm nothing', async () => {
    await kit.server.database.db
      .updateTable('schedule_set')
      .set({ deleted_at: new Date('2026-11-20T00:00:00Z') })
      .where('uid', '=', setUid)
      .execute();
    expect((await ask('GET /reports/operating-time')).json<OperatingTimes>()).toMatchObject({
      isDeleted: true,
    });
    const other = await kit.farm({ units: 1 });
    const uid = await buildScheduleSet(kit.server.database.db, other.farm.id, other.units, entries);
    expect((await ask('GET /reports/operating-time', uid)).statusCode).toBe(404);
  });
});

describe('the history trend', () => {
  it('is a PDF and a table of 52 weeks, named after the farm; of days that were not counted it has nothing', async () => {
    const { db } = kit.server.database;
    const { farm, units, headers } = await kit.farm({ units: 1 });
    const [unit] = units;
    if (!unit) throw new Error('no unit');
    const regular = 8;
    await db
      .insertInto('unit_span')
      .values({ farm_id: farm.id, kind: regular, device_id: unit.id, since: '2026-11-18', until: null })
      .execute();
    const counts = { in_contact: 1, clock_ok: 1, battery_ok: 0, schedule_ok: 1 };
    for (const day of ['2026-11-18', '2026-11-20'])
      await db
        .insertInto('health_day')
        .values({ farm_id: farm.id, day, ...counts })
        .execute();
    const ask = (call: 'GET /reportspdf/farmhisttrend' | 'GET /reports/history-trend.csv') =>
      kit.server.call(call, { headers, query: { farmUID: farm.uid } });
    const csv = await ask('GET /reports/history-trend.csv');
    const rows = csv.body.split('\r\n').slice(1, -1);
    expect(rows).toHaveLength(52);
    // Two of seven days; the one sprinkler in regular contact.
    expect(rows.at(-1)).toMatch(/^2026-11-14,2026-11-20,2,1,no,.*,1,1,1$/);
    expect(rows.at(-2)).toMatch(/^2026-11-07,2026-11-13,0,,no,*$/);
    const pdf = await ask('GET /reportspdf/farmhisttrend');
    expect([pdf.statusCode, pdf.rawPayload.subarray(-6).toString().trim()]).toEqual([200, '%%EOF']);
    expect(pdf.headers['content-disposition']).toContain('history-trend-');
  });
});

describe('tanks and usage', () => {
  const HOUR = 3_600_000;
  /** 19 November on the farm begins. 1 mm is 10 L, 2,500 mm is full. */
  const BEGIN = Date.parse('2026-11-18T11:00:00Z');
  const settings = { offset: 0, height: 3000, toplevel: 2500, volume: 25_000 };
  const days = { start: '19-11-2026', stop: '2026-11-20' };
  const ask = (world: FarmWorld, query: object, call: 'csv' | 'pdf' = 'csv') =>
    world.get(call === 'csv' ? 'GET /reports/tanks.csv' : 'GET /reportspdf/tanks', {
      farmUID: world.farm.uid,
      ...query,
    });

  it('are lowest and highest level and what was used by day, and nothing of a day that was not heard', async () => {
    const world = await buildFarmWorld(kit.server);
    const tank = await buildTank(kit.server.database.db, world.farm.id, { name: 'House', settings });
    // 2,000 mm, 10 mm less each hour for 12 hours, and then no more: 80 % to 75.2 %, 1,200 L.
    await world.record(
      tank,
      Array.from({ length: 24 }, (_none, hour) => ({
        at: new Date(BEGIN + hour * HOUR).toISOString(),
        values: { levelMm: 2000 - 10 * Math.min(hour, 12) },
      })),
    );
    const csv = await ask(world, days);
    expect(csv.statusCode, csv.body).toBe(200);
    expect(csv.headers['content-disposition']).toContain('tanks-2026-11-19-2026-11-20.csv');
    const [heard = '', silent] = csv.body.split('\r\n').slice(1);
    expect(heard).toMatch(/^House,2026-11-19,75\.2,80,\d+(\.\d+)?,level,no,yes$/);
    const used = Number(heard.split(',')[4]);
    expect([used > 1100, used <= 1200]).toEqual([true, true]);
    expect(silent).toBe('House,2026-11-20,,,,,,');
    const pdf = await ask(world, days, 'pdf');
    expect([pdf.statusCode, pdf.rawPayload.subarray(0, 8).toString()]).toEqual([200, '%PDF-1.7']);
  });

  it('say of a day that is not over, or in which a tank fell silent, that a part of it is known', async () => {
    const world = await buildFarmWorld(kit.server);
    // Each hour until 10:00 on 21 November, which is now, and until noon on 19 November.
    for (const [name, hours] of [
      ['A', 59],
      ['B', 13],
    ] as const) {
      const tank = await buildTank(kit.server.database.db, world.farm.id, { name, settings });
      await world.record(
        tank,
        Array.from({ length: hours }, (_none, hour) => ({
          at: new Date(BEGIN + hour * HOUR).toISOString(),
          values: { levelMm: 2000 - 10 * hour },
        })),
      );
    }
    const csv = await ask(world, { start: '19-11-2026', stop: '21-11-2026' });
    const rows = csv.body.split('\r\n').slice(1, -1);
    expect(
      rows.map((row) =>
        row
          .split(',')
          .filter((_cell, nth) => [0, 1, 7].includes(nth))
          .join(' '),
      ),
    ).toEqual([
      'A 2026-11-19 yes',
      'A 2026-11-20 yes',
      'A 2026-11-21 no',
      'B 2026-11-19 no',
      'B 2026-11-20 ',
      'B 2026-11-21 ',
    ]);
  });

  it.each(['GET /reports/tanks.csv', 'GET /reportspdf/tanks'] as const)(
    'come by %s to nobody who lost the farm while they were made',
    async (call) => {
      const { db } = kit.server.database;
      const world = await buildFarmWorld(kit.server);
      const tank = await buildTank(db, world.farm.id, { name: 'House', settings });
      await world.record(tank, [{ at: new Date(BEGIN).toISOString(), values: { levelMm: 2000 } }]);
      const agent = await buildAccount(db, { type: 'AGENT' });
      await buildShare(db, world.farm.id, agent.id, presets.agent);
      const headers = await kit.server.signIn(agent);
      // Begun by who calls it, not by who waits for it.
      const asked = async () =>
        kit.server.call(call, { headers, query: { farmUID: world.farm.uid, ...days } });
      expect((await asked()).statusCode).toBe(200);
      const [reply] = await whileLocked(db, ['reading_day', 'reading_hour'], asked, () =>
        sql`delete from share where agent_id = ${agent.id}`.execute(db),
      );
      expect((await reply).statusCode).toBe(404);
    },
  );

  it.each([
    [{ start: '31-02-2026' }, 'start'],
    [{ start: '21-11-2026', stop: '20-11-2026' }, 'stop'],
    [{ start: '01-01-2025', stop: '20-11-2026' }, 'start'],
  ])('are refused for days that are none, or too many: %j', async (query, field) => {
    const reply = await ask(await buildFarmWorld(kit.server), query);
    expect([reply.statusCode, reply.json<{ field?: string }>().field]).toEqual([400, field]);
  });
});
