import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { ServerFrame } from '@headrace/contract/live';
import type { AccountRow } from '../../db/schema.ts';
import { listenToDatabase } from '../../live/database-news.ts';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { createMessages } from '../messages/create-messages.ts';
import type { Messages } from '../messages/messages.ts';

let server: TestServer;
let news: { stop(): Promise<void> };
let messages: Messages;
let account: AccountRow;
let headers: Record<string, string>;
let sockets: WebSocket[] = [];

beforeAll(async () => {
  server = await createTestServer();
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  messages = createMessages({ db: server.database.db, publicUrl: 'https://headrace.test' });
  const listener = listenToDatabase(server.database.url, server.hub.listener, { warn() {} });
  await listener.listening;
  news = listener;
});
afterAll(async () => {
  await news.stop();
  await server.close();
});
beforeEach(async () => {
  account = await buildAccount(server.database.db);
  headers = await server.signIn(account);
});
afterEach(() => {
  for (const socket of sockets) socket.terminate();
  sockets = [];
});

const note = (title: string) => ({ title, message: `${title}.`, link: '/dashboard' });
const tell = (title: string) => messages.notify(account.id, note(title), server.clock.now);
const set = (changes: object, of = account) =>
  server.database.db.updateTable('account').set(changes).where('id', '=', of.id).execute();
const subscription = (name: string) => ({
  endpoint: `https://updates.push.services.mozilla.com/wpush/v2/${name}`,
  expirationTime: null,
  p256dh: 'B'.repeat(87),
  auth: 'a'.repeat(22),
});
const outboxOf = (way: 'mail' | 'sms' | 'push') =>
  server.database.db.selectFrom('outbox').selectAll().where('way', '=', way).orderBy('id').execute();

