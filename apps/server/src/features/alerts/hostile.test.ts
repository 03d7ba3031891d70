import { presets } from '@headrace/contract/permissions';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountRow, DeviceRow } from '../../db/schema.ts';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildAccount, buildFarm, buildGateway, buildShare, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { buildSprinkler } from '../../testing/irrigation-factories.ts';
import { lockRules } from './alert-rules.repo.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

/** What devices, people and numbers do to alerts that nobody meant to. The pure parts have their own tables. */
let server: TestServer;
let world: FarmWorld;
let tank: DeviceRow;
/** Midday at the farm, in summer; another day for each test: a server keeps its rules for half a minute. */
const FIRST = Date.parse('2026-11-20T23:00:00Z');
let start = FIRST;
let nth = 0;
const settings = { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 };

beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
  server.clock.now = at(-1440);
  await server.runJob('alerts');
});
afterAll(() => server.close());
beforeEach(async () => {
  nth += 1;
  start = FIRST + (nth % 5) * 14 * 86_400_000;
  server.clock.now = at(-60);
  // What one test left would be over in the next one's looks.
  for (const table of ['alert_episode', 'alert_incident', 'alert_rule'] as const)
    await db().deleteFrom(table).execute();
  world = await buildFarmWorld(server);
  tank = await buildTank(db(), world.farm.id, { name: 'Trough 4', settings });
});

const db = () => server.database.db;
const at = (minute: number) => new Date(start + minute * 60_000);
const say = (levels: readonly (readonly [minute: number, mm: number | null])[]) =>
  world.record(
    tank,
    levels.map(([minute, levelMm]) => ({ at: at(minute).toISOString(), values: { levelMm } })),
  );
async function look(...minutes: number[]): Promise<void> {
  for (const minute of minutes) {
    server.clock.now = at(minute);
    server.committed(new Set([world.farm.id]));
    await server.runJob('alerts');
  }
}
const bell = async (account = world.owner) =>
  (await server.call('GET /notifications', { headers: await server.signIn(account) }))
    .json<{ list: { message: string }[] }>()
    .list.map(({ message }) => message)
    .toReversed();
const lowTank = (values: Parameters<typeof buildRule>[2] = {}) =>
  buildRule(db(), world.farm.id, { hold_min: 0, ...values });

describe('the words of a tank', () => {
  it.each<[string, () => Promise<void>]>([
    ['none that can be', () => say([[0, null]])],
    ['one below its bottom', () => say([[0, -400]])],
    ['equal to the limit, which is not below it', () => say([[0, 200]])],
    ['over its rim', () => say([[0, 1010]])],
    [
      'low an hour ago, said after a newer one',
      async () => {
        await say([[0, 600]]);
        await say([[-60, 50]]);
      },
    ],
    [
      'of a whole day at once, low in between',
      () =>
        say(
          Array.from({ length: 24 }, (_none, hour) => [hour * 60 - 1380, hour > 8 && hour < 16 ? 50 : 700]),
        ),
    ],
  ])('%s tell nothing', async (_name, words) => {
    await lowTank();
    await words();
    await look(0, 1, 20);
    expect(await bell()).toEqual([]);
  });

  it('said again and again tell it once', async () => {
    await lowTank();
    for (const minute of [0, 1, 2]) {
      await say([[0, 180]]);
      await look(minute);
    }
    expect(await bell()).toHaveLength(1);
  });

  it('whose volume nobody entered are told by its level', async () => {
    const { volume: _none, ...shape } = settings;
    await db()
      .updateTable('device')
      .set({ settings: JSON.stringify(shape) })
      .where('id', '=', tank.id)
      .execute();
    await lowTank();
    await say([[0, 180]]);
    await look(0);
    expect(await bell()).toEqual([expect.stringContaining('Trough 4 is at 18 %')]);
  });

  it('by a clock that is ten minutes ahead tell it since now', async () => {
    await lowTank();
    await say([[10, 180]]);
    await look(0);
    expect(await bell()).toEqual([expect.stringContaining('below 20 % since 12:00')]);
  });

  it('hold on while the farm gets another clock, and are told by that', async () => {
    await lowTank({ hold_min: 15 });
    await say([[0, 180]]);
    await look(0);
    await db()
      .updateTable('farm')
      .set({ time_zone_id: 'Australia/Perth', raw_offset: 28_800, dst_offset: 0, dst_enabled: false })
      .where('id', '=', world.farm.id)
      .execute();
    await look(14, 15, 16);
    expect(await bell()).toEqual([expect.stringContaining('since 07:00')]);
  });
});

