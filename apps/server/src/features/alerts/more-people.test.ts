import { presets } from '@headrace/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newUid } from '../../db/ids.ts';
import type { AccountRow, DeviceRow } from '../../db/schema.ts';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildAccount, buildFarm, buildShare, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
let tank: DeviceRow;
let ana: AccountRow;
let mere: AccountRow;
/** 10:00 by the farm’s clock, of another day for each test: a server keeps its rules for half a minute. */
let start = Date.parse('2026-11-20T21:00:00Z');

beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  start += 3 * 86_400_000;
  server.clock.now = at(-60);
  await buildFarmOfTest();
});

async function buildFarmOfTest(): Promise<void> {
  world = await buildFarmWorld(server);
  ana = world.owner;
  mere = await buildAccount(db(), { name: 'Mere', type: 'AGENT' });
  await buildShare(db(), world.farm.id, mere.id, { ...presets.guest, notifications: true });
  for (const { id } of [ana, mere])
    await db()
      .updateTable('account')
      .set({ send_email: true, email_confirmed_at: at(-24 * 60) })
      .where('id', '=', id)
      .execute();
  tank = await buildTank(db(), world.farm.id, {
    name: 'Trough 4',
    settings: { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 },
  });
}

const db = () => server.database.db;
const at = (minute: number) => new Date(start + minute * 60_000);
async function look(minute: number, percent: number | null, of = server): Promise<void> {
  of.clock.now = at(minute);
  if (percent !== null)
    await world.record(tank, [{ at: at(minute).toISOString(), values: { levelMm: percent * 10 } }]);
  of.committed(new Set([world.farm.id]));
  await of.runJob('alerts');
}
const bell = async (account: AccountRow) =>
  (await server.call('GET /notifications', { headers: await server.signIn(account) }))
    .json<{ list: { message: string }[] }>()
    .list.map(({ message }) => message)
    .toReversed();
const sent = (account: AccountRow, way: 'mail' | 'sms' = 'mail') =>
  db()
    .selectFrom('outbox')
    .select(['subject', 'body', 'state'])
    .where('account_id', '=', account.id)
    .where('way', '=', way)
    .orderBy('id')
    .execute();
