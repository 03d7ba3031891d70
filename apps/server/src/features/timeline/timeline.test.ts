import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SchedulePreview } from '@headrace/contract/preview';
import type { Timeline, TimelineTurn, TimelineUnit } from '@headrace/contract/timeline';
import type { DeviceRow } from '../../db/schema.ts';
import { buildGroup, buildScheduleSet, buildTemplate } from '../../testing/irrigation-factories.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** What sprinklers will water, and why not. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  // 10:00 on 21 November in New Zealand's summer time.
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm({ units: 2 });
});

const db = () => kit.server.database.db;
const unit = (index = 0): DeviceRow => {
  const found = driver.units[index];
  if (!found) throw new Error('no unit');
  return found;
};
/** 12:00 to 13:00 of each day, and 13:00 to 13:45. */
const spring = [{ start: 720, duration: 60, cycle: 1 }];
const summer = [{ start: 780, duration: 45, cycle: 1 }];
// CRC-16/CCITT-FALSE of 720, 60, 1 as 16-bit words; reckoned with Python's binascii.crc_hqx(…, 0xFFFF).
const springCrc = '12:57';
const at = (clock: string) => Date.parse(`2026-11-21T${clock}:00+13:00`);

const send = async (entries: typeof spring, more = {}) =>
  driver.command('SendScheduleSet', {
    payload: {
      setUID: await buildScheduleSet(db(), driver.farm.id, driver.units, entries),
      groupUID: 'FARM',
      ...more,
    },
  });
/** Both hold it, and were heard just now. */
async function sendSpring(): Promise<void> {
  await buildGroup(db(), driver.farm.id, 'North', driver.units);
  const uid = await send(spring);
  for (const { mac } of driver.units) await driver.answers('set-1', 'done', { mac: mac ?? '' });
  await driver.reaches(uid, 'done');
  for (const one of driver.units) await driver.reportsSchedule(one, { ipcCrc: springCrc, cycleLen: 1 });
}

/** Days later: who was signed in is so no more. */
async function jumpTo(now: number): Promise<void> {
  kit.clock.now = new Date(now);
  driver = { ...driver, headers: await kit.server.signIn(driver.owner) };
}

const ask = (query: object = {}) =>
  kit.server.call('GET /schedules/timeline', {
    headers: driver.headers,
    query: {
      farmUID: driver.farm.uid,
      from: new Date(at('00:00')).toISOString(),
      to: new Date(at('00:00') + 86_400_000).toISOString(),
      ...query,
    },
  });
async function timeline(query: object = {}): Promise<Timeline> {
  const reply = await ask(query);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<Timeline>();
}
async function unitNow(index = 0): Promise<TimelineUnit> {
  const { lines } = await timeline();
  for (const { id } of lines) {
    const { units } = await timeline({ group: id });
    const found = units.find(({ uid }) => uid === unit(index).uid);
    if (found) return found;
  }
  throw new Error('not in the timeline');
}
/** "said 12:02-13:01", and the reasons. */
const shown = ({ sign, startAt, endAt, reasons }: TimelineTurn) =>
  [`${sign} ${clock(startAt)}-${clock(endAt)}`, ...reasons.map(({ code }) => code)].join(' ');
const clock = (time: number) => new Date(time + 13 * 3_600_000).toISOString().slice(11, 16);
const turns = async (index = 0) => (await unitNow(index)).turns.map(shown);

