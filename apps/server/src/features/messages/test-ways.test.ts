import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { createOutboxRepo } from '../outbox/outbox.repo.ts';
import { sendOutbox, type Sender } from '../outbox/send-outbox.ts';

let server: TestServer;
let account: AccountRow;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.database.db.deleteFrom('outbox').execute();
  account = await buildAccount(server.database.db, { email_confirmed_at: server.clock.now });
  await server.database.db
    .updateTable('account')
    .set({ mobile: '211234567', country_code: 64 })
    .where('id', '=', account.id)
    .execute();
  headers = await server.signIn(account);
});

const want = (ways: { send_sms?: boolean; send_push?: boolean; send_email?: boolean }) =>
  server.database.db.updateTable('account').set(ways).where('id', '=', account.id).execute();
const test = (way: string, address = '192.0.2.1') =>
  server.call('POST /notification/test', { headers, body: { way }, address });
const progress = async (id: string) =>
  (await server.call('GET /notification/test', { headers, query: { id } })).json().messages;

/** Takes what waits, as a provider would. */
async function send(sender: Partial<Sender> & Pick<Sender, 'way'>): Promise<string[]> {
  const bodies: string[] = [];
  const taking: Sender = {
    pace: { perMinute: 100, perRecipientAndHour: 100 },
    send: async ({ body }) => {
      bodies.push(body);
      return { providerId: 'p1' };
    },
    ...sender,
  };
  const outbox = createOutboxRepo(server.database.db);
  await sendOutbox({ outbox, senders: [taking], now: () => server.clock.now, log: { warn: () => {} } });
  return bodies;
}

async function buildPushDevice(endpoint = `https://fcm.googleapis.com/${account.uid}`) {
  const body = { endpoint, p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
  await server.call('POST /notification/add-device', { headers, body });
  return body;
}

it('a test by mail says how far it got, and nothing of it is in the bell', async () => {
  await want({ send_email: true });
  const { id } = (await test('email')).json();
  expect(await progress(id)).toMatchObject([
    { way: 'email', to: account.email, state: 'queued', sentAt: null, reason: '' },
  ]);
  await send({ way: 'mail' });
  expect(await progress(id)).toMatchObject([{ state: 'sent', sentAt: server.clock.now.toISOString() }]);
  expect((await server.call('GET /notifications', { headers })).json().list).toEqual([]);
});

it('a test by SMS that the provider refuses says why', async () => {
  await want({ send_sms: true });
  const { id } = (await test('sms')).json();
  await send({ way: 'sms', send: () => Promise.reject(new Error('No credit.')) });
  expect(await progress(id)).toMatchObject([
    { to: '+64211234567', state: 'queued', reason: 'No credit.', nextTryAt: '2026-11-20T21:01:00.000Z' },
  ]);
});

it('a push message has arrived when the browser that shows it says so, once and with its own key', async () => {
  await want({ send_push: true });
  await buildPushDevice();
  const { id } = (await test('push')).json();
  const [body = '{}'] = await send({ way: 'push' });
  const { key } = JSON.parse(body) as { key: string };
  const shown = (of: string) => server.call('POST /notification/shown', { body: { key: of } });
  expect((await shown('A'.repeat(22))).statusCode).toBe(200);
  expect(await progress(id)).toMatchObject([{ state: 'sent', deliveredAt: null }]);
  await shown(key);
  const before = server.clock.now;
  server.clock.now = new Date(before.getTime() + 60_000);
  await shown(key);
  expect(await progress(id)).toMatchObject([{ state: 'delivered', deliveredAt: before.toISOString() }]);
  server.clock.now = before;
});

it('a test that nobody took within ten minutes is not sent any more', async () => {
  await want({ send_sms: true });
  const { id } = (await test('sms')).json();
  const before = server.clock.now;
  server.clock.now = new Date(before.getTime() + 10 * 60_000);
  expect(await send({ way: 'sms' })).toEqual([]);
  expect(await progress(id)).toMatchObject([{ state: 'expired' }]);
  server.clock.now = before;
});

it.each([
  ['sms', 'Nothing to test: switch SMS on, and add a mobile number to your account.'],
  ['push', 'Nothing to test: switch Instant Messages on, and subscribe a browser.'],
  ['email', 'Nothing to test: switch Email on, and confirm your address.'],
])('a test by a way that is off is refused: %s', async (way, errorMessage) => {
  const reply = await test(way, '192.0.2.2');
  expect([reply.statusCode, reply.json().errorMessage]).toEqual([400, errorMessage]);
});

it('where the operator has set up no provider, a test says so instead of waiting for ever', async () => {
  const bare = await createTestServer({ sendingBy: ['push'] }, server);
  const reply = await bare.call('POST /notification/test', { headers, body: { way: 'sms' } });
  expect([reply.statusCode, reply.json().errorMessage]).toEqual([
    400,
    'This Headrace sends no SMS yet: its operator has to set up an SMS provider.',
  ]);
  await bare.close();
});

it('nobody sees how far the test of another got', async () => {
  await want({ send_email: true });
  const { id } = (await test('email', '192.0.2.3')).json();
  const other = await server.signIn(await buildAccount(server.database.db));
  expect((await server.call('GET /notification/test', { headers: other, query: { id } })).statusCode).toBe(
    404,
  );
});

it('a subscription is moved by whoever knows its secrets, and by nobody else', async () => {
  const before = await buildPushDevice();
  const endpoint = `${before.endpoint}/new`;
  const move = (auth: string) =>
    server.call('POST /notification/move-device', {
      body: { ...before, endpoint, before: { endpoint: before.endpoint, auth } },
    });
  const endpoints = async () =>
    (
      await server.database.db
        .selectFrom('push_device')
        .select('endpoint')
        .where('account_id', '=', account.id)
        .execute()
    ).map((row) => row.endpoint);
  expect((await move('B'.repeat(22))).statusCode).toBe(200);
  expect(await endpoints()).toEqual([before.endpoint]);
  await move(before.auth);
  expect(await endpoints()).toEqual([endpoint]);
});
