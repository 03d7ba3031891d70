import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { presets } from '@headrace/contract/permissions';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { buildAlert, buildRule } from '../../testing/alert-factories.ts';
import { buildAccount, buildFarm, buildGateway, buildShare, buildTank } from '../../testing/factories.ts';
import { farmEntry } from '../../testing/farm-entry.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
let tank: DeviceRow;
const START = Date.parse('2026-11-20T21:00:00Z');
const MINUTE = 60_000;

beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.now = new Date(START);
  // Of the farms of tests before, nothing is looked at.
  await db()
    .updateTable('farm')
    .set({ deleted_at: new Date(START) })
    .execute();
  world = await buildFarmWorld(server);
  tank = await buildTank(server.database.db, world.farm.id, {
    name: 'Trough 4',
    settings: { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 },
  });
});

const db = () => server.database.db;
const at = (minute: number) => new Date(START + minute * MINUTE);
const say = (minute: number, percent: number, device = tank) =>
  world.record(device, [{ at: at(minute).toISOString(), values: { levelMm: percent * 10 } }]);

/** A look at that minute, as the job has it. */
async function look(minute: number): Promise<void> {
  server.clock.now = at(minute);
  server.committed(new Set([world.farm.id]));
  await server.runJob('alerts');
}

const bell = async (headers = world.headers) =>
  (await server.call('GET /notifications', { headers }))
    .json<{ list: { title: string; message: string }[] }>()
    .list.map(({ message }) => message)
    .toReversed();