describe('what a sprinkler holds', () => {
  it('is what it will water, is under way unheard, and is over unheard', async () => {
    await sendSpring();
    expect(await turns()).toEqual(['will 12:00-13:00']);
    kit.clock.now = new Date(at('12:10'));
    expect(await turns()).toEqual(['believed 12:00-13:00']);
    kit.clock.now = new Date(at('13:10'));
    expect(await turns()).toEqual(['notHeard 12:00-13:00']);
  });

  it('is told from what it said: from when until when it was open', async () => {
    await sendSpring();
    kit.clock.now = new Date(at('12:02'));
    await driver.reportsValve(unit(), 'open');
    expect(await turns()).toEqual(['said 12:02-13:00']);
    const [open] = (await unitNow()).turns;
    expect([open?.planned, open?.saidUntil]).toEqual([
      { startAt: at('12:00'), endAt: at('13:00') },
      at('12:02'),
    ]);
    kit.clock.now = new Date(at('13:01'));
    await driver.reportsValve(unit(), 'closed');
    expect(await turns()).toEqual(['said 12:02-13:01']);
    expect((await unitNow()).turns[0]).toMatchObject({
      outcome: 'watered',
      saidUntil: at('13:01'),
      startMin: 12 * 60 + 2,
      isByCommand: false,
    });
    // The other said nothing.
    expect(await turns(1)).toEqual(['notHeard 12:00-13:00']);
  });

  it('will not be watered by one that is inhibited, and may be by one that was only asked to stop', async () => {
    await sendSpring();
    kit.pass(1);
    await driver.command('Inhibit', { mac: unit().mac, serialNumber: unit().serial_number });
    expect(await turns()).toEqual(['unsure 12:00-13:00 stopWanted']);
    await driver.reportsSchedule(unit(), { ipcCrc: 'D6:DA' });
    expect(await turns()).toEqual(['wont 12:00-13:00 inhibited']);
    // It was stopped before it was to begin: nothing was missed unheard.
    kit.clock.now = new Date(at('14:00'));
    expect(await turns()).toEqual(['wont 12:00-13:00 inhibited']);
  });

  it('is held with its paddock until that ends, and begins again after', async () => {
    await sendSpring();
    kit.pass(1);
    const until = new Date(at('06:00') + 86_400_000).toISOString();
    const body = { farmUID: driver.farm.uid, groupUID: 'FARM', until };
    const reply = await kit.server.call('POST /paddock-hold', { headers: driver.headers, body });
    expect(reply.statusCode, reply.body).toBe(200);
    await driver.reportsSchedule(unit(), { ipcCrc: 'D6:DA' });
    expect(await turns()).toEqual(['wont 12:00-13:00 held']);
    const held = { from: kit.clock.now.getTime(), until: Date.parse(until), units: 2, reason: '' };
    const holds = async () => (await timeline()).lines.flatMap((line) => line.holds);
    expect(await holds()).toEqual([held]);
    const tomorrow = await timeline({
      from: new Date(at('00:00') + 86_400_000).toISOString(),
      to: new Date(at('00:00') + 2 * 86_400_000).toISOString(),
    });
    expect(tomorrow.flow.planned.some((lps) => lps > 0)).toBe(true);
    const { uid: holdUID } = reply.json<{ uid: string }>();
    kit.pass(60);
    const end = { headers: driver.headers, body: { farmUID: driver.farm.uid, holdUID } };
    expect((await kit.server.call('POST /paddock-hold/end', end)).statusCode).toBe(200);
    expect(await holds()).toEqual([{ ...held, until: kit.clock.now.getTime() }]);
  });

  it('long ago, or at a time that no clock shows, costs nothing', async () => {
    const past = await timeline({ from: '1970-01-01T00:00:00Z', to: '1970-01-02T00:00:00Z' });
    expect(past.seams).toEqual([]);
    const leap = await ask({ from: '2026-11-20T23:59:60Z' });
    expect([leap.statusCode, leap.json<{ field: string }>().field]).toEqual([400, 'from']);
  });

  it('that Headrace did not send is never guessed at', async () => {
    await sendSpring();
    kit.pass(1);
    await driver.reportsSchedule(unit(), { ipcCrc: '12:34' });
    expect(await unitNow()).toMatchObject({ held: 'foreign', turns: [] });
    const { lines, flow } = await timeline();
    expect(lines).toMatchObject([{ units: 2, unknown: 1 }]);
    expect(flow.notIn).toBe(1);
  });

  it('stands beside what is on its way, and what did not reach it', async () => {
    await sendSpring();
    await send(summer);
    await driver.answers('set-2', 'accepted');
    expect(await turns()).toEqual(['unsure 12:00-13:00 onItsWay', 'unsure 13:00-13:45 onItsWay']);
    expect((await unitNow()).turns.map(({ plan }) => plan)).toEqual(['held', 'wanted']);
    await driver.answers('set-2', 'failed', { mac: unit().mac ?? '' });
    await driver.answers('set-2', 'done', { mac: unit(1).mac ?? '' });
    expect(await turns()).toEqual(['will 12:00-13:00', 'wont 13:00-13:45 holdsAnother']);
    expect(await turns(1)).toEqual(['will 13:00-13:45']);
  });

  it('was another one yesterday: what is over is judged by what it held then', async () => {
    await sendSpring();
    kit.clock.now = new Date(at('12:30'));
    await driver.hello();
    await send(summer);
    await driver.answers('set-2', 'done', { mac: unit().mac ?? '' });
    kit.clock.now = new Date(at('18:00'));
    expect(await turns()).toEqual(['notHeard 12:00-13:00', 'notHeard 13:00-13:45']);
  });

  it('is not sure where it was not heard for long, or its clock is off', async () => {
    await sendSpring();
    await jumpTo(at('10:00') + 4 * 86_400_000);
    const from = new Date(kit.clock.now).toISOString();
    const to = new Date(kit.clock.now.getTime() + 86_400_000).toISOString();
    const [line] = (await timeline({ from, to })).lines;
    expect(line?.turns).toMatchObject({ unsure: 2, will: 0 });
  });
});