describe('many at once', () => {
  let gateway: DeviceRow;
  beforeEach(async () => {
    gateway = await buildGateway(db(), world.farm.id);
    await db()
      .insertInto('gateway_state')
      .values({ farm_id: world.farm.id, device_id: gateway.id, online: true })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await isOnline(true, -600);
  });
  const isOnline = (online: boolean, minute: number) =>
    db()
      .updateTable('gateway_state')
      .set({ online, state_at: at(minute), contact_at: at(minute) })
      .where('device_id', '=', gateway.id)
      .execute();
  /** Sprinklers whose charge is 80 %, said at that minute. */
  const buildUnits = async (count: number, minute: number) => {
    await sql`with made as (
        insert into device (farm_id, uid, kind, name, mac, serial_number, gateway_id)
        select ${world.farm.id}, substr(md5(${world.farm.uid} || n), 1, 24), 'sprinkler', 'A' || n,
          upper(substr(md5(${world.farm.uid} || n), 1, 16)), 'S' || n, ${gateway.id} from generate_series(1, ${count}::int) n
        returning farm_id, id),
      kept as (insert into series (farm_id, device_id, metric) select farm_id, id, 'charge' from made returning farm_id, id)
      insert into latest (farm_id, series_id, at, value) select farm_id, id, ${at(minute)}, 80 from kept`.execute(
      db(),
    );
    await sql`analyze device, series, latest`.execute(db());
  };
  const charge = (from: number, to: number, percent: number, minute: number) =>
    sql`update latest l set at = ${at(minute)}, value = ${percent} from series s
      join device d on d.farm_id = s.farm_id and d.id = s.device_id
      where l.farm_id = ${world.farm.id} and s.farm_id = l.farm_id and s.id = l.series_id
        and d.kind = 'sprinkler' and substr(d.name, 2)::int between ${from} and ${to}`.execute(db());
  const silence = (watch: 'gateway' | 'sprinkler', value: number | null = null) =>
    lowTank({ kind: 'OutOfContact', watch, condition: 'longer than', value });

  it('that lose their gateway for three minutes are told by nobody', async () => {
    await silence('gateway');
    await silence('sprinkler', 60);
    await buildUnits(1000, 0);
    await isOnline(false, 1);
    await look(1, 3);
    await isOnline(true, 4);
    await look(4, 20);
    expect(await bell()).toEqual([]);
  });

  it('a gateway that goes for two minutes again and again is told by nobody', async () => {
    await silence('gateway');
    for (let minute = 0; minute < 60; minute += 4) {
      await isOnline(false, minute);
      await look(minute + 1);
      await isOnline(true, minute + 2);
      await look(minute + 3);
    }
    expect(await bell()).toEqual([]);
  });

  it('a gateway that goes for twenty minutes again and again is told as that from the fourth time on', async () => {
    await silence('gateway');
    for (let time = 0; time < 6; time += 1) {
      const minute = time * 50;
      await isOnline(false, minute);
      await look(minute, minute + 16);
      await isOnline(true, minute + 20);
      await look(minute + 20, minute + 26, minute + 49);
    }
    const told = await bell();
    expect(told.filter((text) => text.includes('is offline since'))).toHaveLength(4);
    expect(told.filter((text) => text.startsWith('It came and went 4 times'))).toHaveLength(1);
  });

  it('batteries that get low in a week are one message and one line of the digest a day', async () => {
    await lowTank({ kind: 'LowBattery', watch: 'sprinkler' });
    await buildUnits(70, 0);
    await db()
      .updateTable('account')
      .set({ send_email: true, email_confirmed_at: at(-60) })
      .execute();
    for (let day = 0; day < 7; day += 1)
      for (const part of [0, 1]) {
        const first = day * 10 + part * 5 + 1;
        const minute = day * 1440 + part * 60;
        await charge(first, first + 4, 12, minute);
        await look(minute + 1);
      }
    expect(await bell()).toHaveLength(7);
    // 06:30 of the next morning.
    server.clock.now = at(7 * 1440 - 5.5 * 60);
    await server.runJob('alert digests');
    const digest = await db()
      .selectFrom('outbox')
      .select('body')
      .where('account_id', '=', world.owner.id)
      .where('dedupe_key', 'like', 'alert digest%')
      .execute();
    expect(digest.map(({ body }) => body.match(/Low battery/g)?.length)).toEqual([7]);
  });

  const errorRule = () =>
    lowTank({ kind: 'SprinklerError', watch: null, condition: 'battery', value: null, hold_min: 60 });
  const openCounts = async () =>
    (await world.get('GET /alert/incidents', { farmUID: world.farm.uid }))
      .json<{ open: { count: number }[] }>()
      .open.map(({ count }) => count);

  /** Each for an hour, from its minute. */
  const lowCharges = async (...minutes: number[]) => {
    await errorRule();
    await buildUnits(7, -60);
    for (const [nth, minute] of minutes.entries()) await charge(nth + 1, nth + 1, 8, minute);
    await look(20);
  };

  it('errors that come one after the other are told together each half an hour, and told again as one', async () => {
    await lowCharges(0, 3, 6, 9, 12);
    await look(60, 63, 66, 69, 72, 89);
    expect(await bell()).toEqual([expect.stringMatching(/^A1: The battery charge is very low!/)]);
    await look(90);
    expect((await bell()).slice(1)).toEqual([
      expect.stringMatching(/^More have an error\. A1, A2, A3 and 2 more: The battery charge is very low!/),
    ]);
    // Long after people were told: with the next turn.
    await charge(6, 6, 8, 100);
    await look(130, 160, 161);
    expect((await bell()).slice(2)).toEqual([expect.stringMatching(/^More have an error\. .* and 3 more:/)]);
    expect(await openCounts()).toEqual([6]);
    // Four hours after that.
    await look(399, 402);
    expect((await bell()).slice(3)).toEqual([
      expect.stringMatching(/^It is still so, and nobody has answered\. /),
    ]);
    // Later than four hours after the first.
    await charge(7, 7, 8, 410);
    await look(440, 470);
    expect((await bell()).slice(4)).toEqual([expect.stringMatching(/^A7: /)]);
    expect((await openCounts()).toSorted((one, other) => one - other)).toEqual([1, 6]);
  });

  it.each(['answered', 'snoozed'])('an error that follows one that is %s is told by itself', async (what) => {
    await lowCharges(0, 5);
    await look(60);
    await db()
      .updateTable('alert_incident')
      .set(
        what === 'answered'
          ? { answered_by: world.owner.id, answered_at: at(61) }
          : { snoozed_by: world.owner.id, snoozed_until: at(240) },
      )
      .execute();
    await look(65);
    expect((await bell()).slice(1)).toEqual([expect.stringMatching(/^A2: /)]);
  });

  it('an error that somebody made urgent waits for no other', async () => {
    await lowCharges(0, 5);
    await db().updateTable('alert_rule').set({ class: 'urgent' }).execute();
    await look(60, 65);
    expect(await bell()).toEqual([expect.stringMatching(/^A1: /), expect.stringMatching(/^A2: /)]);
  });

  it('two hundred alerts on one tank are one message', async () => {
    for (let nth = 0; nth < 200; nth += 1) await lowTank();
    await say([[0, 180]]);
    await look(0, 1);
    expect(await bell()).toEqual([expect.stringMatching(/^200 alerts began within 10 minutes/)]);
  });

  it('five thousand that fall silent are one message, which names three', async () => {
    await silence('sprinkler', 60);
    await isOnline(true, 119);
    await buildUnits(5000, 0);
    await look(120);
    const told = await bell();
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/A\d+.*4997 more/);
  });
});