function connect(path: string, token = headers['authorization'] ?? '') {
  const { port } = server.http.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1${path}`, token);
  sockets.push(socket);
  const frames: ServerFrame[] = [];
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as ServerFrame));
  const next = async (count: number) => {
    while (frames.length < count) await once(socket, 'message');
    return frames;
  };
  const say = (frame: object) => socket.send(JSON.stringify(frame));
  return { socket, frames, next, say };
}

describe('the bell', () => {
  it('holds the newest 50 of 500, counts the unread, and its hash changes with what is read', async () => {
    await server.database.pool.query(
      `insert into notification (account_id, uid, at, title, message, link)
       select $1::int, lpad(to_hex($1::int * 1000 + n), 24, '0'), now(), 'Note ' || n, '', '' from generate_series(1, 504) n`,
      [account.id],
    );
    await tell('Note 505');
    const before = (await server.call('GET /notifications', { headers })).json();
    expect(before.list).toHaveLength(50);
    expect(before.list[0]).toMatchObject({ title: 'Note 505', isRead: false, link: '/dashboard' });
    expect(before.count).toBe(500);

    const query = { id: before.list[0]._id };
    expect((await server.call('PUT /notification', { headers, query })).json()).toEqual({ success: true });
    const after = (await server.call('GET /notifications', { headers })).json();
    expect(after.count).toBe(499);
    expect(after.list[0]).toMatchObject({ title: 'Note 505', isRead: true });
    expect(after.hash).not.toBe(before.hash);

    await server.call('PUT /notification/all-read', { headers });
    expect((await server.call('GET /notifications', { headers })).json().count).toBe(0);
  });

  it("does not mark another account's notification", async () => {
    await tell('Mine');
    const { list } = (await server.call('GET /notifications', { headers })).json();
    const stranger = await server.signIn(await buildAccount(server.database.db));
    const reply = await server.call('PUT /notification', { headers: stranger, query: { id: list[0]._id } });
    expect(reply.statusCode).toBe(404);
    expect((await server.call('GET /notifications', { headers })).json().count).toBe(1);
  });

  it('names come out as they were typed, but for signs that turn the direction of what follows', async () => {
    const name = `<b>Ānā & "Co"</b> 🌧️ מים`;
    const typed = name.replace('מ', '\u202bמ');
    await messages.notify(account.id, { title: typed, message: typed }, server.clock.now);
    const { list } = (await server.call('GET /notifications', { headers })).json();
    expect(list[0]).toMatchObject({ title: name, message: name, link: '' });
  });
});

describe('open pages', () => {
  it('hear of a new notification, then of the new count', async () => {
    const page = connect('/live');
    const opening = await page.next(5);
    expect(opening[4]).toMatchObject({ type: 'notifications', data: { list: [], count: 0 } });
    await messages.notify(account.id, { ...note('Pump stopped'), alert: true }, server.clock.now);
    const frames = await page.next(7);
    expect(frames[5]).toMatchObject({
      type: 'new_notification',
      data: { title: 'Pump stopped', alert: true, isRead: false, at: '2026-11-20T21:00:00.000Z' },
    });
    expect(frames[6]).toMatchObject({ type: 'notifications', data: { count: 1 } });
  });

  it("say by which ways the account wants to hear, and the account's other pages are told", async () => {
    const here = connect('/live');
    const there = connect('/live');
    await here.next(5);
    await there.next(5);
    here.say({
      type: 'notification_settings',
      data: { sendSms: false, sendPush: true, sendEmail: true, sendAction: false },
    });
    expect((await there.next(6))[5]).toMatchObject({
      type: 'notifications',
      data: { sendPush: true, sendEmail: true, sendAction: false },
    });
  });

  it('are not harmed by what is no frame', async () => {
    const page = connect('/live');
    await page.next(5);
    for (const text of ['{', 'null', '{"type":"notification_settings","data":{"sendSms":1}}', '[]'])
      page.socket.send(text);
    await tell('Still here');
    expect((await page.next(6))[5]).toMatchObject({ type: 'new_notification' });
  });
});

describe('/v1/notifications', () => {
  it('as a socket waits for client_id, answers with the notifications, and hears nothing else', async () => {
    const page = connect('/notifications');
    await once(page.socket, 'open');
    page.say({ type: 'client_id', data: { clientId: 'abc' } });
    expect(await page.next(1)).toMatchObject([{ type: 'notifications', data: { count: 0 } }]);
    server.live.toAccount(account.id, { type: 'app_version', data: { version: 'x' } });
    await tell('New');
    expect((await page.next(3)).map(({ type }) => type)).toEqual([
      'notifications',
      'new_notification',
      'notifications',
    ]);
  });

  it('closes with 4401 when the token is refused', async () => {
    const { socket } = connect('/notifications', 'made-up-token');
    expect((await once(socket, 'close'))[0]).toBe(4401);
  });

  it('answers the call of the same path, and asks it for a token', async () => {
    expect((await server.call('GET /notifications', { headers })).statusCode).toBe(200);
    expect((await server.call('GET /notifications')).statusCode).toBe(401);
  });
});

describe('preferences', () => {
  const wanted = { sendSms: true, sendPush: false, sendEmail: false, sendAction: true };

  it('are the bell and what commands did alone, until the account says otherwise', async () => {
    const { sendSms, sendPush, sendEmail, sendAction } = (
      await server.call('GET /notifications', { headers })
    ).json();
    expect({ sendSms, sendPush, sendEmail, sendAction }).toEqual({
      sendSms: false,
      sendPush: false,
      sendEmail: false,
      sendAction: true,
    });
  });

  it('SMS needs a mobile number', async () => {
    const refused = await server.call('PUT /notification/settings', { headers, body: wanted });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      errorMessage: 'SMS needs a mobile number. Please add one to your account first.',
      field: 'sendSms',
    });
    await set({ mobile: '0211234567', country_code: 64 });
    const taken = await server.call('PUT /notification/settings', { headers, body: wanted });
    expect(taken.json()).toEqual(wanted);
  });

  it('send a notification by mail, SMS and push as well, each only where it is wanted', async () => {
    await server.database.db.deleteFrom('outbox').execute();
    await tell('Nobody asked');
    expect(await outboxOf('mail')).toEqual([]);
    await set({
      mobile: '0211234567',
      country_code: 64,
      send_sms: true,
      send_email: true,
      send_push: true,
      email_confirmed_at: server.clock.now,
    });
    const { id } = (
      await server.call('POST /notification/add-device', { headers, body: subscription(account.uid) })
    ).json();
    await tell('Tank low');
    expect(await outboxOf('mail')).toMatchObject([{ recipient: account.email, subject: 'Tank low' }]);
    expect((await outboxOf('mail'))[0]?.body).toContain('https://headrace.test/dashboard');
    expect(await outboxOf('sms')).toMatchObject([{ recipient: '+64211234567', body: 'Tank low: Tank low.' }]);
    const [push] = await outboxOf('push');
    expect(push?.recipient).toBe(id);
    expect(JSON.parse(push?.body ?? '')).toEqual({
      key: expect.stringMatching(/^[\w-]{22}$/),
      title: 'Tank low',
      message: 'Tank low.',
      link: '/dashboard',
    });
  });

  it('an address that nobody confirmed gets no mail of notifications', async () => {
    await server.database.db.deleteFrom('outbox').execute();
    await set({ send_email: true, email_confirmed_at: null });
    await tell('Tank low');
    expect(await outboxOf('mail')).toEqual([]);
  });
});

describe('push devices', () => {
  const add = (name: string, as = headers, more: Record<string, string> = {}) =>
    server.call('POST /notification/add-device', {
      headers: {
        ...as,
        'user-agent':
          'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
        ...more,
      },
      body: subscription(name),
    });
  const list = async (as = headers) =>
    (await server.call('GET /notification/list-devices', { headers: as })).json().subscriptions;

  it('are listed with browser and address, and the one that asks is marked', async () => {
    const { id } = (await add(`list-${account.uid}`)).json();
    await add(`other-${account.uid}`, headers, { deviceuid: 'elsewhere' });
    expect(await list()).toMatchObject([
      { isThis: false },
      { id, browser: 'Chrome on Android', ip: '127.0.0.1', isThis: true },
    ]);
    expect((await server.call('GET /notifications', { headers })).json().deviceId).toBe(id);
    await server.call('DELETE /notification/remove-device', { headers, query: { id } });
    expect(await list()).toHaveLength(1);
    expect((await server.call('GET /notifications', { headers })).json().deviceId).toBeNull();
  });

  it('go to the account that subscribes last', async () => {
    await add(`moving-${account.uid}`);
    const other = await server.signIn(await buildAccount(server.database.db));
    await add(`moving-${account.uid}`, other);
    expect(await list()).toEqual([]);
    expect(await list(other)).toHaveLength(1);
  });

  it('end with the session of their browser: the others stay', async () => {
    await add(`here-${account.uid}`, headers, { deviceuid: 'test' });
    await add(`there-${account.uid}`, headers, { deviceuid: 'elsewhere' });
    await server.call('POST /account/logout', { headers });
    expect(await list(await server.signIn(account))).toMatchObject([{ isThis: false }]);
  });

  it("can't be removed by another account", async () => {
    const { id } = (await add(`kept-${account.uid}`)).json();
    const other = await server.signIn(await buildAccount(server.database.db));
    const reply = await server.call('DELETE /notification/remove-device', { headers: other, query: { id } });
    expect(reply.statusCode).toBe(404);
    expect(await list()).toHaveLength(1);
  });

  it('are 20 at most: the oldest goes', async () => {
    const row = {
      account_id: account.id,
      expires_at: null,
      p256dh: 'p',
      auth: 'a',
      address: '',
      user_agent: '',
    };
    const rows = Array.from({ length: 20 }, (_, n) => ({
      ...row,
      uid: `${account.uid.slice(0, 22)}${String(n).padStart(2, '0')}`,
      device_uid: `old-${n}`,
      endpoint: `https://web.push.apple.com/${account.uid}/${n}`,
      created_at: new Date(server.clock.now.getTime() - (20 - n) * 60_000),
    }));
    await server.database.db.insertInto('push_device').values(rows).execute();
    await add(`newest-${account.uid}`);
    const ids = (await list()).map(({ id }: { id: string }) => id);
    expect(ids).toHaveLength(20);
    expect(ids).not.toContain(rows[0]?.uid);
  });

  it.each([
    'http://updates.push.services.mozilla.com/x',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost:5432/',
    'https://fcm.googleapis.com.example.com/x',
    'https://user@fcm.googleapis.com/x',
  ])('of no known push service are refused: %s', async (endpoint) => {
    const body = { ...subscription('x'), endpoint };
    const reply = await server.call('POST /notification/add-device', { headers, body });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().field).toBe('endpoint');
  });
});