it('a Valve On is shown as one, until it ends', async () => {
  await sendSpring();
  const on = await driver.command('ValveOn', { mac: unit().mac, payload: { maxOpenMinutes: 30 } });
  await driver.answers(on, 'done');
  expect((await unitNow()).turns[0]).toMatchObject({
    sign: 'said',
    startAt: at('10:00'),
    endAt: at('10:30'),
    isByCommand: true,
    planned: null,
  });
  expect((await timeline()).lines[0]?.open).toMatchObject([
    { name: 'U001', basis: 'answered', until: at('10:30') },
  ]);
});

describe('a line', () => {
  it('says when it is busy, what waters next, and what that draws', async () => {
    await sendSpring();
    const { lines, flow } = await timeline();
    expect(lines).toEqual([
      {
        id: 'North',
        name: 'North',
        units: 2,
        unknown: 0,
        newsLate: 0,
        open: [],
        next: {
          uid: expect.any(String),
          name: 'U001',
          startAt: at('12:00'),
          startMin: 720,
          endAt: at('13:00'),
          sign: 'will',
        },
        turns: { said: 0, believed: 0, will: 2, unsure: 0, wont: 0, notHeard: 0 },
        mixed: null,
        holds: [],
        busy: [{ startAt: at('12:00'), startMin: 720, endAt: at('13:00'), sign: 'will', turns: 2 }],
      },
    ]);
    // Two sprinklers of 4 L/s from 12:00 to 13:00: the 49th to the 52nd quarter of an hour.
    expect(flow.planned.slice(46, 54)).toEqual([0, 0, 8, 8, 8, 8, 0, 0]);
    expect(flow.planned).toHaveLength(96);
    expect(flow.maxLps).toBeNull();
  });

  it('whose gateway is away waters as planned; only that news comes late is said', async () => {
    await sendSpring();
    const before = (await timeline()).lines;
    await db()
      .updateTable('gateway_state')
      .set({ online: false })
      .where('farm_id', '=', driver.farm.id)
      .execute();
    expect((await timeline()).lines).toEqual(before.map((line) => ({ ...line, newsLate: 2 })));
  });

  it('whose sprinklers go by two schedules says so, and which of them would water at once', async () => {
    await sendSpring();
    // 12:30 to 13:15: beside the hour from 12:00 that the other still holds.
    const later = [{ start: 750, duration: 45, cycle: 1 }];
    await send(later);
    await driver.answers('set-2', 'done', { mac: unit(1).mac ?? '' });
    expect((await timeline()).lines.map(({ mixed }) => mixed)).toEqual([
      { newer: 1, older: 1, atOnce: { at: at('12:30'), newer: 'U002', older: 'U001' } },
    ]);
    await driver.answers('set-2', 'done', { mac: unit(0).mac ?? '' });
    expect((await timeline()).lines.map(({ mixed }) => mixed)).toEqual([null]);
  });

  it('draws on the mains that its group hangs on', async () => {
    await sendSpring();
    const { uid } = await db()
      .selectFrom('device_group')
      .select('uid')
      .where('farm_id', '=', driver.farm.id)
      .where('name', '=', 'North')
      .executeTakeFirstOrThrow();
    const put = await kit.server.call('PUT /farm/supply', {
      headers: driver.headers,
      body: {
        farmUID: driver.farm.uid,
        maxLps: null,
        windows: [],
        avoid: [],
        mains: [
          { name: 'River', maxLps: 6, groups: [uid] },
          { name: 'Hill', maxLps: 9, groups: [] },
        ],
        notes: '',
      },
    });
    expect(put.statusCode, put.body).toBe(200);
    const { mains } = (await timeline()).flow;
    expect(
      mains.map(({ name, maxLps, planned }) => [name, maxLps, Math.max(...planned), planned[48]]),
    ).toEqual([
      ['River', 6, 8, 8],
      ['Hill', 9, 0, 0],
    ]);
  });

  it('that isn’t there is not found', async () => {
    await sendSpring();
    expect((await ask({ group: 'South' })).statusCode).toBe(404);
  });
});

