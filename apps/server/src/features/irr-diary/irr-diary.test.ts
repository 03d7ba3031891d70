import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FarmSummary } from '@headrace/contract/farms';
import {
  DIARY_PAGE,
  type DiaryLog,
  type DiaryPage,
  type LateCloser,
  type WateringProof,
} from '@headrace/contract/irr-diary';
import { type ScheduleEntry, scheduleCrc } from '@headrace/device/schedule-crc';
import { buildGroup, buildWanted } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** What was watered, of a farm in New Zealand whose sprinklers hold 18:12 to 18:40; minutes count from 18:00 (05:00 UTC). */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  kit.clock.now = at(600);
  driver = await kit.farm({ units: 4 });
});

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
async function ran(index: number, from: number, to: number) {
  await said(index, from, 'open');
  await said(index, to, 'closed');
}

interface Held {
  index: number;
  since: number;
  until?: number;
  entries?: ScheduleEntry[] | null;
  stopped?: number;
}
async function holds({ index, since, until, entries = evening, stopped }: Held): Promise<void> {
  const { farm_id, id: device_id } = unit(index);
  await kit.server.database.db
    .insertInto('unit_held')
    .values({
      farm_id,
      device_id,
      since: at(since),
      until: until === undefined ? null : at(until),
      crc: entries ? scheduleCrc(entries) : '1A:2B',
      how: 'said',
      entries: entries && JSON.stringify(entries),
      cycle_days: entries && 1,
      stopped_at: stopped === undefined ? null : at(stopped),
    })
    .execute();
}
const allHold = async () => {
  for (const index of [0, 1, 2, 3]) await holds({ index, since: -5 * DAY });
};

/** It said that it waters nothing. */
const holdsNothingSince = (index: number, minute: number) =>
  kit.server.database.db
    .updateTable('unit_held')
    .set({ stopped_at: at(minute) })
    .where('device_id', '=', unit(index).id)
    .execute();

const ask = (
  query: object = {},
  call: 'GET /irr-diary-logs' | 'GET /irr-diary-logs/csv' = 'GET /irr-diary-logs',
) =>
  kit.server.call(call, {
    headers: driver.headers,
    query: { farmUID: driver.farm.uid, start: '20-11-2026', stop: '20-11-2026', ...query },
  });
async function page(query: object = {}): Promise<DiaryPage> {
  const reply = await ask(query);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json();
}
const summary = ({ logs }: DiaryPage) =>
  logs.map(({ sprinkler, outcome, minutes, basis, reasons }) =>
    [sprinkler, outcome, minutes ?? '?', basis, ...reasons.map(({ code }) => code)].join(' '),
  );

it('a place whose sprinkler is replaced while it waters has watered until the successor says closed; what its old one does then is told by its own name', async () => {
  await holds({ index: 0, since: -5 * DAY });
  await said(0, 12, 'open');
  kit.clock.now = at(20);
  const payload = {
    serialNumber: `NEW-${driver.farm.id}`,
    mac: `0004A30B0077${unit(0).mac?.slice(-4) ?? ''}`,
  };
  const replace = await driver.command('Replace', { mac: unit(0).mac, payload });
  await driver.answers(replace, 'done');
  const successor = { ...unit(0), mac: payload.mac };
  kit.clock.now = at(600);
  await driver.reportsValve(successor, 'closed', at(25));
  await said(0, 30, 'open');
  await said(0, 35, 'closed');
  expect(summary(await page())).toEqual(['U001 short 13 said replaced', 'Spare unplanned ? believed']);
});

