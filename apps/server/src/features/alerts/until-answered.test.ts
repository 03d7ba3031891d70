import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceRow } from '../../db/schema.ts';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
let tank: DeviceRow;
/** 10:00 by the farm's clock. */
const START = Date.parse('2026-11-20T21:00:00Z');
const MINUTE = 60_000;
/** 22:00 on the evening before. */
const EVENING = -12 * 60;

beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.now = at(EVENING - 60);
  world = await buildFarmWorld(server);
  await db()
    .updateTable('account')
    .set({ send_email: true, email_confirmed_at: at(EVENING) })
    .where('id', '=', world.owner.id)
    .execute();
  tank = await buildTank(db(), world.farm.id, {
    name: 'Trough 4',
    settings: { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 },
  });
});

const db = () => server.database.db;
const at = (minute: number) => new Date(START + minute * MINUTE);
async function look(minute: number, percent: number | null, of = server): Promise<void> {
  of.clock.now = at(minute);
  if (percent !== null)
    await world.record(tank, [{ at: at(minute).toISOString(), values: { levelMm: percent * 10 } }]);
  of.committed(new Set([world.farm.id]));
  await of.runJob('alerts');
}
const bell = async () =>
  (await server.call('GET /notifications', { headers: await server.signIn(world.owner) }))
    .json<{ list: { message: string }[] }>()
    .list.map(({ message }) => message)
    .toReversed();
const mails = async () =>
  (
    await db()
      .selectFrom('outbox')
      .select(['subject', 'state'])
      .where('account_id', '=', world.owner.id)
      .orderBy('id')
      .execute()
  ).map(({ state }) => state);
const open = async () =>
  (await world.get('GET /alert/incidents', { farmUID: world.farm.uid })).json<{
    open: { uid: string; class: string; snoozedUntil: string | null }[];
  }>().open[0];
async function answer(key: string, body: object = { version: 1 }) {
  const seen = await open();
  return server.call(key, {
    headers: await server.signIn(world.owner),
    body: { farmUID: world.farm.uid, uid: seen?.uid, class: seen?.class, ...body },
  });
}
const nightFrom = async (from: string, to: string) =>
  server.call('PUT /notification/ways', {
    headers: await server.signIn(world.owner),
    body: {
      quiet: { from, to, zone: 'Pacific/Auckland' },
      ways: { urgent: ['push', 'sms', 'email'], important: ['email'], info: [] },
    },
  });

describe('what nobody answers', () => {
  it('is told again after a quarter, half and a whole hour where it is urgent, with how it is now', async () => {
    await buildRule(db(), world.farm.id, { hold_min: 0, class: 'urgent' });
    await look(0, 18);
    for (const minute of [5, 14, 15, 16, 29, 30, 31, 59, 60]) await look(minute, 15);
    const told = await bell();
    expect(told).toHaveLength(4);
    expect(told.at(-1)).toMatch(/^It is still so, and nobody has answered\. Trough 4 is at 15 %/);
    expect(await mails()).toEqual(['queued', 'queued', 'queued', 'queued']);
  });

  it('is told by two servers once', async () => {
    await buildRule(db(), world.farm.id, { hold_min: 0, class: 'urgent' });
    await look(0, 18);
    const other = await createTestServer({}, server);
    await Promise.all([look(15, null), look(15, null, other)]);
    await other.close();
    expect(await bell()).toHaveLength(2);
  });

  it('is left alone once somebody answers, and once it is over', async () => {
    await buildRule(db(), world.farm.id, { hold_min: 0, class: 'urgent' });
    await look(0, 18);
    await answer('POST /alert/answer');
    await look(20, 18);
    await look(61, 18);
    expect(await bell()).toHaveLength(1);
  });

  it('is not told again while it may be over', async () => {
    await buildRule(db(), world.farm.id, { hold_min: 30, class: 'urgent' });
    await look(-40, 18);
    await look(0, 18);
    await look(10, 60);
    await look(15, 60);
    await look(39, 60);
    expect(await bell()).toHaveLength(1);
  });

  it('and is only for information is told once', async () => {
    await buildRule(db(), world.farm.id, { hold_min: 0, class: 'info' });
    for (const minute of [0, 60, 240, 600]) await look(minute, 18);
    expect(await bell()).toHaveLength(1);
  });
});

describe('what is snoozed', () => {
  it('is told again only after it, and its end at once', async () => {
    await buildRule(db(), world.farm.id, { hold_min: 0, class: 'urgent' });
    await look(0, 18);
    expect((await answer('POST /alert/snooze', { until: 'hour' })).json()).toMatchObject({
      state: 'snoozed',
      text: 'Snoozed until 11:00.',
      incident: { snoozedUntil: at(60).toISOString(), snoozedBy: world.owner.name },
    });
    for (const minute of [15, 30, 59]) await look(minute, 18);
    expect(await bell()).toHaveLength(1);
    await look(61, 18);
    expect(await bell()).toHaveLength(2);
    await answer('POST /alert/snooze', { until: 'tomorrow' });
    expect((await open())?.snoozedUntil).toBe('2026-11-22T05:00:00.000Z');
    await look(70, 50);
    await look(76, 50);
    expect((await bell()).at(-1)).toContain('it ended at 11:10');
  });
});