describe('a time that was looked at before', () => {
  it('has what is reported late of it, what turns out to have begun earlier, and none that is no more', async () => {
    await sendSpring();
    kit.clock.now = new Date(at('18:00'));
    expect(await turns()).toEqual(['notHeard 12:00-13:00']);
    await driver.reportsValve(unit(), 'open', new Date(at('12:05')));
    expect(await turns()).toEqual(['said 12:05-13:00 endNotHeard']);
    await driver.reportsValve(unit(), 'closed', new Date(at('13:00')));
    await driver.reportsValve(unit(), 'open', new Date(at('12:01')));
    expect(await turns()).toEqual(['said 12:01-13:00']);
    expect((await timeline()).lines[0]?.turns).toMatchObject({ said: 1, notHeard: 1 });
    await db().deleteFrom('watering_run').where('device_id', '=', unit().id).execute();
    expect(await turns()).toEqual(['notHeard 12:00-13:00']);
    expect((await timeline()).lines[0]?.busy).toMatchObject([{ sign: 'notHeard', turns: 2 }]);
  });

  it('has sprinklers by their new names and places, and goes on as time does', async () => {
    await sendSpring();
    const seen = async () => {
      const { lines, flow } = await timeline();
      return [lines[0]?.next?.name ?? null, lines[0]?.turns.believed, Math.max(...flow.planned)];
    };
    expect(await seen()).toEqual(['U001', 0, 8]);
    await db().updateTable('device').set({ name: 'Zoe' }).where('id', '=', unit().id).execute();
    expect(await seen()).toEqual(['U002', 0, 8]);
    kit.clock.now = new Date(at('12:00'));
    expect(await seen()).toEqual([null, 2, 8]);
    const off = JSON.stringify({ outOfService: true });
    await db().updateTable('device').set({ settings: off }).where('id', '=', unit(1).id).execute();
    expect((await timeline()).lines[0]?.turns).toMatchObject({ believed: 1, unsure: 1 });
  });

  it('has the sprinklers of several lines in one call, each with its line', async () => {
    await buildGroup(db(), driver.farm.id, 'North', [unit(0)]);
    await buildGroup(db(), driver.farm.id, 'South, East', [unit(1)]);
    const lines = async (group: string | string[]) =>
      (await timeline({ group })).units.map(({ line, name }) => [line, name]);
    expect(await lines(['South, East', 'North'])).toEqual([
      ['North', 'U001'],
      ['South, East', 'U002'],
    ]);
    // One that is no more keeps nobody from the others.
    expect(await lines(['Gone', 'North'])).toEqual([['North', 'U001']]);
    expect((await ask({ group: ['Gone', 'West'] })).statusCode).toBe(404);
    expect((await ask({ group: Array.from({ length: 21 }, (_, n) => `L${n}`) })).statusCode).toBe(400);
  });
});

describe('what would be', () => {
  it('by a set that nobody holds is told as if all held it', async () => {
    await sendSpring();
    const setUID = await buildScheduleSet(db(), driver.farm.id, [unit(1)], summer);
    const { plan, lines } = await timeline({ setUID });
    expect(plan.of).toBe('set');
    expect(lines.map(({ busy }) => busy.map(({ startMin, turns: count }) => [startMin, count]))).toEqual([
      [[780, 1]],
    ]);
    expect((await ask({ setUID: 'a'.repeat(24) })).statusCode).toBe(404);
  });

  it('by a template is reckoned anew', async () => {
    const groupUid = await buildGroup(db(), driver.farm.id, 'North', driver.units);
    const templateUID = await buildTemplate(db(), driver.farm.id, groupUid);
    kit.clock.now = new Date(at('00:00') - 3_600_000);
    const { plan, lines } = await timeline({ templateUID });
    expect(plan).toEqual({ of: 'template', name: 'Summer' });
    // Nobody was ever heard, so nothing is sure: 00:00 and 00:28.
    expect(
      lines.map(({ id, turns: count, busy }) => [id, count.unsure, busy[0]?.startMin, busy[0]?.turns]),
    ).toEqual([['North', 2, 0, 2]]);
  });
});