describe('a day', () => {
  it('has what each did beside what it was to do, with mm, litres and why not', async () => {
    await allHold();
    await ran(0, 12, 40);
    await ran(1, 14, 30);
    for (const minute of [0, 20, 32]) await said(2, minute, 'closed');
    const shown = await page();
    expect(shown.logs.map(({ sprinkler, ...log }) => [sprinkler, log])).toMatchObject([
      [
        'U001',
        {
          day: '2026-11-20',
          unitUID: unit(0).uid,
          start: at(12).toISOString(),
          stop: at(40).toISOString(),
          minutes: 28,
          // 28 × 4 × 8.620428 × 7.2 ÷ 1440 = 4.827 mm; 28 × 60 × 4 = 6,720 L.
          mm: 4.83,
          volume: 6720,
          bounds: null,
          basis: 'said',
          planned: { start: at(12).toISOString(), stop: at(40).toISOString(), minutes: 28, isHeld: true },
          outcome: 'watered',
          reasons: [],
        },
      ],
      ['U002', { outcome: 'short', minutes: 16, mm: 2.76, volume: 3840 }],
      [
        'U003',
        {
          outcome: 'missed',
          minutes: 0,
          mm: 0,
          volume: 0,
          stop: null,
          reasons: [{ code: 'saidClosed', at: at(32).toISOString() }],
        },
      ],
      // Nothing is known: what was planned stands there, and says so.
      [
        'U004',
        { outcome: 'not known', minutes: 28, basis: 'plan', reasons: [{ code: 'notHeard', at: null }] },
      ],
    ]);
    expect(shown.days).toMatchObject([
      {
        day: '2026-11-20',
        planned: 4,
        watered: 1,
        counts: { watered: 1, short: 1, missed: 1, 'not known': 1 },
        // (4.827 + 2.759 + 0) ÷ 3.
        meanMm: 2.53,
        measured: 3,
        // 28 min at 4 L/s more, if what is not known was watered as planned.
        litres: { least: 10560, believed: 10560, most: 17280 },
        meters: [],
      },
    ]);
    expect(shown.next).toBeNull();
  });

  it('with a closing that was not heard has the end of the plan, and what is possible', async () => {
    await holds({ index: 0, since: -DAY });
    await said(0, 14, 'open');
    await said(0, 360, 'closed');
    expect((await page()).logs).toMatchObject([
      {
        outcome: 'watered',
        basis: 'believed',
        minutes: 26,
        bounds: { minutes: { least: 0, most: 346 }, mm: { least: 0, most: 59.65 } },
        reasons: [{ code: 'endNotHeard', at: at(360).toISOString() }],
      },
    ]);
  });

  it('with a beginning that was not heard counts from its time on, and stops when the valve did', async () => {
    await holds({ index: 0, since: -DAY });
    await holds({ index: 1, since: -DAY });
    // Its first word comes a quarter of an hour late.
    await ran(0, 27, 40);
    // That of its end is lost too.
    await said(1, 27, 'open');
    await said(1, 360, 'closed');
    expect((await page()).logs).toMatchObject([
      {
        start: at(12).toISOString(),
        stop: at(40).toISOString(),
        minutes: 28,
        reasons: [{ code: 'startNotHeard', at: at(27).toISOString() }],
      },
      { start: at(12).toISOString(), stop: at(40).toISOString(), minutes: 28, basis: 'believed' },
    ]);
  });

  it('is the farm’s, and a run over its midnight stands on the day it began', async () => {
    // 23:50 to 00:10.
    await holds({ index: 0, since: -DAY, entries: [{ start: 1430, duration: 20, cycle: 1 }] });
    await ran(0, 350, 370);
    expect(summary(await page())).toEqual(['U001 watered 20 said']);
    expect(summary(await page({ start: '21-11-2026', stop: '21-11-2026' }))).toEqual([]);
  });

  it('on which the clock skipped the start has it at the change', async () => {
    // 27 September 2026: 02:00 becomes 03:00. 02:30 is 03:00 NZDT, 14:00 UTC the day before.
    kit.clock.now = new Date('2026-09-27T06:00:00Z');
    await holds({ index: 0, since: -100 * DAY, entries: [{ start: 150, duration: 20, cycle: 1 }] });
    const began = Date.parse('2026-09-26T14:00:00Z');
    await driver.reportsValve(unit(0), 'open', new Date(began));
    await driver.reportsValve(unit(0), 'closed', new Date(began + 20 * 60_000));
    const { logs } = await page({ start: '27-09-2026', stop: '27-09-2026' });
    expect(logs).toMatchObject([
      { day: '2026-09-27', outcome: 'watered', start: '2026-09-26T14:00:00.000Z' },
    ]);
  });

  it('stays as it was when the farm’s set, its groups, their rates and what a sprinkler holds change', async () => {
    const { db } = kit.server.database;
    const north = await buildGroup(db, driver.farm.id, 'North', [unit(0), unit(1), unit(3)]);
    // What changes is noted by the database's clock, which is after this day.
    await sql`update device set created_at = ${at(-30 * DAY)} where farm_id = ${driver.farm.id}`.execute(db);
    await sql`update unit_grouping set since = ${at(-DAY)} where farm_id = ${driver.farm.id}`.execute(db);
    await allHold();
    await ran(0, 12, 40);
    await ran(1, 14, 30);
    await said(1, 100, 'closed');
    const before = await page();
    kit.clock.now = at(DAY);
    const later = [{ start: 60, duration: 5, cycle: 1 }];
    await buildWanted(kit.server.database.db, driver.farm.id, driver.units, later);
    for (const one of driver.units)
      await driver.reportsSchedule(one, { ipcCrc: scheduleCrc(later) }, at(DAY));
    const water = { ...driver.farm.wal_config, sprinklerFlow: 9 };
    await kit.server.database.db
      .updateTable('farm')
      .set({ wal_config: JSON.stringify(water) })
      .execute();
    await db.updateTable('device_group').set({ name: 'Renamed' }).where('uid', '=', north).execute();
    await db.deleteFrom('device_group_member').where('device_id', '=', unit(0).id).execute();
    await buildGroup(db, driver.farm.id, 'South', [unit(1), unit(2)]);
    const after = await page();
    // Of what is only planned the figures are those of now.
    const known = ({ logs }: DiaryPage) => logs.filter(({ basis }) => basis !== 'plan');
    expect(known(after)).toEqual(known(before));
    expect(summary(after)).toEqual(summary(before));
    const sure = <T extends { litres: object }>(sum: T) => ({ ...sum, litres: { ...sum.litres, most: 0 } });
    const sums = ({ days }: DiaryPage) =>
      days.map(({ groups, ...day }) => ({ ...sure(day), groups: groups.map(sure) }));
    expect(sums(after)).toEqual(sums(before));
    // 44 min at 4 L/s, and two of which nothing is known: 28 min each at 4, then 9 L/s.
    expect([before, after].map(({ days }) => days[0]?.litres.most)).toEqual([24_000, 40_800]);
    expect(after.days[0]?.groups.map(({ name, planned }) => [name, planned])).toEqual([
      ['', 1],
      ['North', 3],
    ]);
    expect((await page({ group: north })).logs.map(({ sprinkler }) => sprinkler)).toEqual([
      'U001',
      'U002',
      'U004',
    ]);
  });
});

