import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import type { ServerFrame } from '@headrace/contract/live';
import { listenToDatabase } from '../../live/database-news.ts';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { runAudited } from './audit.ts';
import { logActs } from './log-acts.ts';
import { commands } from './operator-commands.ts';

let server: TestServer;
let news: { stop(): Promise<void> };
beforeAll(async () => {
  server = await createTestServer();
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const listener = listenToDatabase(server.database.url, server.hub.listener, { warn() {} });
  await listener.listening;
  news = listener;
});
afterAll(async () => {
  await news.stop();
  await server.close();
});

async function run(name: string, ...args: string[]): Promise<string> {
  const command = commands[name];
  if (!command) throw new Error(`no command ${name}`);
  const context = { db: server.database.db, now: server.clock.now, publicUrl: 'https://water.example.com' };
  return runAudited(name, command, context, args, 'ana@office');
}

async function openPage(token: string) {
  const { port } = server.http.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, token);
  onTestFinished(() => socket.terminate());
  const frames: ServerFrame[] = [];
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as ServerFrame));
  while (frames.length < 5) await once(socket, 'message');
  return { socket, frames };
}

it('extends a subscription, and open pages hear of it', async () => {
  const account = await buildAccount(server.database.db, { email: 'paying@example.com' });
  const headers = await server.signIn(account);
  const { socket, frames } = await openPage(headers['authorization'] ?? '');
  expect(await run('extend', 'Paying@example.com', '2027-06-30')).toContain('2027-06-30T23:59:59.000Z');
  while (frames.length < 6) await once(socket, 'message');
  expect(frames[5]).toEqual({
    type: 'subscription_valid_until',
    data: { accountId: account.uid, subscriptionValidUntil: '2027-06-30T23:59:59.000Z' },
  });
  await run('extend', 'paying@example.com', '10');
  expect(await run('list-accounts', 'paying@')).toContain('paid until 2027-07-10');
});

it.each(['', '0', 'soon', '2027-02-30', '1.5', '99999'])('does not extend by %j', async (until) => {
  await expect(run('extend', 'paying@example.com', until)).rejects.toThrow('Give a number of days');
});

it('disapproved, an account is signed out at once and cannot sign in until it is approved', async () => {
  const account = await buildAccount(server.database.db, { email: 'out@example.com' });
  const headers = await server.signIn(account);
  const { socket } = await openPage(headers['authorization'] ?? '');
  const closed = once(socket, 'close');
  expect(await run('disapprove', 'out@example.com')).toContain('not approved');
  expect((await closed)[0]).toBe(4401);
  expect((await server.call('GET /settings', { headers })).statusCode).toBe(401);
  await expect(run('passwordless', 'out@example.com')).rejects.toThrow('approve it first');
  expect(await run('approve', 'out@example.com')).not.toContain('not approved');
});

it('prints a link that signs in once', async () => {
  await buildAccount(server.database.db, { email: 'link@example.com' });
  const link = await run('passwordless', 'link@example.com');
  const [, key] = /^https:\/\/water\.example\.com\/login\/([\w-]{43})$/.exec(link) ?? [];
  const use = async () =>
    (await server.call('POST /account/auth/passwordless', { body: { key } })).json().success;
  expect([await use(), await use()]).toEqual([true, false]);
});

it('makes staff and ends it', async () => {
  const account = await buildAccount(server.database.db, { email: 'staff@example.com' });
  expect(await run('make-staff', account.email)).toContain('(staff');
  expect(await run('end-staff', account.email)).not.toContain('staff,');
});

it('takes tank telemetry off an account and gives it back, which is written down', async () => {
  const { db } = server.database;
  const { id, email } = await buildAccount(db, { email: 'tanks@example.com' });
  const has = async () => {
    const row = db.selectFrom('account').select('tlm_subscription').where('id', '=', id);
    return (await row.executeTakeFirstOrThrow()).tlm_subscription;
  };
  expect(await run('tlm', 'Tanks@example.com', 'off')).toContain('(no tank telemetry');
  expect(await has()).toBe(false);
  expect(await run('list-accounts', 'tanks@')).toContain('no tank telemetry');
  expect(await run('tlm', email, 'on')).not.toContain('telemetry');
  expect(await has()).toBe(true);
  await expect(run('tlm', email, 'perhaps')).rejects.toThrow('Give on or off.');
  await expect(run('tlm')).rejects.toThrow('Give the e-mail address.');
  expect((await run('audit', '5')).split('\n')[4]).toContain('ana@office  tlm  Tanks@example.com off  done');
});

it('opens and closes the making of accounts and farms', async () => {
  await run('account-creation', 'off');
  await run('farm-creation', 'off');
  const settings = async () => (await server.call('GET /ims-settings')).json();
  expect(await settings()).toMatchObject({ newAccountCreationGlobal: false, newFarmCreationGlobal: false });
  await run('account-creation', 'on');
  expect(await settings()).toMatchObject({ newAccountCreationGlobal: true, newFarmCreationGlobal: false });
  await expect(run('farm-creation', 'maybe')).rejects.toThrow('Give on or off.');
});

