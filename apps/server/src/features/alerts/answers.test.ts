import { presets } from '@headrace/contract/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AccountRow, DeviceRow } from '../../db/schema.ts';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildAccount, buildShare, buildTank } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let world: FarmWorld;
let tank: DeviceRow;
let mere: AccountRow;
/** Another day for each test: a server keeps its rules for half a minute. */
let start = Date.parse('2026-11-20T21:00:00Z');
const MINUTE = 60_000;

beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  start += 3 * 86_400_000;
  server.clock.now = at(0);
  world = await buildFarmWorld(server);
  mere = await buildAccount(db(), { name: 'Mere', type: 'AGENT' });
  await buildShare(db(), world.farm.id, mere.id, { ...presets.guest, notifications: true });
  for (const { id } of [world.owner, mere])
    await db()
      .updateTable('account')
      .set({ send_email: true, email_confirmed_at: at(0) })
      .where('id', '=', id)
      .execute();
  tank = await buildTank(db(), world.farm.id, {
    name: 'Trough 4',
    settings: { offset: 0, height: 1000, toplevel: 1000, volume: 10_000 },
  });
  await buildRule(db(), world.farm.id, { hold_min: 0 });
});

const db = () => server.database.db;
const at = (minute: number) => new Date(start + minute * MINUTE);
async function look(minute: number, percent: number): Promise<void> {
  server.clock.now = at(minute);
  await world.record(tank, [{ at: at(minute).toISOString(), values: { levelMm: percent * 10 } }]);
  server.committed(new Set([world.farm.id]));
  await server.runJob('alerts');
}
const keyIn = (text = '') => /\/a\/([\w-]{22})/.exec(text)?.[1] ?? '';
async function messageTo(account: AccountRow, way: 'mail' | 'sms' | 'push' = 'mail'): Promise<string> {
  const row = await db()
    .selectFrom('outbox')
    .select('body')
    .where('account_id', '=', account.id)
    .where('way', '=', way)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return row?.body ?? '';
}
const ask = async (key: string) => (await server.call('GET /alerts/answer', { query: { key } })).json();
const answer = async (key: string, over: object = {}) =>
  (
    await server.call('POST /alerts/answer', { body: { key, answer: 'answer', from: 'link', ...over } })
  ).json();
const bell = async (account: AccountRow) =>
  (await server.call('GET /notifications', { headers: await server.signIn(account) }))
    .json<{ list: { message: string }[] }>()
    .list.map(({ message }) => message)
    .toReversed();