describe('people', () => {
  let mere: AccountRow;
  beforeEach(async () => {
    mere = await buildAccount(db(), { name: 'Mere', type: 'AGENT' });
    await buildShare(db(), world.farm.id, mere.id, { ...presets.guest, notifications: true });
    await db()
      .updateTable('account')
      .set({ send_email: true, email_confirmed_at: at(-60) })
      .execute();
    await lowTank();
    await say([[0, 180]]);
    await look(0);
  });
  const waiting = async () =>
    (
      await db()
        .selectFrom('outbox')
        .select(['account_id', 'state'])
        .where('account_id', 'in', [world.owner.id, mere.id])
        .where('dedupe_key', 'like', 'alert %')
        .orderBy('account_id')
        .execute()
    ).map(({ state }) => state);

  it.each<[string, () => Promise<unknown>]>([
    [
      'may not hear of the farm any more',
      () => db().deleteFrom('share').where('agent_id', '=', mere.id).execute(),
    ],
    [
      'may not sign in any more',
      () => db().updateTable('account').set({ approved: false }).where('id', '=', mere.id).execute(),
    ],
    [
      'has a share that has run out',
      () =>
        db()
          .updateTable('share')
          .set({ ends_at: at(-1) })
          .where('agent_id', '=', mere.id)
          .execute(),
    ],
  ])('who %s is sent nothing that still waits', async (_name, ends) => {
    expect(await waiting()).toEqual(['queued', 'queued']);
    await ends();
    await server.runJob('alerts that are not theirs any more');
    expect(await waiting()).toEqual(['queued', 'cancelled']);
  });
});