describe('why not', () => {
  it('names who inhibited it, and counts it among those that were kept from it', async () => {
    kit.clock.now = at(-60);
    const inhibit = await driver.command('Inhibit');
    await driver.answers(inhibit, 'done');
    kit.clock.now = at(600);
    await holds({ index: 0, since: -DAY, stopped: -50 });
    const { logs, days } = await page();
    expect(logs).toMatchObject([
      {
        outcome: 'missed',
        isKept: true,
        reasons: [{ code: 'inhibited', at: at(-60).toISOString(), by: 'Olive Owner' }],
      },
    ]);
    expect(days).toMatchObject([{ planned: 0, kept: 1 }]);
    expect(summary(await page({ outcome: 'troubles' }))).toEqual([]);
  });

  it('says that it was held, since when and by whom', async () => {
    await allHold();
    kit.clock.now = at(-60);
    const reply = await kit.server.call('POST /paddock-hold', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, uids: [unit(0).uid], until: at(DAY), reason: 'Cows in' },
    });
    expect(reply.statusCode, reply.body).toBe(200);
    await driver.answers(reply.json<{ commandId: string }>().commandId, 'done');
    kit.clock.now = at(600);
    const { logs, days } = await page();
    expect(logs.find(({ sprinkler }) => sprinkler === 'U001')).toMatchObject({
      outcome: 'not known',
      reasons: [
        { code: 'held', at: at(-60).toISOString(), by: 'Olive Owner', note: 'Cows in' },
        { code: 'notHeard' },
      ],
    });
    expect(days).toMatchObject([{ planned: 4, kept: 0 }]);
    await holdsNothingSince(0, -50);
    expect((await page()).logs.find(({ sprinkler }) => sprinkler === 'U001')).toMatchObject({
      outcome: 'missed',
      isKept: true,
      reasons: [{ code: 'held' }],
    });
  });

  it('says that it holds nothing of what was sent, or a schedule that was not sent from here', async () => {
    kit.clock.now = at(-300);
    await buildWanted(kit.server.database.db, driver.farm.id, [unit(0), unit(1)], evening);
    await kit.server.database.db
      .updateTable('unit_program')
      .set({ wanted_at: at(-300) })
      .execute();
    kit.clock.now = at(600);
    await holds({ index: 0, since: -DAY, entries: [] });
    await holds({ index: 1, since: -DAY, entries: null });
    await ran(1, 100, 130);
    expect(summary(await page())).toEqual([
      'U001 not known 28 plan holdsNothing notHeard',
      'U002 not known 28 plan foreign notHeard',
      'U002 unplanned ? believed foreign',
    ]);
  });

  it('says that it is out of service, when that was', async () => {
    await allHold();
    kit.clock.now = at(-100);
    const reply = await kit.server.call('PUT /placeholder/convert-to-placeholder', {
      headers: driver.headers,
      body: { deviceId: unit(0).uid },
    });
    expect(reply.statusCode, reply.body).toBe(200);
    kit.clock.now = at(600);
    for (const minute of [20, 32]) await said(0, minute, 'closed');
    const { logs } = await page();
    expect(logs.find(({ sprinkler }) => sprinkler === 'U001')).toMatchObject({
      outcome: 'missed',
      isKept: true,
      reasons: [{ code: 'outOfService', at: at(-100).toISOString() }, { code: 'saidClosed' }],
    });
  });

  it('says since when a silent one was not heard', async () => {
    await allHold();
    await said(0, -200, 'closed');
    const { logs } = await page();
    expect(logs[0]).toMatchObject({
      sprinkler: 'U001',
      reasons: [{ code: 'notHeard', at: at(-200).toISOString() }],
    });
  });
});