describe('the link in a message', () => {
  it('opens what is so and answers nothing; its button answers as its person, and the others hear it', async () => {
    await look(1, 18);
    const key = keyIn(await messageTo(mere));
    expect(key).not.toBe(keyIn(await messageTo(world.owner)));
    expect(await ask(key)).toMatchObject({
      alert: {
        state: 'open',
        as: 'Mere',
        farmName: world.farm.name,
        answeredBy: null,
        message: expect.stringContaining('Trough 4 is at 18 %, below 20 % since 10:01.'),
      },
    });
    expect((await ask(key)).alert.state).toBe('open');
    server.clock.now = at(5);
    expect(await answer(key)).toMatchObject({
      text: 'Mere is on it (10:05).',
      alert: { state: 'answered', answeredBy: 'Mere' },
    });
    expect((await bell(world.owner)).at(-1)).toMatch(/^Mere is on it \(10:05\)\./);
    const { uid } = (await ask(key)).alert;
    const { steps } = (await world.get('GET /alert/incident', { farmUID: world.farm.uid, uid })).json();
    expect(steps.at(-1)).toMatchObject({ what: 'answered', by: 'Mere', note: 'By the link in a message.' });
  });

  it('may be used again: who was first stays first, and of what is over it says that', async () => {
    await look(1, 18);
    const [mine, theirs] = [keyIn(await messageTo(mere)), keyIn(await messageTo(world.owner))];
    await answer(mine);
    expect((await answer(theirs)).text).toMatch(/^Mere is on it/);
    await look(10, 60);
    await look(16, 60);
    expect(await answer(theirs)).toMatchObject({
      text: 'It ended by itself at 10:10.',
      alert: { state: 'ended' },
    });
  });

  it('snoozes', async () => {
    await look(1, 18);
    const key = keyIn(await messageTo(mere));
    expect(await answer(key, { answer: 'hour' })).toMatchObject({
      text: 'Snoozed until 11:01.',
      alert: { state: 'open', snoozedUntil: at(61).toISOString() },
    });
  });

  it('doesn’t answer what got worse since: of a message by what that told, of a page by what it shows', async () => {
    await look(1, 18);
    const key = keyIn(await messageTo(mere));
    await look(10, 9);
    const post = async (over: object) => {
      const reply = await server.call('POST /alerts/answer', { body: { key, answer: 'answer', ...over } });
      return [reply.statusCode, reply.json().errorMessage ?? reply.json().text];
    };
    const refused = [
      409,
      'It got worse meanwhile and is urgent now. Please see how it is before you answer.',
    ];
    expect(await post({ from: 'push' })).toEqual(refused);
    expect(await post({ from: 'link', class: 'important' })).toEqual(refused);
    expect((await ask(key)).alert).toMatchObject({ class: 'urgent', state: 'open', snoozedUntil: null });
    expect(await post({ from: 'link', class: 'urgent' })).toEqual([200, 'Mere is on it (10:10).']);
  });

  it('is nobody’s after a day, once its person is not told of the farm any more, and where it was guessed', async () => {
    await look(1, 18);
    const [mine, theirs] = [keyIn(await messageTo(mere)), keyIn(await messageTo(world.owner))];
    const nothing = { alert: null, text: '' };
    expect(await answer('A'.repeat(12))).toEqual(nothing);
    await db().deleteFrom('share').where('agent_id', '=', mere.id).execute();
    expect([await ask(mine), await answer(mine)]).toEqual([{ alert: null }, nothing]);
    server.clock.now = at(1 + 24 * 60);
    expect([await ask(theirs), await answer(theirs)]).toEqual([{ alert: null }, nothing]);
    await server.runJob('answer keys that are too old');
    expect(await db().selectFrom('answer_key').selectAll().execute()).toEqual([]);
    const open = await db()
      .selectFrom('alert_incident')
      .select('answered_by')
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(open).toEqual([{ answered_by: null }]);
  });

  it('is not in what tells an end', async () => {
    await look(1, 18);
    await look(10, 60);
    await look(16, 60);
    expect(await messageTo(mere)).toContain('it ended at');
    expect(keyIn(await messageTo(mere))).toBe('');
  });

  it('is read at most thirty times a minute from one place', async () => {
    const from = (address: string) =>
      server.call('GET /alerts/answer', { query: { key: 'B'.repeat(12) }, address });
    for (let turn = 0; turn < 30; turn += 1) expect((await from('198.51.100.7')).statusCode).toBe(200);
    expect((await from('198.51.100.7')).statusCode).toBe(429);
    expect((await from('198.51.100.9')).statusCode).toBe(200);
  });
});

describe('a message that can be answered', () => {
  it('by SMS says what is so without what to do, with the link whole; by instant message it brings the key', async () => {
    await db()
      .updateTable('account')
      .set({ send_sms: true, send_push: true, mobile: '0211234567', country_code: 64 })
      .where('id', '=', mere.id)
      .execute();
    await db()
      .insertInto('push_device')
      .values({
        uid: 'p'.repeat(24),
        account_id: mere.id,
        device_uid: 'd',
        expires_at: null,
        endpoint: 'https://fcm.googleapis.com/x',
        p256dh: 'P',
        auth: 'A',
        address: '',
        user_agent: '',
        created_at: at(0),
      })
      .execute();
    await db().updateTable('alert_rule').set({ class: 'urgent' }).execute();
    await look(1, 18);
    expect(await messageTo(mere, 'sms')).toMatch(
      /^Headrace \S.*: Trough 4 is at 18 %, below 20 % since 10:01\. https:\/\/headrace\.test\/a\/[\w-]{22}$/,
    );
    const { answer: key, link } = JSON.parse(await messageTo(mere, 'push'));
    expect(link).toMatch(new RegExp(`^/alerts\\?farm=${world.farm.uid}&incident=[0-9a-f]{24}$`));
    expect(await answer(key, { from: 'push' })).toMatchObject({ alert: { state: 'answered' } });
  });
});