describe('a sprinkler whose place another one takes', () => {
  const replaced = (unit: DeviceRow) =>
    world.send('PUT /ipc', {
      id: unit.uid,
      name: unit.name,
      serialNumber: `NEW-${nth}`,
      macAddress: `0004A30000${String(nth).padStart(6, '9')}`,
    });

  const batteryRule = () =>
    buildRule(db(), world.farm.id, {
      kind: 'SprinklerError',
      condition: 'battery',
      value: null,
      hold_min: 0,
    });

  it('has its error told as over, and is told anew by its own word alone', async () => {
    const unit = await buildSprinkler(db(), world.farm.id, { name: 'A12', mac: '0004A30000111122' });
    await batteryRule();
    const charge = (minute: number, percent: number) =>
      world.record(unit, [{ at: at(minute).toISOString(), values: { charge: percent } }]);
    await charge(0, 8);
    await look(0);
    expect(await bell()).toEqual([expect.stringContaining('A12: The battery charge is very low!')]);
    expect((await replaced(unit)).statusCode).toBe(200);
    await look(35, 70);
    expect((await bell()).slice(1)).toEqual([expect.stringMatching(/A12: another unit is in its place\.$/)]);
    await charge(100, 9);
    await look(100);
    expect((await bell()).slice(2)).toEqual([
      expect.stringContaining('A12: The battery charge is very low!'),
    ]);
  });

  it('while its words are being looked at begins nothing by them', async () => {
    const unit = await buildSprinkler(db(), world.farm.id, { name: 'A12', mac: '0004A30000111122' });
    await batteryRule();
    await world.record(unit, [{ at: at(-5).toISOString(), values: { charge: 8 } }]);
    // What it read is stored once the alerts of the farm are free.
    let looking = Promise.resolve();
    await db()
      .transaction()
      .execute(async (trx) => {
        await lockRules(trx, world.farm.id);
        looking = look(0);
        await expect.poll(waitingForAlerts).toBe(1);
        expect((await replaced(unit)).statusCode).toBe(200);
      });
    await looking;
    await look(35);
    expect(await bell()).toEqual([]);
    expect(await db().selectFrom('alert_episode').selectAll().execute()).toEqual([]);
    await world.record(unit, [{ at: at(60).toISOString(), values: { charge: 9 } }]);
    await look(70);
    expect(await bell()).toEqual([expect.stringContaining('A12: The battery charge is very low!')]);
  });

  it('while others hold it keeps no alert of the farm from beginning, and has its own with the next look', async () => {
    const unit = await buildSprinkler(db(), world.farm.id, { name: 'A12', mac: '0004A30000111122' });
    await batteryRule();
    await lowTank();
    await world.record(unit, [{ at: at(0).toISOString(), values: { charge: 8 } }]);
    await say([[0, 180]]);
    await db()
      .transaction()
      .execute(async (trx) => {
        // As who restores a backup of the farm does.
        await trx.selectFrom('device').select('id').where('id', '=', unit.id).forUpdate().execute();
        await look(0);
        expect(await bell()).toEqual([expect.stringContaining('Trough 4 is at 18 %')]);
      });
    await look(35);
    expect((await bell()).slice(1)).toEqual([
      expect.stringContaining('A12: The battery charge is very low!'),
    ]);
  });

  const waitingForAlerts = async () =>
    (
      await sql<{
        count: number;
      }>`select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and not l.granted
          and l.objid = ${world.farm.id}`.execute(db())
    ).rows[0]?.count;

  it('is not silent for what the one before it was', async () => {
    const unit = await buildSprinkler(db(), world.farm.id, { name: 'A12', mac: '0004A30000111122' });
    await buildRule(db(), world.farm.id, {
      kind: 'OutOfContact',
      watch: 'sprinkler',
      condition: 'longer than',
      value: 60,
      hold_min: 0,
    });
    await world.record(unit, [{ at: at(-120).toISOString(), values: { charge: 80 } }]);
    await look(0);
    expect(await bell()).toEqual([expect.stringContaining('A12 has not been heard since')]);
    await replaced(unit);
    await look(20, 59);
    expect((await bell()).slice(1)).toEqual([expect.stringMatching(/A12: another unit is in its place\.$/)]);
  });

  it('is silent where the one in its place says nothing from then on', async () => {
    const unit = await buildSprinkler(db(), world.farm.id, { name: 'A12', mac: '0004A30000111122' });
    await buildRule(db(), world.farm.id, {
      kind: 'OutOfContact',
      watch: 'sprinkler',
      condition: 'longer than',
      value: 60,
      hold_min: 0,
    });
    await world.record(unit, [{ at: at(-10).toISOString(), values: { charge: 80 } }]);
    await look(0);
    expect((await replaced(unit)).statusCode).toBe(200);
    await look(20, 59);
    expect(await bell()).toEqual([]);
    await look(90);
    expect(await bell()).toEqual([
      expect.stringContaining('A12 has not been heard since another unit took its place ('),
    ]);
  });
});