describe('asked for', () => {
  it('a group or an outcome alone has no other, and the days’ sums are of all outcomes', async () => {
    const north = await buildGroup(kit.server.database.db, driver.farm.id, 'North', [unit(0), unit(1)]);
    await allHold();
    await ran(0, 12, 40);
    await ran(2, 12, 40);
    expect(summary(await page({ group: north }))).toEqual([
      'U001 watered 28 said',
      'U002 not known 28 plan notHeard',
    ]);
    const { logs, days } = await page({ outcome: 'watered' });
    expect(logs.map(({ sprinkler }) => sprinkler)).toEqual(['U001', 'U003']);
    expect(days).toMatchObject([
      {
        planned: 4,
        groups: [
          { name: '', planned: 2 },
          { name: 'North', planned: 2, uid: north },
        ],
      },
    ]);
  });

  /** One a minute, from a minute of that day's clock on. */
  async function opened(count: number, { from = 0, day = 0 } = {}): Promise<void> {
    const { farm_id, id: device_id } = unit(0);
    // From midnight on, 11:00 UTC the day before.
    const first = from - 18 * 60 + day * DAY;
    const runs = Array.from({ length: count }, (_, minute) => ({
      farm_id,
      device_id,
      opened_at: at(first + minute),
      opened_how: 'said' as const,
      open_until: at(first + minute),
      closed_at: at(first + minute + 0.5),
      closed_how: 'said' as const,
      lps: 4,
      mm_per_min: 0.1724,
      is_part: false,
    }));
    await kit.server.database.db.insertInto('watering_run').values(runs).execute();
  }

  it('that is full at the end of a day goes on with the day before, whole and with its sums', async () => {
    await opened(DIARY_PAGE.entries);
    await opened(3, { day: -1 });
    const span = { start: '18-11-2026', stop: '20-11-2026' };
    const first = await page(span);
    expect([first.logs.length, first.next, first.days.map(({ day }) => day)]).toEqual([
      DIARY_PAGE.entries,
      '2026-11-19',
      ['2026-11-20'],
    ]);
    const second = await page({ ...span, after: first.next });
    expect([second.logs.length, second.next, second.days.map(({ day }) => day)]).toEqual([
      3,
      null,
      ['2026-11-19'],
    ]);
  });

  it('comes a page at a time, the newest day first, each entry once', async () => {
    await opened(1439);
    kit.clock.now = at(DAY);
    const span = { start: '19-11-2026', stop: '21-11-2026' };
    const first = await page(span);
    expect([first.logs.length, first.next]).toEqual([DIARY_PAGE.entries, `2026-11-20.${DIARY_PAGE.entries}`]);
    const second = await page({ ...span, after: first.next });
    expect([second.logs.length, second.next, second.days]).toEqual([439, null, []]);
    expect(new Set([...first.logs, ...second.logs].map(({ start }) => start)).size).toBe(1439);
  });

  it.each([
    [
      'more than 92 days',
      { start: '20-08-2026', stop: '20-11-2026' },
      'start',
      'Ask for at most 92 days at once.',
    ],
    [
      'a stop before its start',
      { start: '21-11-2026', stop: '20-11-2026' },
      'stop',
      'stop must not lie before start.',
    ],
    [
      'a day that is none',
      { start: '31-02-2026' },
      'start',
      'start must be a day that exists, as DD-MM-YYYY.',
    ],
  ])('%s is refused', async (_, query, field, errorMessage) => {
    const reply = await ask(query);
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { field, errorMessage }]);
  });

  it('of nothing more than the farm has the last 30 days', async () => {
    await holds({ index: 0, since: -100 * DAY });
    const reply = await kit.server.call('GET /irr-diary-logs', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid },
    });
    const { logs } = reply.json<{ logs: DiaryLog[] }>();
    // It is 04:00 on 21 November: that day's watering is still to come.
    expect([logs.length, logs[0]?.day, logs.at(-1)?.day]).toEqual([29, '2026-11-20', '2026-10-23']);
  });

  it('as a file has a line of each, and no cell that a spreadsheet would reckon', async () => {
    await kit.server.database.db
      .updateTable('device')
      .set({ name: '=A1' })
      .where('id', '=', unit(0).id)
      .execute();
    await holds({ index: 0, since: -DAY });
    await ran(0, 12, 40);
    const { statusCode, headers, body } = await ask({}, 'GET /irr-diary-logs/csv');
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, line, end] = body.split('\r\n');
    expect(head).toMatch(/^\uFEFFday,sprinkler,serial_number,group,/);
    expect(line).toMatch(
      /^2026-11-20,"'=A1",.*,2026-11-20T18:12:00\+13:00,2026-11-20T18:40:00\+13:00,28,,,4\.83,,,6720,/,
    );
    expect(end).toBe('');
  });
});