const incidents = async () =>
  (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json<{
    open: { uid: string; version: number; class: string; message: string; answeredBy: string | null }[];
    ended: { uid: string; version: number; class: string }[];
  }>();
const answerTo = (seen: { uid: string; version: number; class: string } | undefined) => ({
  farmUID: world.farm.uid,
  uid: seen?.uid,
  version: seen?.version,
  class: seen?.class,
});
const rows = () =>
  db().selectFrom('alert_episode').selectAll().where('farm_id', '=', world.farm.id).orderBy('id').execute();
const enter = (over: object = {}) => ({
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

describe('a tank that runs low', () => {
  beforeEach(async () => {
    await buildRule(db(), world.farm.id);
  });

  it('is told once, after its hold, with its value and limit, and told again when it is over', async () => {
    await say(0, 50);
    await look(0);
    expect(await rows()).toEqual([]);
    await say(10, 18);
    await look(10);
    expect(await rows()).toMatchObject([{ state: 'pending', since: at(10) }]);
    expect(await bell()).toEqual([]);
    await say(20, 17);
    await look(25);
    await look(26);
    // Ashburton's clock is 13 h ahead.
    const begun = 'Trough 4 is at 17 %, below 20 % since 10:10. See what fills it, and what draws from it.';
    expect(await bell()).toEqual([begun]);
    await say(40, 22);
    await look(40);
    expect(await rows()).toMatchObject([{ state: 'firing' }]);
    await say(50, 30);
    await look(50);
    expect(await rows()).toMatchObject([{ state: 'clearing' }]);
    await look(65);
    expect(await bell()).toEqual([begun, 'Trough 4: it ended at 10:50 after 40 minutes. Lowest: 17 %.']);
    expect((await incidents()).open).toEqual([]);
    expect((await incidents()).ended).toHaveLength(1);
  });

  it('for less than its hold leaves no trace', async () => {
    await say(0, 18);
    await look(0);
    await say(10, 30);
    await look(10);
    await look(20);
    expect([await rows(), await bell()]).toEqual([[], []]);
  });

  it('and falls silent within the hold is not told: nothing newer is known', async () => {
    await say(-170, 18);
    await look(0);
    expect(await bell()).toHaveLength(1);
    const other = await buildTank(db(), world.farm.id, {
      name: 'Trough 5',
      settings: tank.settings,
    });
    await say(-5, 18, other);
    await look(1);
    await look(200);
    expect(await bell()).toHaveLength(1);
  });

  it('holds across a restart', async () => {
    await say(0, 18);
    await look(0);
    const other = await createTestServer({}, server);
    other.clock.now = at(16);
    await other.runJob('alerts');
    await other.close();
    expect(await bell()).toHaveLength(1);
    await look(17);
    expect(await bell()).toHaveLength(1);
  });

  it('further is urgent, and told anew, also after somebody answered', async () => {
    await say(0, 18);
    await look(0);
    await look(16);
    const [incident] = (await incidents()).open;
    const answer = answerTo(incident);
    expect((await world.send('POST /alert/answer', answer)).json()).toMatchObject({ state: 'answered' });
    await say(30, 9);
    await look(30);
    expect(await bell()).toEqual([
      expect.stringContaining('Trough 4 is at 18 %'),
      expect.stringContaining('It got worse. Trough 4 is at 9 %'),
    ]);
    expect((await incidents()).open).toMatchObject([{ class: 'urgent', answeredBy: null }]);
  });

  it('further than a page shows is not answered nor snoozed by it, and not held by an earlier snooze', async () => {
    await say(0, 18);
    await look(0);
    await look(16);
    const [seen] = (await incidents()).open;
    const snooze = (of: string) => ({
      farmUID: world.farm.uid,
      uid: seen?.uid,
      until: 'tomorrow',
      class: of,
    });
    expect((await world.send('POST /alert/snooze', snooze('important'))).json().state).toBe('snoozed');
    await say(30, 9);
    await look(30);
    const refused = {
      errorMessage: 'It got worse meanwhile and is urgent now. Please see how it is before you answer.',
      field: 'class',
    };
    for (const [key, body] of [
      ['POST /alert/answer', answerTo(seen)],
      ['POST /alert/snooze', snooze('important')],
    ] as const) {
      const reply = await world.send(key, body);
      expect([reply.statusCode, reply.json()]).toEqual([409, expect.objectContaining(refused)]);
    }
    expect((await incidents()).open).toMatchObject([
      { class: 'urgent', answeredBy: null, snoozedUntil: null },
    ]);
    await look(45);
    expect((await bell()).at(-1)).toMatch(/^It is still so, and nobody has answered\./);
    const [now] = (await incidents()).open;
    expect((await world.send('POST /alert/answer', answerTo(now))).json()).toMatchObject({
      state: 'answered',
    });
  });

  it('is not answered nor snoozed by a page from before an update, which asks for its reload', async () => {
    await say(0, 18);
    await look(0);
    await look(16);
    const [{ uid, version } = { uid: '', version: 0 }] = (await incidents()).open;
    const body = { farmUID: world.farm.uid, uid, version, until: 'hour' };
    for (const key of ['POST /alert/answer', 'POST /alert/snooze']) {
      const reply = await world.send(key, body);
      expect([reply.statusCode, reply.json().errorMessage]).toEqual([
        409,
        'Headrace was updated since this page was opened. Please reload it, and answer again.',
      ]);
    }
    expect((await incidents()).open).toMatchObject([{ answeredBy: null, snoozedUntil: null }]);
  });

  it('that comes and goes is told three times, then once as that, and no more', async () => {
    for (let time = 0; time < 6; time += 1) {
      const start = time * 45;
      await say(start, 18);
      await look(start);
      await look(start + 16);
      await say(start + 17, 40);
      await look(start + 17);
      await look(start + 33);
    }
    const told = await bell();
    expect(told.filter((text) => text.startsWith('Trough 4 is at'))).toHaveLength(3);
    expect(told.filter((text) => text.includes('came and went'))).toEqual([
      expect.stringMatching(/^It came and went 4 times within six hours\. Trough 4 is at 18 %[^.]*\. See/),
    ]);
  });

  it('with a level that can not be says nothing', async () => {
    await say(0, -400);
    await look(0);
    await look(20);
    expect([await rows(), await bell()]).toEqual([[], []]);
  });

  it('is told to those who may hear of the farm, and to nobody else', async () => {
    const agent = await buildAccount(db(), { type: 'AGENT' });
    await buildShare(db(), world.farm.id, agent.id);
    const stranger = await buildAccount(db());
    await say(0, 18);
    await look(0);
    await look(16);
    expect(await bell(await server.signIn(agent))).toHaveLength(1);
    expect(await bell(await server.signIn(stranger))).toEqual([]);
  });

  it('stands with those of the person’s other farms, the worst first, and with nobody’s who is not told of it', async () => {
    const named = async (farm: FarmRow) => buildTank(db(), farm.id, { name: `Tank of ${farm.name}` });
    const [two, others, hers] = await Promise.all([
      buildFarm(db(), world.owner.id, { name: 'Two' }),
      buildFarm(db(), (await buildAccount(db())).id, { name: 'Theirs' }),
      buildFarm(db(), (await buildAccount(db())).id, { name: 'Hers' }),
    ]);
    await buildShare(db(), hers.id, world.owner.id, { ...presets.guest, notifications: false });
    for (const farm of [two, others, hers]) await buildAlert(db(), await named(farm));
    const { incidentUid } = await buildAlert(db(), tank);
    await db()
      .updateTable('alert_incident')
      .set({ class: 'urgent' })
      .where('uid', '=', incidentUid)
      .execute();
    const { open } = (await world.get('GET /alerts/open', {})).json<{
      open: { farmUID: string; message: string; devices: { uid: string }[] }[];
    }>();
    expect(open.map(({ farmUID, message }) => [farmUID, message.split('.')[0]])).toEqual([
      [world.farm.uid, 'Trough 4 is at 12 %, below 20 % since 09:00'],
      [two.uid, 'Tank of Two is at 12 %, below 20 % since 09:00'],
    ]);
    expect(open[0]?.devices.map(({ uid }) => uid)).toEqual([tank.uid]);
    expect((await incidents()).open.map(({ message }) => message)).toEqual([open[0]?.message]);
  });

  it('stands beside hundreds of another farm; a farm that has more than are listed is named', async () => {
    const many = await buildFarm(db(), world.owner.id, { name: 'Many' });
    const { incidentUid } = await buildAlert(db(), await buildTank(db(), many.id));
    await sql`insert into alert_incident overriding system value select (jsonb_populate_record(i, jsonb_build_object('id', i.id + n, 'uid', lpad(to_hex(n), 24, '0'),
        'class', 'urgent'))).* from alert_incident i, generate_series(1, 200) n where i.uid = ${incidentUid}`.execute(
      db(),
    );
    await buildAlert(db(), tank);
    const { open, cut } = (await world.get('GET /alerts/open', {})).json<{
      open: { farmUID: string }[];
      cut: string[];
    }>();
    const of = (uid: string) => open.filter(({ farmUID }) => farmUID === uid).length;
    expect([of(many.uid), of(world.farm.uid), cut]).toEqual([200, 1, [many.uid]]);
  });

  it('is on a farm whose alerts nobody hears but in the bell, until one of those who are told takes another way', async () => {
    const mere = await buildAccount(db(), { name: 'Mere', type: 'AGENT' });
    await buildShare(db(), world.farm.id, mere.id, { ...presets.guest, notifications: true });
    const hers = await buildFarm(db(), mere.id, { name: 'Hers' });
    const alone = async (headers = world.headers) =>
      (await server.call('GET /alerts/open', { headers })).json<{ inBellAlone: string[] }>().inBellAlone;
    const mail = (email_confirmed_at: Date | null) =>
      db()
        .updateTable('account')
        .set({ send_email: true, email_confirmed_at })
        .where('id', '=', mere.id)
        .execute();
    await mail(null);
    expect(await alone()).toEqual([world.farm.uid]);
    expect((await alone(await server.signIn(mere))).toSorted()).toEqual(
      [hers.uid, world.farm.uid].toSorted(),
    );
    await mail(at(0));
    expect([await alone(), await alone(await server.signIn(mere))]).toEqual([[], []]);
  });

  it('is in a list that is read to its end, page by page, whatever becomes so meanwhile', async () => {
    const { incidentUid } = await buildAlert(db(), tank);
    const build = (name: string, values: Partial<Record<'opened_at' | 'ended_at' | 'class', unknown>>[]) =>
      sql`insert into alert_incident overriding system value select (jsonb_populate_record(i, v ||
          jsonb_build_object('id', nextval(pg_get_serial_sequence('alert_incident', 'id')), 'uid', left(md5(${name}::text || n), 24)))).* from alert_incident i,
          jsonb_array_elements(${JSON.stringify(values)}::jsonb) with ordinality as of (v, n)
          where i.uid = ${incidentUid}`.execute(db());
    const nth = (count: number) => Array.from({ length: count }, (_none, index) => index);
    await build(
      'open',
      nth(200).map((minute) => ({ opened_at: at(-minute), class: minute % 2 === 0 ? 'urgent' : 'info' })),
    );
    await build(
      'over',
      nth(51).map((day) => ({ opened_at: at(-(day + 1) * 1440), ended_at: at(-day * 1440) })),
    );
    const read = async (query: object) => {
      const reply = await world.get('GET /alert/incidents', { farmUID: world.farm.uid, ...query });
      return reply.json<Awaited<ReturnType<typeof incidents>> & { more: object; count: object }>();
    };
    const first = await read({});
    expect([first.open.length, first.ended.length, first.more, first.count]).toEqual([
      200,
      50,
      { open: true, ended: true },
      { open: 201, ended: 30 },
    ]);
    await build('new', [{ opened_at: at(1), class: 'urgent' }]);
    const more = await read({ state: 'open', before: first.open.at(-1)?.uid });
    expect([more.open.length, more.ended, more.more]).toEqual([1, [], { open: false, ended: false }]);
    const older = await read({ state: 'ended', before: first.ended.at(-1)?.uid });
    expect([older.open, older.ended.length, older.more]).toEqual([[], 1, { open: false, ended: false }]);
    const all = [...first.open, ...more.open].map(({ class: of }) => of);
    expect(all).toEqual([...Array(100).fill('urgent'), 'important', ...Array(100).fill('info')]);
    expect(new Set([...first.open, ...more.open].map(({ uid }) => uid)).size).toBe(201);
    const refused = await world.get('GET /alert/incidents', {
      farmUID: world.farm.uid,
      before: world.farm.uid,
    });
    expect([refused.statusCode, refused.json().errorMessage]).toEqual([
      400,
      expect.stringContaining('state'),
    ]);
  });

  it('is listed with those of its devices of which it is so still, and found by each of them', async () => {
    const { incidentUid } = await buildAlert(db(), tank);
    await sql`insert into alert_episode (farm_id, rule_id, device_id, part, incident_id, state, class, since, fired_at, ended_at, facts)
      select e.farm_id, e.rule_id, e.device_id, n, e.incident_id, 'ended', e.class, e.since - interval '1 hour', e.fired_at, e.since, e.facts
      from alert_episode e join alert_incident i on i.farm_id = e.farm_id and i.id = e.incident_id, generate_series(1, 200) n
      where i.uid = ${incidentUid}`.execute(db());
    const other = await buildTank(db(), world.farm.id, { name: 'Trough 9' });
    const of = async (query: Record<string, string>) =>
      (await world.get('GET /alerts/open', query))
        .json<{ open: { devices: { uid: string; endedAt: string | null }[] }[] }>()
        .open.map(({ devices }) => devices.map(({ uid, endedAt }) => [uid, endedAt]));
    expect(await of({})).toEqual([[[tank.uid, null]]]);
    expect(await of({ deviceUID: tank.uid })).toEqual([[[tank.uid, null]]]);
    expect(await of({ deviceUID: other.uid })).toEqual([]);
    const [all] = (await incidents()).open;
    expect(all).toMatchObject({
      devices: [{ uid: tank.uid, endedAt: null }, ...Array.from({ length: 199 }, () => ({}))],
    });
  });

  it('is answered once: the second hears who was first, and what is over stays over', async () => {
    await say(0, 18);
    await look(0);
    await look(16);
    const [incident] = (await incidents()).open;
    const body = answerTo(incident);
    const agent = await buildAccount(db(), { type: 'AGENT', name: 'Mere' });
    await buildShare(db(), world.farm.id, agent.id);
    const first = await server.call('POST /alert/answer', { headers: await server.signIn(agent), body });
    expect(first.json().text).toBe('Mere is on it (10:16).');
    expect((await world.send('POST /alert/answer', body)).json().text).toBe('Mere is on it (10:16).');
    await say(20, 50);
    await look(20);
    await look(36);
    expect((await world.send('POST /alert/answer', body)).json()).toMatchObject({
      state: 'ended',
      text: 'It ended by itself at 10:20.',
    });
  });

  it('that came and went for the fifth time is on its timeline, and its end is told to nobody', async () => {
    const turn = async (start: number, quiet: number) => {
      await say(start, 18);
      await look(start);
      await look(start + 16);
      await say(start + 17, 40);
      await look(start + 17);
      await look(start + 17 + quiet);
    };
    for (const start of [0, 35, 70]) await turn(start, 16);
    await turn(105, 31);
    const told = await bell();
    expect(told).toHaveLength(8);
    await turn(160, 61);
    expect(await bell()).toEqual(told);
    const [newest] = (await incidents()).ended;
    const query = { farmUID: world.farm.uid, uid: newest?.uid ?? '' };
    const { steps, count } = (await world.get('GET /alert/incident', query)).json<{
      count: number;
      steps: { what: string; told: unknown[] }[];
    }>();
    expect(count).toBe(1);
    expect(steps.map((step) => [step.what, step.told.length])).toEqual([
      ['began', 1],
      ['ended', 1],
      ['comes and goes', 1],
      ['ended', 1],
      ['came again', 0],
      ['ended', 0],
    ]);
  }, 90_000);

  it('and comes back while it was about to be over is still with whom answered then', async () => {
    await say(0, 18);
    await look(0);
    await look(16);
    await say(20, 50);
    await look(20);
    const [incident] = (await incidents()).open;
    await world.send('POST /alert/answer', answerTo(incident));
    expect(await rows()).toMatchObject([{ state: 'clearing', answered_at: at(20) }]);
    await say(25, 18);
    await look(25);
    expect(await rows()).toMatchObject([{ state: 'answered' }]);
  });

  it('and is answered is told to the others who were told, and not to whom answered', async () => {
    const agent = await buildAccount(db(), { type: 'AGENT', name: 'Mere' });
    await buildShare(db(), world.farm.id, agent.id);
    await say(0, 18);
    await look(0);
    await look(16);
    const [incident] = (await incidents()).open;
    const body = answerTo(incident);
    const headers = await server.signIn(agent);
    await server.call('POST /alert/answer', { headers, body });
    expect((await bell()).at(-1)).toMatch(/^Mere is on it \(10:16\)\. Trough 4 is at 18 %/);
    expect(await bell(headers)).toHaveLength(1);
  });

  it('has a timeline that names whom it told', async () => {
    await say(0, 18);
    await look(0);
    await look(16);
    const [incident] = (await incidents()).open;
    const query = { farmUID: world.farm.uid, uid: incident?.uid ?? '' };
    const details = (await world.get('GET /alert/incident', query)).json();
    expect(details.steps).toMatchObject([
      { what: 'began', told: [{ name: world.owner.name, messages: [] }] },
    ]);
    // What the tank said from a day before on, with what its alert says.
    expect(details.chart).toMatchObject({
      uid: tank.uid,
      unit: '%',
      limit: 20,
      end: 25,
      points: [{ at: at(0).toISOString(), value: 18 }],
      marks: [{ since: at(0).toISOString(), firedAt: at(16).toISOString(), endedAt: null }],
      from: at(-1440).toISOString(),
      to: at(16).toISOString(),
    });
  });

  it('ends when its device is deleted', async () => {
    await say(0, 18);
    await look(0);
    await look(16);
    await db()
      .updateTable('device')
      .set({ deleted_at: at(17) })
      .where('id', '=', tank.id)
      .execute();
    await look(18);
    expect((await bell()).at(-1)).toContain('no longer watched');
    const { open, ended } = await incidents();
    const message = 'Trough 4: no longer watched since 10:18, 18 minutes after it began.';
    expect([open, ended]).toEqual([[], [expect.objectContaining({ isUnwatched: true, message })]]);
    // Whoever answers it now isn't told that it ended by itself.
    expect((await world.send('POST /alert/answer', answerTo(ended[0]))).json()).toMatchObject({
      state: 'ended',
      text: message,
    });
  });
});

describe('a gateway', () => {
  it('that is offline for a quarter of an hour is told, and its return too', async () => {
    const gateway = await buildGateway(db(), world.farm.id);
    await db().updateTable('device').set({ name: 'Home shed' }).where('id', '=', gateway.id).execute();
    const state = (online: boolean, minute: number) =>
      db()
        .updateTable('gateway_state')
        .set({ online, state_at: at(minute), contact_at: at(minute) })
        .where('device_id', '=', gateway.id)
        .execute();
    await db()
      .insertInto('gateway_state')
      .values({ farm_id: world.farm.id, device_id: gateway.id, online: true })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await buildRule(db(), world.farm.id, {
      kind: 'OutOfContact',
      name: 'Gateway',
      watch: 'gateway',
      condition: 'longer than',
      value: null,
      hold_min: 0,
    });
    await state(false, 0);
    await look(0);
    await look(14);
    expect(await bell()).toEqual([]);
    await look(16);
    expect(await bell()).toEqual([expect.stringContaining('Gateway Home shed is offline since 10:00.')]);
    await state(true, 20);
    await look(20);
    await look(26);
    expect((await bell()).at(-1)).toBe('Home shed: it ended at 10:20 after 20 minutes.');
  });
});

describe('a switch', () => {
  const build = (condition: string) =>
    buildRule(db(), world.farm.id, {
      kind: 'InputChange',
      name: 'Float',
      condition,
      value: null,
      hold_min: 0,
    });
  const reports = (states: readonly [minute: number, on: number][]) =>
    world.record(
      tank,
      states.map(([minute, on]) => ({ at: at(minute).toISOString(), values: { switch: on } })),
    );

  it('that rose and fell between two looks is told', async () => {
    await build('on');
    await reports([[0, 0]]);
    await look(0);
    await reports([
      [1, 1],
      [2, 0],
    ]);
    await look(3);
    expect(await bell()).toEqual(['Trough 4 went on at 10:01.']);
  });

  it('that is watched for either is told at each change, not for what it is at first', async () => {
    await build('either');
    await reports([[0, 1]]);
    await look(0);
    expect(await bell()).toEqual([]);
    await reports([[5, 0]]);
    await look(5);
    await look(6);
    expect(await bell()).toEqual(['Trough 4 went off at 10:05.']);
  });

  it('that is watched for either is told at each of its changes as what it was, up to a dozen', async () => {
    await build('either');
    await reports([[0, 1]]);
    await look(0);
    for (let change = 1; change <= 14; change += 1) {
      await reports([[change, (change + 1) % 2]]);
      await look(change);
    }
    const told = await bell();
    expect(told.slice(3, 5)).toEqual(['Trough 4 went on at 10:04.', 'Trough 4 went off at 10:05.']);
    expect(told).toHaveLength(12);
    expect(told.at(-1)).toMatch(/^It changed 12 times within six hours;/);
    expect((await incidents()).open).toEqual([]);
  }, 90_000);

  it('that is watched by two servers is told once at each change', async () => {
    await build('either');
    await reports([[0, 0]]);
    await look(0);
    const other = await createTestServer({}, server);
    const lookThere = async (minute: number) => {
      other.clock.now = at(minute);
      other.committed(new Set([world.farm.id]));
      await other.runJob('alerts');
    };
    await lookThere(1);
    await reports([
      [2, 1],
      [3, 0],
    ]);
    await look(4);
    await lookThere(5);
    await other.close();
    expect(await bell()).toHaveLength(1);
    expect(await rows()).toHaveLength(2);
  });
});

describe('an alert', () => {
  it('is added, listed, changed by its version and deleted', async () => {
    const { id } = (await world.send('POST /alert', enter({ deviceIds: [tank.uid] }))).json<{ id: string }>();
    const listed = await world.get('GET /alerts', { farmUID: world.farm.uid });
    expect(listed.json().alerts).toMatchObject([
      { _id: id, name: 'Low', deviceIds: [tank.uid], watches: 1, lastNotifiedAt: null, version: 1 },
    ]);
    const { farmUID: _f, ...body } = enter({ value: 30 });
    const change = (version: number) =>
      server.call('PUT /alert', { headers: world.headers, body: { ...body, _id: id, version } });
    expect((await change(1)).json()).toMatchObject({ value: 30, version: 2 });
    expect([(await change(1)).statusCode, (await change(1)).json().current.version]).toEqual([409, 2]);
    await server.call('DELETE /alert', { headers: world.headers, query: { alertUID: id } });
    expect((await world.get('GET /alert', { alertUID: id })).statusCode).toBe(404);
  });

  it.each([
    ['a value out of range', { value: 120 }, 'value'],
    ['no value', { value: null }, 'value'],
    ['a condition of another kind', { condition: 'on' }, 'condition'],
    ['an end on the wrong side', { clearValue: 10 }, 'clearValue'],
    ['a name of blanks', { name: '  ' }, 'name'],
    ['a device of nobody', { deviceIds: ['0'.repeat(24)] }, 'deviceIds'],
  ])('is refused with %s', async (_name, over, field) => {
    const reply = await world.send('POST /alert', enter(over));
    expect([reply.statusCode, reply.json().field]).toEqual([400, field]);
  });

  it('that watches a device of another farm is refused', async () => {
    const other = await buildTank(db(), (await buildFarmWorld(server)).farm.id);
    expect((await world.send('POST /alert', enter({ deviceIds: [other.uid] }))).statusCode).toBe(400);
  });

  it('that is changed while it is so ends, and is told anew by what it says now', async () => {
    const id = await buildRule(db(), world.farm.id);
    await say(0, 18);
    await look(0);
    await look(16);
    const { farmUID: _f, ...body } = enter({ value: 15 });
    await server.call('PUT /alert', { headers: world.headers, body: { ...body, _id: id } });
    await look(17);
    await look(40);
    expect((await incidents()).open).toEqual([]);
    expect(await bell()).toHaveLength(2);
  });

  it('that another server switched off tells nothing, and is not taken as it was', async () => {
    const id = await buildRule(db(), world.farm.id);
    await look(0);
    await db().updateTable('alert_rule').set({ enabled: false, version: 2 }).where('uid', '=', id).execute();
    await say(-20, 18);
    await look(0.2);
    expect([await rows(), (await incidents()).open]).toEqual([[], []]);
  });

  it('that is gone leaves nothing that is so for ever', async () => {
    const id = await buildRule(db(), world.farm.id);
    await say(0, 18);
    await look(0);
    await look(16);
    await db().deleteFrom('alert_rule').where('uid', '=', id).execute();
    await look(18);
    expect((await incidents()).open).toEqual([]);
    expect((await bell()).at(-1)).toContain('no longer watched');
  });

  it('that is switched off is not looked at', async () => {
    await buildRule(db(), world.farm.id, { enabled: false });
    await say(0, 18);
    await look(0);
    await look(16);
    expect(await rows()).toEqual([]);
  });

  it('of a new farm is one of five that are on', async () => {
    const { farmUID: uid } = (await world.send('POST /farm', farmEntry)).json<{ farmUID: string }>();
    const { alerts } = (await world.get('GET /alerts', { farmUID: uid })).json<{
      alerts: { kind: string; enabled: boolean; watch: string | null }[];
    }>();
    expect(alerts.map(({ kind, enabled }) => [kind, enabled])).toEqual([
      ['OutOfContact', true],
      ['ValveOpen', true],
      ['TankLeak', true],
      ['TankLow', true],
      ['SprinklerError', true],
    ]);
    expect(alerts[0]?.watch).toBe('gateway');
  });
});

it('what is over is forgotten after two years, with its timeline and whom it told; what is so still is not', async () => {
  const { incidentUid: kept } = await buildAlert(db(), tank);
  const { incidentUid: gone } = await buildAlert(db(), await buildTank(db(), world.farm.id));
  const { id } = await db()
    .selectFrom('alert_incident')
    .select('id')
    .where('uid', '=', gone)
    .executeTakeFirstOrThrow();
  const farmId = world.farm.id;
  // More than one statement takes of each.
  await sql`insert into alert_episode (farm_id, rule_id, device_id, part, incident_id, state, class, since, ended_at)
    select farm_id, rule_id, device_id, n, incident_id, 'ended', class, since, since from alert_episode,
      generate_series(1, 5000) n where farm_id = ${farmId} and incident_id = ${id}`.execute(db());
  await sql`with step as (insert into alert_step (farm_id, incident_id, at, what, note)
      select ${farmId}, ${id}, ${at(0)}, 'began', '' from generate_series(1, 5001) returning id)
    insert into alert_notice (farm_id, step_id, account_id) select ${farmId}, id, ${world.owner.id} from step`.execute(
    db(),
  );
  await db().updateTable('alert_episode').set({ state: 'ended' }).where('incident_id', '=', id).execute();
  await db()
    .updateTable('alert_incident')
    .set({ ended_at: at(0) })
    .where('id', '=', id)
    .execute();
  const counts = async () => {
    const { rows: found } = await sql<Record<string, number>>`select
      (select count(*)::int from alert_incident where farm_id = ${farmId}) as incidents,
      (select count(*)::int from alert_episode where farm_id = ${farmId}) as episodes,
      (select count(*)::int from alert_step where farm_id = ${farmId}) as steps,
      (select count(*)::int from alert_notice where farm_id = ${farmId}) as notices`.execute(db());
    return found[0];
  };
  const days = (count: number) => new Date(START + count * 86_400_000);
  server.clock.now = days(730);
  await server.runJob('alerts that are long over');
  expect(await counts()).toEqual({ incidents: 2, episodes: 5002, steps: 5001, notices: 5001 });
  server.clock.now = days(730.01);
  await server.runJob('alerts that are long over');
  expect(await counts()).toEqual({ incidents: 1, episodes: 1, steps: 0, notices: 0 });
  server.clock.now = at(0);
  expect((await incidents()).open.map(({ uid }) => uid)).toEqual([kept]);
});