describe('what if', () => {
  const tryOut = (changes: object, more: object = {}) =>
    kit.server.call('POST /schedules/preview', {
      headers: driver.headers,
      body: {
        farmUID: driver.farm.uid,
        changes,
        from: new Date(at('00:00')).toISOString(),
        days: 2,
        ...more,
      },
    });
  const tried = async (changes: object) => (await tryOut(changes)).json<SchedulePreview>();

  it('waterings lasted half an hour longer and began an hour later', async () => {
    await sendSpring();
    const { before, after, lines } = await tried({ durationBy: 30, startBy: 60 });
    // Two of 4 L/s for 60 min on two days: 4 × 14,400 L; 0.172409 mm/min.
    expect(before).toEqual({
      peakLps: 8,
      endAt: at('13:00') + 86_400_000,
      litres: 57_600,
      hours: [],
      mm: [{ line: 'North', days: [10.34, 10.34] }],
    });
    expect(after).toMatchObject({ litres: 86_400, endAt: at('14:30') + 86_400_000 });
    expect(lines[0]?.busy[0]).toEqual({ startAt: at('13:00'), endAt: at('14:30'), turns: 2 });
    // Nothing is stored, nothing sent.
    expect(driver.messages('schedules')).toHaveLength(1);
    expect(await turns()).toEqual(['will 12:00-13:00']);
  });

  it('waterings began later, more of the water ran in the hours of the water supply', async () => {
    await sendSpring();
    const put = await kit.server.call('PUT /farm/supply', {
      headers: driver.headers,
      body: {
        farmUID: driver.farm.uid,
        maxLps: null,
        windows: [{ fromMin: 750, toMin: 840, why: 'cheap' }],
        avoid: [],
        notes: '',
      },
    });
    expect(put.statusCode, put.body).toBe(200);
    // From 12:00 for an hour half of it is after 12:30; from 12:30 all of it is.
    const { before, after } = await tried({ startBy: 30 });
    const shares = [before, after].map(({ hours }) => hours.map(({ why, share }) => [why, share]));
    expect(shares).toEqual([[['cheap', 0.5]], [['cheap', 1]]]);
    const none = (await tried({ skipToday: true, hold: { line: 'North', until: '2026-12-20T00:00:00Z' } }))
      .after;
    expect(none.hours[0]?.share).toBeNull();
  });

  it('today were skipped, or a line held until tomorrow afternoon', async () => {
    await sendSpring();
    expect((await tried({ skipToday: true })).after.mm).toEqual([{ line: 'North', days: [0, 10.34] }]);
    const until = new Date(at('13:00') + 86_400_000).toISOString();
    expect((await tried({ hold: { line: 'North', until } })).after).toMatchObject({ litres: 0, endAt: null });
  });

  it('it did not fit, it is refused with what it would take', async () => {
    await sendSpring();
    const reply = await tryOut({ durationBy: 1400 });
    expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
      400,
      'It would take 1460 min, more than the cycle has.',
    ]);
    expect((await tryOut({}, { days: 8 })).statusCode).toBe(400);
  });
});