it('an owner whose subscription has ended is told, and answers, as ever: silence would be worse', async () => {
  await db()
    .updateTable('account')
    .set({ subscription_valid_until: at(-1440), send_email: true, email_confirmed_at: at(-60) })
    .where('id', '=', world.owner.id)
    .execute();
  await lowTank();
  await say([[0, 180]]);
  await look(0);
  const waits = await db()
    .selectFrom('outbox')
    .select('way')
    .where('account_id', '=', world.owner.id)
    .where('dedupe_key', 'like', 'alert %')
    .execute();
  expect([waits.map(({ way }) => way), await bell()]).toEqual([
    ['mail'],
    [expect.stringContaining('Trough 4')],
  ]);
  const { open } = (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json();
  const answer = {
    farmUID: world.farm.uid,
    uid: open[0].uid,
    version: open[0].version,
    class: open[0].class,
  };
  expect((await world.send('POST /alert/answer', answer)).json()).toMatchObject({ state: 'answered' });
});

it('an account that is erased takes along what was to be sent to it; its alerts tell the others', async () => {
  const mere = await buildAccount(db(), { name: 'Mere', type: 'AGENT' });
  await buildFarm(db(), mere.id);
  await buildShare(db(), world.farm.id, mere.id, { ...presets.guest, notifications: true });
  const ways = { urgent: ['sms'], important: ['sms'], info: [] };
  await db()
    .updateTable('account')
    .set({ send_sms: true, mobile: '0211234567', country_code: 64 })
    .where('id', '=', mere.id)
    .execute();
  await db()
    .insertInto('alert_preference')
    .values({
      account_id: mere.id,
      quiet_from: null,
      quiet_to: null,
      quiet_zone: null,
      updated_at: at(-60),
      ways: JSON.stringify(ways),
    })
    .execute();
  await lowTank({ people: [mere.id] });
  await say([[0, 180]]);
  await look(0);
  const ofMere = () =>
    db().selectFrom('outbox').select(['way', 'recipient']).where('account_id', '=', mere.id).execute();
  expect([await ofMere(), await bell()]).toEqual([
    [{ way: 'sms', recipient: expect.stringMatching(/211234567$/) }],
    [],
  ]);
  const answer = (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json().open[0];
  await server.call('POST /alert/answer', {
    headers: await server.signIn(mere),
    body: { farmUID: world.farm.uid, uid: answer.uid, version: answer.version, class: answer.class },
  });
  await db()
    .updateTable('account')
    .set({ closes_at: at(1) })
    .where('id', '=', mere.id)
    .execute();
  server.clock.now = at(2);
  await server.runJob('closed accounts');
  expect(await ofMere()).toEqual([]);
  await say([[5, 60]]);
  await look(5);
  expect(await bell()).toEqual([expect.stringContaining('It got worse.')]);
  const query = { farmUID: world.farm.uid, uid: answer.uid };
  expect((await world.get('GET /alert/incident', query)).body).not.toMatch(/Mere|211234567/);
});

it('names that are made to mislead change neither a mail nor what stands beside them', async () => {
  const name = `‮<b>Trough\n4</b>${'💧'.repeat(40)}`;
  await db().updateTable('device').set({ name }).where('id', '=', tank.id).execute();
  await db()
    .updateTable('account')
    .set({ send_email: true, email_confirmed_at: at(-60) })
    .execute();
  await lowTank();
  await say([[0, 180]]);
  await look(0);
  const mail = await db()
    .selectFrom('outbox')
    .select(['subject', 'html'])
    .where('account_id', '=', world.owner.id)
    .executeTakeFirstOrThrow();
  expect(mail.html).toContain('&lt;b&gt;Trough');
  expect(mail.html).not.toContain('<b>Trough');
  expect(mail.subject).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  expect(Array.from(mail.subject).length).toBeLessThanOrEqual(60);
});

it('a farm has 500 alerts at most', async () => {
  await lowTank({ enabled: false });
  await sql`insert into alert_rule (farm_id, uid, name, kind, enabled, condition, value, hold_min, created_at, updated_at, on_since)
    select farm_id, left(md5(uid || n), 24), name, kind, enabled, condition, value, hold_min, created_at, updated_at, on_since
    from alert_rule, generate_series(2, 500) n where farm_id = ${world.farm.id}`.execute(db());
  const body = {
    name: 'Low',
    enabled: true,
    kind: 'TankLow',
    deviceIds: [],
    condition: 'below',
    value: 20,
    holdMinutes: 0,
  };
  const reply = await world.send('POST /alert', { farmUID: world.farm.uid, ...body });
  expect([reply.statusCode, reply.json().errorMessage]).toEqual([409, expect.stringContaining('500 alerts')]);
});