describe('page views', () => {
  const stored = () =>
    server.database.db.selectFrom('page_view').selectAll().where('account_id', '=', account.id).execute();
  const view = (more: Record<string, string>, key = '/farm/$id') =>
    server.call('POST /analytics/page-view', { headers: { ...headers, ...more }, body: { key } });

  it('are stored by pattern, but not of those who ask not to be followed', async () => {
    for (const name of ['dnt', 'sec-gpc'])
      expect((await view({ [name]: '1' })).json()).toEqual({ success: true });
    expect(await stored()).toEqual([]);
    await view({ dnt: '0' });
    expect(await stored()).toMatchObject([{ key: '/farm/$id', device_uid: 'test', at: server.clock.now }]);
  });

  it.each(['/invite?key=SECRET123', '/farm/0123456789abcdef01234567', '/farm/$id?x=1', '', 'anything'])(
    'of what is no pattern of a page are refused: %j',
    async (key) => {
      const before = await stored();
      expect((await view({}, key)).statusCode).toBe(400);
      expect(await stored()).toEqual(before);
    },
  );
});

describe('what the installation is set to', () => {
  it('has one key for push messages, whoever asks first', async () => {
    const ask = () => server.call('GET /ims-settings');
    const keys = (await Promise.all([ask(), ask(), ask()])).map((reply) => reply.json().vapidPublicKey);
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0], 'base64url')).toHaveLength(65);
  });

  it('counts as soon as it is stored', async () => {
    const value = JSON.stringify(['nz']);
    await server.database.db
      .insertInto('installation')
      .values([
        { name: 'enabledCountryCodes', value, updated_at: server.clock.now },
        { name: 'newFarmCreation', value: 'false', updated_at: server.clock.now },
      ])
      .execute();
    expect((await server.call('GET /ims-settings')).json()).toMatchObject({
      enabledCountryCodes: ['nz'],
      newFarmCreationGlobal: false,
      newAccountCreationGlobal: true,
    });
  });
});

it('a number that is none keeps the note from neither the bell nor the mail', async () => {
  await set({
    send_sms: true,
    send_email: true,
    mobile: '00000000',
    country_code: 64,
    email_confirmed_at: server.clock.now,
  });
  await tell('Low tank');
  const { list } = (await server.call('GET /notifications', { headers })).json();
  expect(list).toMatchObject([{ title: 'Low tank' }]);
  expect((await outboxOf('mail')).at(-1)).toMatchObject({ recipient: account.email, subject: 'Low tank' });
});

it('what others can cause again and again goes by no other way than the bell beyond 100 a day; an alarm does', async () => {
  await set({ send_sms: true, mobile: '0211234567', country_code: 64 });
  const minor = (title: string) =>
    messages.notify(account.id, { ...note(title), isMinor: true }, server.clock.now);
  for (let n = 1; n <= 101; n += 1) await minor(`Changed ${n}`);
  await tell('Low tank');
  const texts = (await outboxOf('sms'))
    .filter(({ recipient }) => recipient === '+64211234567')
    .map(({ body }) => body.split(':')[0]);
  expect(texts.slice(-2)).toEqual(['Changed 100', 'Low tank']);
});