describe('a time', () => {
  it('is refused where it is too long, or ends before it begins', async () => {
    const from = '2026-11-20T00:00:00Z';
    const tried = async (to: string) => {
      const reply = await ask({ from, to });
      return [reply.statusCode, reply.json<{ field?: string }>().field];
    };
    expect(await tried('2026-11-28T00:00:00Z')).toEqual([200, undefined]);
    expect(await tried('2027-02-20T00:00:00Z')).toEqual([400, 'to']);
    expect(await tried('2026-11-19T00:00:00Z')).toEqual([400, 'to']);
  });

  it('tells a week ahead where the farm’s clock jumps', async () => {
    // 02:00 becomes 03:00 in New Zealand on 26 September 2027, at 14:00 UTC of the day before.
    await jumpTo(Date.parse('2027-09-20T00:00:00Z'));
    const seen = await timeline({ from: '2027-09-20T00:00:00Z', to: '2027-09-21T00:00:00Z' });
    expect(seen.seams).toEqual([
      { at: Date.parse('2027-09-25T14:00:00Z'), fromMin: 120, toMin: 180, peakLps: 0, clocks: null },
    ]);
  });

  it('says that somebody set the farm’s clock after schedules were sent, until they are sent again', async () => {
    await sendSpring();
    const clockSet = async () => (await timeline()).clockSet;
    expect(await clockSet()).toBeNull();
    kit.pass(1);
    const put = await kit.server.call('PUT /farm-timezone', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, dstEnabled: false },
    });
    expect(put.statusCode, put.body).toBe(200);
    expect(await clockSet()).toEqual({
      at: kit.clock.now.getTime(),
      from: 'with daylight saving',
      to: 'without daylight saving',
      units: 2,
    });
    const change = (changes: object) =>
      db().updateTable('device').set(changes).where('id', '=', unit().id).execute();
    const settings = (more: object) => JSON.stringify({ ...(unit().settings as object), ...more });
    for (const [gone, back] of [
      [{ deleted_at: kit.clock.now }, { deleted_at: null }],
      [{ settings: settings({ isSpareUnit: true }) }, { settings: settings({}) }],
      [{ settings: settings({ outOfService: true }) }, { settings: settings({}) }],
    ] as const) {
      await change(gone);
      expect((await clockSet())?.units, JSON.stringify(gone)).toBe(1);
      await change(back);
    }
    kit.pass(1);
    await send(summer);
    expect(await clockSet()).toBeNull();
  });

  it('has a watering once on its day where somebody sets the clock back while it runs, and the diary too', async () => {
    await sendSpring();
    kit.clock.now = new Date(at('12:10'));
    // 12:10 of summer time is 11:10 from now on.
    const put = await kit.server.call('PUT /farm-timezone', {
      headers: driver.headers,
      body: { farmUID: driver.farm.uid, dstEnabled: false },
    });
    expect(put.statusCode, put.body).toBe(200);
    expect(await turns()).toEqual(['believed 12:00-13:00']);
    expect((await timeline()).lines[0]?.open).toMatchObject([
      { name: 'U001', basis: 'planned', until: at('13:00') },
      { name: 'U002', basis: 'planned', until: at('13:00') },
    ]);
    await driver.reportsValve(unit(), 'open', new Date(at('12:05')));
    kit.clock.now = new Date(at('13:05'));
    await driver.reportsValve(unit(), 'closed', new Date(at('13:00')));
    expect(await turns()).toEqual(['said 12:05-13:00']);
    // The next one is by the new clock, at noon of standard time.
    expect(
      (await timeline({ to: new Date(at('00:00') + 2 * 86_400_000).toISOString() })).lines[0]?.next,
    ).toMatchObject({
      startAt: at('13:00') + 86_400_000,
    });
    kit.clock.now = new Date(at('18:00'));
    const diary = await kit.server.call('GET /irr-diary-logs', {
      headers: driver.headers,
      query: { farmUID: driver.farm.uid, start: '21-11-2026', stop: '21-11-2026' },
    });
    const { logs } = diary.json<{
      logs: { sprinkler: string; outcome: string; planned: { start: string } }[];
    }>();
    expect(
      logs.map(({ sprinkler, outcome, planned }) => [sprinkler, outcome, Date.parse(planned.start)]),
    ).toEqual([
      ['U001', 'watered', at('12:00')],
      ['U002', 'not known', at('12:00')],
    ]);
  });

  it('says after the clock jumped which sprinklers took the new time, by what they said since', async () => {
    await jumpTo(Date.parse('2027-09-25T13:00:00Z'));
    await driver.says('ipc', {
      items: driver.units.map(({ mac }) => ({ mac, at: kit.clock.now.toISOString(), clock: 2 })),
    });
    await jumpTo(Date.parse('2027-09-27T00:00:00Z'));
    const clocks = async () =>
      (await timeline({ from: '2027-09-28T00:00:00Z', to: '2027-09-29T00:00:00Z' })).seams.map(
        (seam) => seam.clocks,
      );
    expect(await clocks()).toEqual([{ total: 2, set: 0, off: 0, unheard: 2 }]);
    const says = (index: number, clock: number) =>
      driver.says('ipc', { items: [{ mac: unit(index).mac, at: kit.clock.now.toISOString(), clock }] });
    await says(0, -12);
    await says(1, -3600);
    expect(await clocks()).toEqual([{ total: 2, set: 1, off: 1, unheard: 0 }]);
    await jumpTo(Date.parse('2027-10-04T00:00:00Z'));
    expect(await clocks()).toEqual([]);
  });
});