const open = async () =>
  (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json<{
    open: { uid: string; version: number; class: string; snoozedUntil: string | null }[];
  }>().open[0];
const seen = async () => {
  const { uid, version, class: of } = (await open()) ?? { uid: '', version: 0, class: '' };
  return { uid, version, class: of };
};
const alertFor = (people: number[], minutes: number | null, more: number[] = []) =>
  buildRule(db(), world.farm.id, {
    hold_min: 0,
    people,
    escalate_min: minutes,
    escalate_people: more,
  });
const quietUntil11 = async (account: AccountRow) =>
  server.call('PUT /notification/ways', {
    headers: await server.signIn(account),
    body: {
      quiet: { from: '09:00', to: '11:00', zone: 'Pacific/Auckland' },
      ways: { urgent: ['email'], important: ['email'], info: [] },
    },
  });
const as = async (account: AccountRow, key: string, body: object) =>
  server.call(key, { headers: await server.signIn(account), body: { farmUID: world.farm.uid, ...body } });

describe('an alert that names its people', () => {
  it('is told to them alone, and to the next if nobody answers in time', async () => {
    await alertFor([ana.id], 20, [mere.id]);
    await look(0, 18);
    expect([(await bell(ana)).length, (await bell(mere)).length]).toEqual([1, 0]);
    await look(19, 18);
    expect(await bell(mere)).toEqual([]);
    await look(20, 17);
    await look(21, 17);
    expect((await bell(ana)).length).toBe(1);
    expect(await bell(mere)).toEqual([
      expect.stringMatching(/^Nobody has answered it yet\. Trough 4 is at 17 %/),
    ]);
    expect((await sent(mere)).map(({ state }) => state)).toEqual(['queued']);
    // From then on both are told again, and hear who is on it.
    await look(240, 17);
    expect([(await bell(ana)).length, (await bell(mere)).length]).toEqual([2, 2]);
    await as(mere, 'POST /alert/answer', await seen());
    expect((await bell(ana)).at(-1)).toMatch(/^Mere is on it/);
  });

  it('is told by two servers to the next once', async () => {
    await alertFor([ana.id], 20, [mere.id]);
    await look(0, 18);
    const other = await createTestServer({}, server);
    await Promise.all([look(20, null), look(20, null, other)]);
    await other.close();
    expect(await bell(mere)).toHaveLength(1);
  });

  it('is told to nobody else once somebody answers, or it is over; a snooze puts that off', async () => {
    await alertFor([ana.id], 20, [mere.id]);
    await look(0, 18);
    await as(ana, 'POST /alert/snooze', { ...(await seen()), until: 'hour' });
    await look(30, 18);
    expect(await bell(mere)).toEqual([]);
    await look(61, 18);
    expect(await bell(mere)).toHaveLength(1);
    await as(ana, 'POST /alert/answer', await seen());
    await look(120, 18);
    expect(await bell(mere)).toHaveLength(2);
  });

  it('is told to everybody where none of them is told of the farm any more', async () => {
    await alertFor([mere.id], 20, [mere.id]);
    await db().deleteFrom('share').where('agent_id', '=', mere.id).execute();
    await look(0, 18);
    expect([(await bell(ana)).length, (await bell(mere)).length]).toEqual([1, 0]);
  });

  it('is told once more to those it names next where everybody was told first', async () => {
    await alertFor([], 20, [mere.id]);
    await look(0, 18);
    await look(20, 17);
    expect([(await bell(ana)).length, (await bell(mere)).length]).toEqual([1, 2]);
    expect((await bell(mere)).at(-1)).toMatch(/^Nobody has answered it yet\./);
  });

  it('is told to nobody who refuses that, and the others of the farm hear of the refusal', async () => {
    const rewi = await buildAccount(db(), { name: 'Rewi', type: 'AGENT' });
    await buildShare(db(), world.farm.id, rewi.id, { ...presets.guest, notifications: true });
    const uid = await alertFor([ana.id], 20, [mere.id]);
    const ways = { quiet: null, ways: { urgent: [], important: [], info: [] } };
    const takes = async (escalations: boolean) =>
      server.call('PUT /notification/ways', {
        headers: await server.signIn(mere),
        body: { ...ways, escalations },
      });
    expect((await takes(false)).json()).toMatchObject({ escalations: false, digest: true });
    const refusal = `Mere doesn't take escalations any more: “Tank low” names them for where nobody answers. Whoever else is told of the farm is told instead.`;
    expect(await Promise.all([ana, rewi, mere].map(bell))).toEqual([[refusal], [refusal], []]);
    expect((await world.get('GET /alert/people', { farmUID: world.farm.uid })).json().people).toEqual([
      expect.objectContaining({ name: ana.name, takesEscalations: true }),
      { uid: mere.uid, name: 'Mere', takesEscalations: false },
      { uid: rewi.uid, name: 'Rewi', takesEscalations: true },
    ]);
    await look(0, 18);
    await look(20, 17);
    await look(240, 17);
    const counts = async () => (await Promise.all([ana, rewi, mere].map(bell))).map(({ length }) => length);
    // Told first, and again after four hours; in Mere's place whoever else is told of the farm.
    expect(await counts()).toEqual([3, 3, 0]);
    // What they are told first they are told all the same.
    await db()
      .updateTable('alert_rule')
      .set({ people: [mere.id] })
      .where('uid', '=', uid)
      .execute();
    await takes(false);
    expect(await counts()).toEqual([3, 3, 0]);
    await takes(true);
    expect((await bell(ana)).at(-1)).toMatch(/^Mere takes escalations again: “Tank low” names them/);
  });

  it('is held back for quiet hours from nobody who was told of the farm then, and is not any more', async () => {
    await quietUntil11(mere);
    await alertFor([], null);
    await look(0, 18);
    await db().deleteFrom('share').where('agent_id', '=', mere.id).execute();
    await look(60, 18);
    expect([(await sent(ana)).length, await sent(mere)]).toEqual([1, []]);
  });

  it('whose beginning was held back for quiet hours sends no end', async () => {
    await quietUntil11(mere);
    await alertFor([], null);
    await look(55, 18);
    for (const minute of [58, 60, 64]) await look(minute, 60);
    expect((await bell(mere)).at(-1)).toContain('it ended at 10:58');
    expect([(await sent(ana)).length, await sent(mere)]).toEqual([2, []]);
  });

  it('and was sent after quiet hours sends its end as well', async () => {
    await quietUntil11(mere);
    await alertFor([], null);
    await look(55, 18);
    await look(60, 18);
    for (const minute of [70, 76]) await look(minute, 60);
    expect((await sent(mere)).map(({ subject }) => subject.endsWith('over'))).toEqual([false, true]);
  });

  it('takes people of the farm alone, and gives them back by name', async () => {
    const stranger = await buildAccount(db());
    const body = {
      name: 'Low',
      enabled: true,
      kind: 'TankLow',
      deviceIds: [],
      condition: 'below',
      value: 20,
      holdMinutes: 0,
    };
    expect(await as(ana, 'POST /alert', { ...body, people: [stranger.uid] })).toMatchObject({
      statusCode: 400,
    });
    const escalation = { afterMinutes: 20, people: [mere.uid] };
    const { id } = (await as(ana, 'POST /alert', { ...body, people: [ana.uid], escalation })).json();
    expect((await world.get('GET /alert', { alertUID: id })).json()).toMatchObject({
      people: [ana.uid],
      escalation,
    });
    expect((await world.get('GET /alert/people', { farmUID: world.farm.uid })).json().people).toHaveLength(2);
  });

  it('and is changed in whom it tells goes on as it was', async () => {
    const uid = await alertFor([], null);
    await look(0, 18);
    const alert = (await world.get('GET /alert', { alertUID: uid })).json();
    const { kind, deviceIds, condition, value, holdMinutes } = alert;
    const entry = { kind, deviceIds, condition, value, holdMinutes, enabled: true, name: 'Low water' };
    await as(ana, 'PUT /alert', { ...entry, _id: uid, people: [ana.uid] });
    await look(5, 18);
    expect((await bell(ana)).length).toBe(1);
  });
});

describe('the limit of SMS a day', () => {
  beforeEach(async () => {
    await db()
      .updateTable('account')
      .set({ send_sms: true, send_email: false, mobile: '0211234567', country_code: 64 })
      .where('id', '=', ana.id)
      .execute();
  });
  const count = async () => (await sent(ana, 'sms')).filter(({ state }) => state !== 'cancelled').length;

  /** So many alerts went to her phone today. */
  const hadToday = (had: number) =>
    db()
      .insertInto('outbox')
      .values(
        Array.from({ length: had }, (_none, nth) => ({
          at: at(-60),
          way: 'sms' as const,
          recipient: '+64211234567',
          subject: '',
          body: '',
          state: 'sent' as const,
          sent_at: at(-60),
          account_id: ana.id,
          dedupe_key: `alert x ${nth} ${start}`,
        })),
      )
      .execute();

  it('ends repeats, says so in the last, and what is held back is on the timeline; what is new still goes', async () => {
    await hadToday(8);
    await alertFor([], null);
    await db().updateTable('alert_rule').set({ class: 'urgent' }).execute();
    await look(0, 18);
    await look(15, 17);
    const messages = (await sent(ana, 'sms')).filter(({ body }) => body !== '');
    expect(messages).toHaveLength(2);
    expect(messages[1]?.body).toMatch(
      /More alerts are in the app: only new urgent ones still come by SMS today\. https:\/\/headrace\.test\/a\/[\w-]{22}$/,
    );
    await look(30, 17);
    expect(await count()).toBe(10);
    expect((await bell(ana)).length).toBe(3);
    const { uid } = (await open()) ?? { uid: '' };
    const { steps } = (await world.get('GET /alert/incident', { farmUID: world.farm.uid, uid })).json();
    const mine = steps.at(-1).told.find(({ name }: { name: string }) => name === ana.name);
    expect(mine.messages).toEqual([{ way: 'sms', state: 'held', reason: 'the limit of SMS a day' }]);
    const other = await buildTank(db(), world.farm.id, { name: 'Trough 5', settings: tank.settings });
    await world.record(other, [{ at: at(31).toISOString(), values: { levelMm: 100 } }]);
    await look(31, 17);
    expect(await count()).toBe(11);
  });

  describe('after quiet hours', () => {
    beforeEach(async () => {
      await server.call('PUT /notification/ways', {
        headers: world.headers,
        body: {
          quiet: { from: '09:00', to: '11:00', zone: 'Pacific/Auckland' },
          ways: { urgent: ['sms'], important: ['sms'], info: [] },
        },
      });
      await alertFor([], null);
    });
    const heldBack = async () =>
      (
        await db()
          .selectFrom('alert_notice')
          .select('held_back')
          .where('farm_id', '=', world.farm.id)
          .where('account_id', '=', ana.id)
          .executeTakeFirst()
      )?.held_back;

    it('says in its last of the day that it is, and what went is not held back any more', async () => {
      await hadToday(6);
      await look(0, 18);
      expect(await heldBack()).toBe('quiet hours');
      await look(60, 18);
      expect((await sent(ana, 'sms')).at(-1)?.body).toContain('only urgent ones still come by SMS today.');
      expect(await heldBack()).toBeNull();
    });

    it('holds back what is one too many, and says that', async () => {
      await hadToday(7);
      await look(0, 18);
      await look(60, 18);
      expect(await count()).toBe(7);
      expect(await heldBack()).toBe('the limit of SMS a day');
    });

    it('goes to nobody who is not told of the farm any more', async () => {
      await look(0, 18);
      await db().updateTable('account').set({ approved: false }).where('id', '=', ana.id).execute();
      await look(60, 18);
      expect(await count()).toBe(0);
    });
  });

  it('keeps three for what is urgent', async () => {
    await hadToday(7);
    await alertFor([], null);
    await db()
      .insertInto('alert_preference')
      .values({
        account_id: ana.id,
        quiet_from: null,
        quiet_to: null,
        quiet_zone: null,
        updated_at: at(0),
        ways: JSON.stringify({ urgent: ['sms'], important: ['sms'], info: [] }),
      })
      .execute();
    await look(0, 18);
    expect(await count()).toBe(7);
  });
});

describe('a pause', () => {
  const pause = (alertUID: string | null, until = 'hour') =>
    as(ana, 'POST /alert/pause', { alertUID, until });
  async function resume(alertUID: string | null, minute: number) {
    server.clock.now = at(minute);
    const query = { farmUID: world.farm.uid, ...(alertUID !== null && { alertUID }) };
    await server.call('DELETE /alert/pause', { headers: world.headers, query });
  }

  it('holds back what begins, of one alert or of all; what is still so is told when it ends', async () => {
    const uid = await alertFor([], null);
    expect((await pause(uid)).json()).toMatchObject({ text: expect.stringMatching(/^Paused until/) });
    server.clock.now = at(0);
    expect((await pause(uid)).json()).toEqual({
      until: at(60).toISOString(),
      text: 'Paused until 11:00.',
    });
    expect((await bell(mere)).at(-1)).toBe(`${ana.name} paused “Tank low” until 11:00.`);
    await look(1, 18);
    expect(await sent(ana)).toEqual([]);
    expect((await bell(ana)).at(-1)).toContain('Trough 4 is at 18 %');
    const [listed] = (await world.get('GET /alerts', { farmUID: world.farm.uid })).json().alerts;
    expect(listed.paused).toEqual({ until: at(60).toISOString(), by: ana.name });
    await look(59, 18);
    expect(await sent(ana)).toEqual([]);
    await look(60, 18);
    expect((await sent(ana)).length).toBe(1);
    expect((await bell(ana)).at(-1)).toContain('It is still so, and nobody has answered.');
    expect((await world.get('GET /alerts', { farmUID: world.farm.uid })).json().alerts[0].paused).toBeNull();
  });

  it('of one device holds back what is told of it alone, and nothing of what another is in as well', async () => {
    await alertFor([], null);
    const other = await buildTank(db(), world.farm.id, { name: 'Trough 5', settings: tank.settings });
    const sayOther = (minute: number, percent: number) =>
      world.record(other, [{ at: at(minute).toISOString(), values: { levelMm: percent * 10 } }]);
    server.clock.now = at(0);
    const paused = await as(ana, 'POST /alert/pause', { alertUID: null, deviceUID: tank.uid, until: 'hour' });
    expect(paused.json()).toEqual({ until: at(60).toISOString(), text: 'Paused until 11:00.' });
    expect((await bell(mere)).at(-1)).toBe(`${ana.name} paused “All alerts of Trough 4” until 11:00.`);
    expect((await world.get('GET /alerts', { farmUID: world.farm.uid })).json().pausedDevices).toEqual([
      { uid: tank.uid, name: 'Trough 4', until: at(60).toISOString(), by: ana.name },
    ]);
    await look(1, 18);
    expect(await sent(ana)).toEqual([]);
    await sayOther(2, 18);
    await look(2, 18);
    expect((await sent(ana)).map(({ body }) => /Trough \d/.exec(body)?.[0])).toEqual(['Trough 5']);
    await look(59, 18);
    expect(await sent(ana)).toHaveLength(1);
    await look(60, 18);
    expect((await sent(ana)).map(({ body }) => /Trough \d/.exec(body)?.[0])).toEqual([
      'Trough 5',
      'Trough 4',
    ]);
  });

  it('is of an alert or of a device of the farm, and of nothing else', async () => {
    const alertUID = await alertFor([], null);
    const theirs = await buildTank(db(), (await buildFarm(db(), (await buildAccount(db())).id)).id);
    const of = async (what: object) =>
      (await as(ana, 'POST /alert/pause', { alertUID: null, until: 'hour', ...what })).statusCode;
    expect(await of({ deviceUID: theirs.uid })).toBe(404);
    expect(await of({ alertUID, deviceUID: tank.uid })).toBe(400);
    expect(await of({ deviceUID: tank.uid })).toBe(200);
  });

  it('of the farm tells even what is only for information, once it is over', async () => {
    await alertFor([], null);
    await db().updateTable('alert_rule').set({ class: 'info' }).execute();
    await db()
      .insertInto('alert_preference')
      .values({
        account_id: ana.id,
        quiet_from: null,
        quiet_to: null,
        quiet_zone: null,
        updated_at: at(0),
        ways: JSON.stringify({ urgent: [], important: [], info: ['email'] }),
      })
      .execute();
    server.clock.now = at(0);
    await pause(null);
    await look(1, 18);
    await look(60, 18);
    await look(400, 18);
    expect((await sent(ana)).length).toBe(1);
  });

  describe('in which much begins at once', () => {
    const flood = async (minute: number) => {
      for (let nth = 0; nth < 12; nth += 1) await alertFor([], null);
      await look(minute, 18);
    };
    const held = async () =>
      (
        await db()
          .selectFrom('alert_flood')
          .select('held_for')
          .where('farm_id', '=', world.farm.id)
          .executeTakeFirst()
      )?.held_for;
    /** Of another farm: its alert may be over. */
    async function buildWaitingFlood(): Promise<void> {
      const farm = await buildFarm(db(), ana.id);
      await db()
        .insertInto('alert_flood')
        .values({ farm_id: farm.id, since: at(0), held_for: [ana.id], held_since: at(-1) })
        .execute();
      await db()
        .insertInto('alert_incident')
        .values({
          farm_id: farm.id,
          uid: newUid(),
          rule_id: 1,
          rule_name: 'Tank low',
          kind: 'TankLow',
          class: 'important',
          opened_at: at(1),
          ended_at: null,
          answered_by: null,
          answered_at: null,
        })
        .execute();
    }
    const FLOOD = '12 alerts began within 10 minutes: 12 tank low.';

    it('says it in the bell alone, and when it is over once how many are still so', async () => {
      server.clock.now = at(0);
      await pause(null);
      await flood(1);
      expect((await bell(ana)).at(-1)).toContain(FLOOD);
      // Of twelve incidents, one message.
      const lately = (await world.get('GET /alert/lately', { farmUID: world.farm.uid })).json();
      expect([lately.incidents, lately.days.at(-1).told]).toEqual([12, 1]);
      await look(59, 18);
      expect([await sent(ana), await sent(mere)]).toEqual([[], []]);
      await look(60, 18);
      await look(61, 18);
      for (const person of [ana, mere])
        expect(await sent(person)).toMatchObject([
          {
            body: expect.stringContaining('12 of the alerts that began at once are still so, and nobody has'),
          },
        ]);
      expect(await bell(ana)).toHaveLength(1);
    });

    it('says no more of it when it is over by then', async () => {
      server.clock.now = at(0);
      await pause(null);
      await flood(1);
      for (const minute of [20, 26, 60, 90]) await look(minute, 60);
      expect(await sent(ana)).toEqual([]);
    });

    it('tells it where one of them is not paused', async () => {
      const uid = await alertFor([], null);
      server.clock.now = at(0);
      await pause(uid, 'tomorrow');
      await flood(1);
      expect((await sent(ana)).map(({ body }) => body.includes('13 alerts began'))).toEqual([true]);
    });

    it('is told to whom it is quiet when their night is over', async () => {
      await quietUntil11(mere);
      await flood(1);
      expect([(await sent(ana)).length, await sent(mere)]).toEqual([1, []]);
      expect((await bell(mere)).at(-1)).toContain(FLOOD);
      await look(60, 18);
      await look(62, 18);
      expect(await sent(mere)).toMatchObject([{ body: expect.stringContaining('12 of the alerts') }]);
      expect(await sent(ana)).toHaveLength(1);
    });

    const STILL = 'of the alerts that began at once are still so';

    it('tells later what was about to be over and came back, and nobody twice', async () => {
      server.clock.now = at(0);
      await pause(null);
      for (let nth = 0; nth < 9; nth += 1) await alertFor([], null);
      for (let nth = 0; nth < 3; nth += 1) await buildRule(db(), world.farm.id, { hold_min: 0, value: 12 });
      await look(1, 10);
      await look(58, 18);
      await look(60, 18);
      expect(await sent(ana)).toMatchObject([{ body: expect.stringContaining(`9 ${STILL}`) }]);
      await look(62, 10);
      // What comes and goes is not a message each time.
      expect(await sent(ana)).toHaveLength(1);
      await look(70, 10);
      await look(90, 10);
      for (const person of [ana, mere])
        expect((await sent(person)).slice(1)).toMatchObject([
          { body: expect.stringContaining(`3 more ${STILL}`) },
        ]);
      expect(await held()).toEqual([]);
    });

    it('tells what one alert holds back longer when that is over', async () => {
      const uid = await alertFor([], null);
      server.clock.now = at(0);
      await pause(null);
      await pause(uid, 'tomorrow');
      await flood(1);
      await look(60, 18);
      await look(120, 18);
      expect(await sent(ana)).toMatchObject([{ body: expect.stringContaining(`12 ${STILL}`) }]);
      expect(await held()).toEqual([ana.id, mere.id]);
      await look(33 * 60, 18);
      expect((await sent(ana)).slice(1)).toMatchObject([
        { body: expect.stringContaining(`1 more ${STILL}`) },
      ]);
      expect(await held()).toEqual([]);
    });

    it('does not count what begins later and is told by itself', async () => {
      const uid = await alertFor([], null);
      server.clock.now = at(0);
      await pause(null);
      await pause(uid, 'tomorrow');
      await flood(1);
      await look(60, 18);
      await alertFor([], null);
      await look(120, 18);
      await look(140, 18);
      expect((await sent(ana)).map(({ body }) => body)).toEqual([
        expect.stringContaining(`12 ${STILL}`),
        expect.stringContaining('Trough 4 is at 18 %'),
      ]);
    });

    it('is told on the 51st farm too, while 50 others wait', async () => {
      for (let nth = 0; nth < 50; nth += 1) await buildWaitingFlood();
      await buildFarmOfTest();
      server.clock.now = at(0);
      await pause(null);
      await flood(1);
      await look(60, 18);
      expect(await sent(ana)).toMatchObject([{ body: expect.stringContaining(`12 ${STILL}`) }]);
      await db().deleteFrom('alert_flood').execute();
    });
  });

  it('that is ended early tells what it held back at once', async () => {
    const uid = await alertFor([], null);
    server.clock.now = at(0);
    await pause(uid, 'tomorrow');
    await look(1, 18);
    await resume(uid, 10);
    await look(11, 18);
    expect((await sent(ana)).length).toBe(1);
  });

  it('that is made shorter is over then', async () => {
    const uid = await alertFor([], null);
    server.clock.now = at(0);
    await pause(uid, 'tomorrow');
    await look(1, 18);
    server.clock.now = at(10);
    await pause(uid, 'hour');
    expect((await open())?.snoozedUntil).toBe(at(70).toISOString());
    await look(69, 18);
    expect(await sent(ana)).toEqual([]);
    await look(70, 18);
    expect(await sent(ana)).toHaveLength(1);
  });

  it('that is ended early lets more people be told', async () => {
    const uid = await alertFor([ana.id], 20, [mere.id]);
    await look(0, 18);
    await pause(uid, 'tomorrow');
    await look(25, 18);
    expect(await sent(mere)).toEqual([]);
    await resume(uid, 30);
    await look(31, 18);
    expect(await sent(mere)).toHaveLength(1);
  });

  it('gives who is told first after it the time to answer before more people are told', async () => {
    const uid = await alertFor([ana.id], 20, [mere.id]);
    server.clock.now = at(0);
    await pause(uid);
    await look(1, 18);
    for (const minute of [60, 79]) await look(minute, 18);
    expect([(await sent(ana)).length, (await sent(mere)).length]).toEqual([1, 0]);
    await look(80, 18);
    expect([(await sent(ana)).length, (await sent(mere)).length]).toEqual([1, 1]);
  });

  it('that is ended leaves the other pause, and what somebody snoozed, as they are', async () => {
    const uid = await alertFor([], null);
    await db().updateTable('alert_rule').set({ class: 'urgent' }).execute();
    server.clock.now = at(0);
    await pause(uid, 'tomorrow');
    await pause(null, 'tomorrow');
    await look(1, 18);
    await resume(null, 20);
    await look(21, 18);
    expect(await sent(ana)).toEqual([]);
    await as(ana, 'POST /alert/snooze', { ...(await seen()), until: 'hour' });
    await resume(uid, 30);
    await look(31, 18);
    expect([await sent(ana), (await open())?.snoozedUntil]).toEqual([[], at(81).toISOString()]);
    await look(81, 18);
    expect(await sent(ana)).toHaveLength(1);
  });

  it('sends no end of what began in it', async () => {
    const uid = await alertFor([], null);
    server.clock.now = at(0);
    await pause(uid);
    await look(1, 18);
    for (const minute of [10, 16]) await look(minute, 60);
    expect((await bell(ana)).at(-1)).toContain('it ended at 10:10');
    expect(await sent(ana)).toEqual([]);
  });

  it('tells nothing afterwards of what was told with much else at once', async () => {
    for (let rule = 0; rule < 11; rule++) await alertFor([], null);
    server.clock.now = at(0);
    await pause(null);
    await look(1, 18);
    await look(61, 18);
    expect((await sent(ana)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('11 alerts at once'),
    ]);
  });

  it('holds back nothing of what is over in it, and no end of what was told before', async () => {
    const uid = await alertFor([], null);
    await look(0, 18);
    await pause(uid);
    await look(10, 60);
    await look(16, 60);
    expect((await sent(ana)).map(({ subject }) => subject.endsWith('over'))).toContain(true);
  });
});

describe('the digest', () => {
  const digests = async (account = ana) =>
    (await sent(account)).filter(({ subject }) => subject.includes(': alerts, '));
  const morning = async (minute: number, of = server) => {
    of.clock.now = at(minute);
    await of.runJob('alert digests');
  };

  it('comes at 06:30 by the farm’s clock, once, by mail, where there was anything', async () => {
    await morning(20.5 * 60);
    expect(await digests()).toEqual([]);
    await alertFor([], null);
    await look(0, 18);
    await look(10, 60);
    await look(16, 60);
    await look(60, 17);
    await morning(20.5 * 60 - 1);
    expect(await digests()).toEqual([]);
    const other = await createTestServer({}, server);
    await Promise.all([morning(20.5 * 60), morning(20.5 * 60, other)]);
    await other.close();
    await morning(20.5 * 60 + 5);
    const [digest, ...more] = await digests();
    expect(more).toEqual([]);
    expect(digest?.subject).toMatch(/: alerts, 1 open, 1 over$/);
    expect(digest?.body).toContain('Open now:\n- Tank low: Trough 4, since 11:00, nobody has answered');
    expect(digest?.body).toContain('Over since yesterday:\n- Tank low: Trough 4, 10:00 to 10:10');
    expect(await digests(mere)).toHaveLength(1);
  });

  it('says what was held back, and goes to nobody who switched it off', async () => {
    await server.call('PUT /notification/ways', {
      headers: world.headers,
      body: {
        quiet: { from: '09:00', to: '11:00', zone: 'Pacific/Auckland' },
        ways: { urgent: ['email'], important: ['email'], info: [] },
      },
    });
    await server.call('PUT /notification/ways', {
      headers: await server.signIn(mere),
      body: { quiet: null, ways: { urgent: [], important: [], info: [] }, digest: false },
    });
    await alertFor([], null);
    await look(0, 18);
    await morning(20.5 * 60);
    expect((await digests())[0]?.body).toContain('Told in the bell alone:\n- 1 because of your quiet hours');
    expect(await digests(mere)).toEqual([]);
  });

  it('waits for who is still asleep, and comes to each once', async () => {
    await server.call('PUT /notification/ways', {
      headers: world.headers,
      body: {
        quiet: { from: '22:00', to: '07:30', zone: 'Pacific/Auckland' },
        ways: { urgent: ['email'], important: ['email'], info: [] },
      },
    });
    await alertFor([], null);
    await look(0, 18);
    await morning(20.5 * 60);
    expect([(await digests()).length, (await digests(mere)).length]).toEqual([0, 1]);
    await morning(21 * 60);
    expect(await digests()).toEqual([]);
    for (const minute of [21.5 * 60, 21.6 * 60, 23 * 60]) await morning(minute);
    expect([(await digests()).length, (await digests(mere)).length]).toEqual([1, 1]);
  });

  it('has what came late and was over by then, which is told to nobody else', async () => {
    await alertFor([], null);
    server.clock.now = at(60);
    const record = (minutes: readonly (readonly [number, number])[]) =>
      world.record(
        tank,
        minutes.map(([minute, percent]) => ({
          at: at(minute).toISOString(),
          values: { levelMm: percent * 10 },
        })),
      );
    await record([[60, 50]]);
    await record([
      [0, 50],
      [15, 18],
      [30, 17],
      [45, 50],
    ]);
    await look(61, 50);
    expect(await bell(ana)).toEqual([]);
    await morning(20.5 * 60);
    const other = await createTestServer({}, server);
    await morning(20.5 * 60 + 5, other);
    await other.close();
    expect((await digests()).map(({ body }) => body)).toEqual([
      expect.stringContaining(
        'Over since yesterday:\n- Tank low: Trough 4, 10:15 to 10:45, seen late: nobody was told',
      ),
    ]);
    expect(await bell(ana)).toEqual([]);
    const { ended } = (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json();
    expect(ended).toMatchObject([
      {
        message:
          'Trough 4: it ended at 10:45 after 30 minutes. Lowest: 17 %. Seen late, by 06:30: what says so was not there in time, and nobody was told.',
        seenLateAt: at(20.5 * 60).toISOString(),
      },
    ]);
    // One that was told is not told as seen late the next morning.
    await look(22 * 60, 18);
    await look(22.5 * 60, 50);
    await look(23 * 60, 50);
    await morning(44.5 * 60);
    expect((await digests())[1]?.body).not.toContain('seen late');
  });

  it('is not sent of what has been known for days', async () => {
    await alertFor([], null);
    await db().updateTable('alert_rule').set({ class: 'info' }).execute();
    await look(0, 18);
    await morning(20.5 * 60);
    await morning(44.5 * 60);
    await morning(68.5 * 60);
    expect(await digests()).toHaveLength(1);
  });
});

it('an edit of an alert’s name hides no failed command; one that was off tells of none from before', async () => {
  const uid = await buildRule(db(), world.farm.id, {
    kind: 'CommandFailed',
    name: 'Failed',
    condition: 'any',
    value: null,
    hold_min: 0,
    on_since: at(-600),
  });
  server.clock.now = at(0);
  const alert = (await world.get('GET /alert', { alertUID: uid })).json();
  const { kind, deviceIds, condition, value, holdMinutes } = alert;
  const edit = (over: object) =>
    as(ana, 'PUT /alert', { _id: uid, kind, deviceIds, condition, value, holdMinutes, ...over });
  expect((await edit({ enabled: true, name: 'Commands' })).statusCode).toBe(200);
  const row = () =>
    db().selectFrom('alert_rule').select('on_since').where('uid', '=', uid).executeTakeFirstOrThrow();
  expect((await row()).on_since).toEqual(at(-600));
  for (const enabled of [false, true])
    expect((await edit({ enabled, name: 'Commands' })).statusCode).toBe(200);
  expect((await row()).on_since).toEqual(at(0));
});