it('writes down who did what and how it ended, without passwords', async () => {
  await run('create-account', 'new@example.com', 'Very-secret-1', 'Ana', 'Tawhai');
  await run('extend', 'nobody@example.com', '5').catch(() => {});
  await run('passwordless', 'new@example.com');
  const lines = (await run('audit', '3')).split('\n');
  expect(lines).toEqual([
    '2026-11-20T21:00:00.000Z  ana@office  passwordless  new@example.com  done',
    '2026-11-20T21:00:00.000Z  ana@office  extend  nobody@example.com 5  refused: There is no account nobody@example.com.',
    '2026-11-20T21:00:00.000Z  ana@office  create-account  new@example.com *** *** ***  done',
  ]);
});

it('writes down no password that stands where another word should, done or refused', async () => {
  await run('create-account', 'swap@example.com', 'Ana of the hills', 'Very-secret-2');
  for (const args of [
    ['Very-secret-2', 'swap@example.com'],
    ['swap@example.com', 'short', 'Very-secret-2'],
    ['Very-secret-2'],
  ])
    await expect(run('set-password', ...args)).rejects.toThrow();
  await expect(run('create-account', 'Very-secret-2', 'swap2@example.com', 'Ana')).rejects.toThrow();
  const rows = await server.database.db
    .selectFrom('audit')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(5)
    .execute();
  expect(rows.map(({ command, arguments: words, outcome }) => [command, words, outcome])).toEqual([
    ['create-account', '*** *** ***', 'refused'],
    ['set-password', '***', 'refused'],
    ['set-password', '*** *** ***', 'refused'],
    ['set-password', '*** ***', 'refused'],
    ['create-account', 'swap@example.com *** ***', 'done'],
  ]);
});

it('is in the log of a server once, each act with who, what and how it ended, and nothing of whom', async () => {
  const { db } = server.database;
  const lines: [object, string][] = [];
  const log = { info: (details: object, message: string) => void lines.push([details, message]) };
  await logActs(db, log, server.clock.now);
  lines.length = 0;
  await run('extend', 'nobody@example.com', '5').catch(() => {});
  await run('make-staff', 'new@example.com');
  await run('end-staff', 'new@example.com');
  await Promise.all([logActs(db, log, server.clock.now), logActs(db, log, server.clock.now)]);
  const about = { act: expect.any(String), at: server.clock.now, operator: 'ana@office' };
  expect(lines).toEqual([
    [{ ...about, command: 'extend', outcome: 'refused' }, 'operator act'],
    [{ ...about, command: 'make-staff', outcome: 'done' }, 'operator act'],
    [{ ...about, command: 'end-staff', outcome: 'done' }, 'operator act'],
  ]);
  expect(JSON.stringify(lines)).not.toContain('example.com');
});

it('shows the outbox, and what would steer the terminal as a dot', async () => {
  await server.database.db
    .insertInto('outbox')
    .values({
      at: server.clock.now,
      recipient: 'a@example.com',
      subject: 'Hi \u001b[2J',
      body: 'Line 1\nLine 2',
      tries: 2,
      error: 'down',
    })
    .execute();
  expect(await run('outbox')).toBe(
    '2026-11-20T21:00:00.000Z  mail  a@example.com  queued, tried 2 times\nError: down\nHi ·[2J\n\nLine 1\nLine 2',
  );
});

it.each([
  ['disapprove', []],
  ['set-password', ['found again']],
])(
  'after %s no browser of the account gets push messages, and %j signs nobody in by an earlier link',
  async (name, args) => {
    const { db } = server.database;
    const account = await buildAccount(db);
    const headers = await server.signIn(account);
    const body = {
      endpoint: `https://fcm.googleapis.com/${account.uid}`,
      p256dh: 'B'.repeat(87),
      auth: 'a'.repeat(22),
    };
    expect((await server.call('POST /notification/add-device', { headers, body })).statusCode).toBe(200);
    const link = await run('passwordless', account.email);
    await run(name, account.email, ...args);
    const devices = await db
      .selectFrom('push_device')
      .select('id')
      .where('account_id', '=', account.id)
      .execute();
    expect(devices).toEqual([]);
    const reply = await server.call('POST /account/auth/passwordless', {
      body: { key: link.split('/login/')[1] },
    });
    expect(reply.json()).toEqual({ success: false });
  },
);

it('does not list what is left of closed accounts', async () => {
  await buildAccount(server.database.db, { email: 'abc@closed.invalid', name: 'Closed account' });
  expect(await run('list-accounts', 'closed')).toBe('No accounts yet.');
});