describe('proof of the last watering', () => {
  const proof = async (): Promise<WateringProof> =>
    (
      await kit.server.call('GET /irr-diary-logs/last', {
        headers: driver.headers,
        query: { farmUID: driver.farm.uid },
      })
    ).json();

  it('is by line, with what was short or missed', async () => {
    await buildWanted(kit.server.database.db, driver.farm.id, driver.units, evening);
    await kit.server.database.db
      .updateTable('unit_program')
      .set({ schedule_group: 'North/1', wanted_at: at(-5 * DAY) })
      .where('device_id', 'in', [unit(0).id, unit(1).id])
      .execute();
    await allHold();
    await ran(0, 12, 40);
    await ran(1, 14, 30);
    await ran(2, 12, 40);
    expect(await proof()).toMatchObject({
      round: { startAt: at(12).toISOString(), endAt: at(40).toISOString() },
      planned: 4,
      watered: 2,
      counts: { 'not known': 1, short: 1 },
      missed: 1,
      lines: [
        { name: '', planned: 2, watered: 1 },
        { name: 'North/1', planned: 2, watered: 1 },
      ],
      troubles: [{ sprinkler: 'U002' }, { sprinkler: 'U004' }],
    });
  });

  it('brings who missed it to what needs a person, until a day after', async () => {
    await allHold();
    await ran(1, 14, 30);
    const attention = async () => {
      const reply = await kit.server.call('GET /farms-summary', { headers: driver.headers });
      const [farm] = reply.json<{ farms: FarmSummary[] }>().farms;
      return farm?.attention.flatMap(({ kind, sprinklers }) => (kind === 'missedWatering' ? sprinklers : []));
    };
    expect(await attention()).toEqual([1]);
    // What is reported meanwhile shows some minutes later.
    await ran(2, 14, 30);
    kit.clock.now = at(604);
    expect(await attention()).toEqual([1]);
    kit.clock.now = at(605);
    expect(await attention()).toEqual([2]);
    kit.clock.now = at(40 + DAY);
    expect(await attention()).toEqual([]);
  });

  it('is of the watering before while this one is under way', async () => {
    await holds({ index: 0, since: -5 * DAY });
    await ran(0, 12 - DAY, 40 - DAY);
    kit.clock.now = at(20);
    expect(await proof()).toMatchObject({
      round: { startAt: at(12 - DAY).toISOString() },
      planned: 1,
      watered: 1,
    });
  });

  it('of a farm that waters nothing is none', async () => {
    expect(await proof()).toMatchObject({ round: null, planned: 0, lines: [], troubles: [] });
  });
});

describe('late closers', () => {
  const late = async () =>
    (
      await kit.server.call('GET /irr-diary-logs/late-closers', {
        headers: driver.headers,
        query: { farmUID: driver.farm.uid },
      })
    ).json<{ units: LateCloser[] }>().units;

  it('are those that said "open" past their end, the worst first; a late "closed" alone makes none', async () => {
    await allHold();
    // 18:40 is minute 40.
    await said(0, 12, 'open');
    await said(0, 55, 'open');
    await said(0, 70, 'closed');
    await said(1, 12, 'open');
    await said(1, 100, 'open');
    await said(2, 12, 'open');
    await said(2, 300, 'closed');
    await ran(3, 12, 43);
    expect(await late()).toMatchObject([
      { sprinkler: 'U002', times: 1, worst: { dueAt: at(40).toISOString(), least: 60, most: null } },
      { sprinkler: 'U001', times: 1, worst: { least: 15, most: 30 } },
    ]);
  });
});