describe('in a person’s quiet hours', () => {
  it('what is important is in the bell alone, and told when they end if it is still so', async () => {
    await nightFrom('21:00', '06:00');
    await buildRule(db(), world.farm.id, { hold_min: 0 });
    await look(EVENING, 18);
    expect([(await bell()).length, await mails()]).toEqual([1, []]);
    const { uid } = (await open()) ?? { uid: '' };
    const details = await world.get('GET /alert/incident', { farmUID: world.farm.uid, uid });
    expect(details.json().steps[0].told[0].messages).toEqual([
      { way: 'other ways', state: 'held', reason: 'quiet hours' },
    ]);
    const held = async () =>
      (await world.get('GET /notification/held-back', {})).json<{ heldBack: { text: string }[] }>().heldBack;
    expect(await held()).toEqual([
      {
        at: at(EVENING).toISOString(),
        farmUID: world.farm.uid,
        farmName: world.farm.name,
        incidentUID: uid,
        text: expect.stringContaining('Trough 4 is at 18 %'),
        why: 'quiet hours',
        until: at(-4 * 60).toISOString(),
      },
    ]);
    await look(-4 * 60 - 1, 18);
    expect(await mails()).toEqual([]);
    await look(-4 * 60, 17);
    await look(-4 * 60 + 5, 17);
    expect(await mails()).toEqual(['queued']);
    // Of it, what was told in the evening alone never went.
    expect(await held()).toMatchObject([{ at: at(EVENING).toISOString(), until: null }]);
  });

  it('what is over by the morning, or with somebody, is not', async () => {
    await nightFrom('21:00', '06:00');
    await buildRule(db(), world.farm.id, { hold_min: 0 });
    await look(EVENING, 18);
    await answer('POST /alert/answer');
    await look(-4 * 60, 18);
    expect(await mails()).toEqual([]);
  });

  it('what is so on a farm of another zone is held back by the person’s own clock', async () => {
    await nightFrom('21:00', '06:00');
    const clock = { time_zone_id: 'Australia/Perth', raw_offset: 28_800, dst_offset: 0, dst_enabled: false };
    await db().updateTable('farm').set(clock).where('id', '=', world.farm.id).execute();
    await buildRule(db(), world.farm.id, { hold_min: 0 });
    // 17:00 there, and 22:00 where the person is; held until their 06:00, which is 01:00 there.
    await look(EVENING, 18);
    expect(await mails()).toEqual([]);
    await look(-4 * 60 - 1, 18);
    expect(await mails()).toEqual([]);
    await look(-4 * 60, 18);
    expect(await mails()).toEqual(['queued']);
  });

  it('and on a farm of another zone its messages say whose clock they have', async () => {
    const headers = await server.signIn(world.owner);
    const ways = { sendSms: false, sendPush: false, sendEmail: true, sendAction: true };
    const put = (zone: string) =>
      server.call('PUT /notification/settings', { headers, body: { ...ways, zone } });
    expect((await put('Moon/Base')).json()).toMatchObject({
      errorMessage: 'There is no such time zone.',
      field: 'zone',
    });
    expect((await put('Australia/Perth')).json()).toEqual(ways);
    await buildRule(db(), world.farm.id, { hold_min: 0, class: 'urgent' });
    await look(0, 18);
    const told = 'Trough 4 is at 18 %, below 20 % since 10:00. See what fills it, and what draws from it.';
    const named = "Times are by the farm's clock (NZDT).";
    expect(await bell()).toEqual([`${told} ${named}`]);
    const mail = await db()
      .selectFrom('outbox')
      .select('body')
      .where('account_id', '=', world.owner.id)
      .executeTakeFirstOrThrow();
    expect(mail.body).toContain(named);
  });

  it('what is urgent passes', async () => {
    await nightFrom('21:00', '06:00');
    await buildRule(db(), world.farm.id, { hold_min: 0, class: 'urgent' });
    await look(EVENING, 18);
    expect(await mails()).toEqual(['queued']);
  });
});

it('by which ways a person hears what is theirs to say, and a zone that there is none of is refused', async () => {
  const headers = await server.signIn(world.owner);
  const ways = { urgent: [], important: [], info: ['email'] };
  const put = (quiet: object | null) =>
    server.call('PUT /notification/ways', { headers, body: { quiet, ways } });
  expect((await put({ from: '21:00', to: '06:00', zone: 'Moon/Base' })).statusCode).toBe(400);
  expect((await put(null)).json()).toEqual({ quiet: null, ways, digest: true, escalations: true });
  await buildRule(db(), world.farm.id, { hold_min: 0, class: 'info' });
  await buildRule(db(), world.farm.id, { hold_min: 0, class: 'urgent' });
  await look(0, 18);
  expect([(await bell()).length, await mails()]).toEqual([2, ['queued']]);
});
