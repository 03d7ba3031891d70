import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount } from '../../testing/factories.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { createMessages } from '../messages/create-messages.ts';
import type { Note } from '../messages/messages.ts';
import { createOutboxRepo } from '../outbox/outbox.repo.ts';
import { sendOutbox } from '../outbox/send-outbox.ts';
import { createPushDevicesRepo } from './push-devices.repo.ts';
import { createPushSender, type PushSettings } from './push-sender.ts';
import { readOrMakeVapidKeys, renewVapidKeys } from './vapid-keys.ts';

let database: TestDatabase;
let account: AccountRow;
const now = new Date('2026-11-20T21:00:00Z');
const changed: number[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('outbox').execute();
  account = await buildAccount(database.db);
  await database.db.updateTable('account').set({ send_push: true }).where('id', '=', account.id).execute();
  changed.length = 0;
});

/** A browser's side of RFC 8291: its keys, and what it reads of a message. */
function browser() {
  const ecdh = createECDH('prime256v1');
  const p256dh = ecdh.generateKeys();
  const auth = randomBytes(16);
  return {
    p256dh: p256dh.toString('base64url'),
    auth: auth.toString('base64url'),
    read(body: Buffer): string {
      const [salt, keyLength] = [body.subarray(0, 16), body.readUInt8(20)];
      const senderKey = body.subarray(21, 21 + keyLength);
      const secret = ecdh.computeSecret(senderKey);
      const derive = (ikm: Buffer, saltBytes: Buffer, info: Buffer, length: number) =>
        Buffer.from(hkdfSync('sha256', ikm, saltBytes, info, length));
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, senderKey]);
      const ikm = derive(secret, auth, info, 32);
      const key = derive(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derive(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const sealed = body.subarray(21 + keyLength);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16));
      const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
      return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
    },
  };
}

async function pushService(
  answer: number | ((authorization: string) => number) = 201,
  headers: Record<string, string> = {},
) {
  const heard: { authorization: string; ttl: string; topic: unknown; urgency: unknown; body: Buffer }[] = [];
  const hear = async (request: IncomingMessage, reply: ServerResponse) => {
    const { authorization = '', ttl, topic, urgency } = request.headers;
    heard.push({ authorization, ttl: String(ttl), topic, urgency, body: await buffer(request) });
    const status = typeof answer === 'number' ? answer : answer(authorization);
    reply.writeHead(status, headers).end();
  };
  const http = createServer((request, reply) => void hear(request, reply));
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => void http.close());
  return { heard, origin: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

async function subscribe(
  origin: string,
  keys: { p256dh: string; auth: string },
  expiresAt: Date | null = null,
) {
  const subscription = { endpoint: `${origin}/${randomBytes(6).toString('hex')}`, expiresAt, ...keys };
  const from = { deviceUid: randomBytes(6).toString('hex'), address: '', userAgent: '' };
  return (await createPushDevicesRepo(database.db).add(account.id, subscription, from, now)).uid;
}

async function notifyAndSend(
  message = 'The pump stopped. 🌧️',
  settings: Partial<PushSettings> = {},
  note: Partial<Note> = {},
) {
  const messages = createMessages({
    db: database.db,
    publicUrl: 'https://water.example.com',
  });
  await messages.notify(account.id, { title: 'Pump', message, link: '/dashboard', ...note }, now);
  const sender = createPushSender({
    db: database.db,
    subject: 'https://water.example.com',
    pushHosts: ['127.0.0.1'],
    ...settings,
    onChanged: (id) => void changed.push(id),
  });
  const outbox = createOutboxRepo(database.db);
  await sendOutbox({ outbox, senders: [sender], now: () => now, log: { warn() {} } });
  return database.db.selectFrom('outbox').selectAll().where('way', '=', 'push').orderBy('id').execute();
}

const devices = () =>
  database.db.selectFrom('push_device').select('uid').where('account_id', '=', account.id).execute();

it('each browser of the account gets it, readable by that browser alone', async () => {
  const { heard, origin } = await pushService();
  const browsers = [browser(), browser()];
  for (const { p256dh, auth } of browsers) await subscribe(origin, { p256dh, auth });
  expect((await notifyAndSend()).map(({ state, body }) => [state, body])).toEqual([
    ['sent', ''],
    ['sent', ''],
  ]);
  expect(heard).toHaveLength(2);
  for (const [index, { read }] of browsers.entries()) {
    const body = heard[index]?.body ?? Buffer.alloc(0);
    expect(JSON.parse(read(body))).toEqual({
      key: expect.stringMatching(/^[\w-]{22}$/),
      title: 'Pump',
      message: 'The pump stopped. 🌧️',
      link: '/dashboard',
    });
    expect(() => browser().read(body)).toThrow();
  }
});

it("carries a token that this installation's key signed, for that push service alone", async () => {
  const { heard, origin } = await pushService();
  const { p256dh, auth } = browser();
  await subscribe(origin, { p256dh, auth });
  await notifyAndSend();
  const [, token = '', key = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(heard[0]?.authorization ?? '') ?? [];
  expect(key).toBe((await readOrMakeVapidKeys(database.db, now)).publicKey);
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', signed, options, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    aud: origin,
    sub: 'https://water.example.com',
  });
});

it.each([404, 410])('a browser that is gone (%i) is forgotten, and the account is told', async (status) => {
  const { origin } = await pushService(status);
  const { p256dh, auth } = browser();
  await subscribe(origin, { p256dh, auth });
  expect(await notifyAndSend()).toMatchObject([{ state: 'failed', tries: 1 }]);
  expect(await devices()).toEqual([]);
  expect(changed).toEqual([account.id]);
});

it.each([429, 500, 302])('is tried again when the push service answers %i', async (status) => {
  // Nobody goes where it points to.
  const { heard, origin } = await pushService(status, { location: '/elsewhere' });
  const { p256dh, auth } = browser();
  await subscribe(origin, { p256dh, auth });
  expect(await notifyAndSend()).toMatchObject([
    { state: 'queued', tries: 1, error: `The push service answered ${status}.` },
  ]);
  expect(await devices()).toHaveLength(1);
  expect(heard).toHaveLength(1);
});

it('is tried again when nothing answers', async () => {
  const http = createServer((request) => void request.socket.destroy());
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => void http.close());
  const { p256dh, auth } = browser();
  await subscribe(`http://127.0.0.1:${(http.address() as AddressInfo).port}`, { p256dh, auth });
  expect(await notifyAndSend()).toMatchObject([
    { state: 'queued', error: 'The push service did not answer: UND_ERR_SOCKET.' },
  ]);
});

it.each([
  ['600', '2026-11-20T21:10:00Z'],
  ['Fri, 20 Nov 2026 21:30:00 GMT', '2026-11-20T21:30:00Z'],
  // No earlier than it would have been anyway, and no later than a day.
  ['5', '2026-11-20T21:01:00Z'],
  ['99999999', '2026-11-21T21:00:00Z'],
  ['soon', '2026-11-20T21:01:00Z'],
])('is not tried again before the push service wants it: Retry-After: %s', async (retryAfter, next) => {
  const { origin } = await pushService(429, { 'retry-after': retryAfter });
  const { p256dh, auth } = browser();
  await subscribe(origin, { p256dh, auth });
  expect(await notifyAndSend()).toMatchObject([{ state: 'queued', next_try_at: new Date(next) }]);
});

it('a subscription that has ended, or has keys that are none, does not hold up the others', async () => {
  const { heard, origin } = await pushService();
  const { p256dh, auth } = browser();
  await subscribe(origin, { p256dh, auth }, new Date(now.getTime() - 1));
  await subscribe(origin, { p256dh: 'B'.repeat(87), auth });
  await subscribe(origin, { p256dh, auth });
  expect((await notifyAndSend()).map(({ state }) => state)).toEqual(['failed', 'failed', 'sent']);
  expect(heard).toHaveLength(1);
});

it('a long message is cut, not lost', async () => {
  const { heard, origin } = await pushService();
  const { read, ...keys } = browser();
  await subscribe(origin, keys);
  expect(await notifyAndSend('Ā'.repeat(5000))).toMatchObject([{ state: 'sent' }]);
  expect(JSON.parse(read(heard[0]?.body ?? Buffer.alloc(0))).message).toBe(`${'Ā'.repeat(500)}…`);
});

it("nothing goes to Apple's push service while the operator has no address, and the message says why", async () => {
  const { p256dh, auth } = browser();
  await subscribe('https://web.push.apple.com', { p256dh, auth });
  expect(await notifyAndSend('x', { subject: null })).toMatchObject([
    {
      state: 'failed',
      error:
        "Apple's push service needs the operator's address: PUBLIC_URL as https, or MAIL_FROM. Nothing was sent.",
    },
  ]);
});

it('is kept for a phone that is off as long as it is of use, the newest of its topic alone, and wakes it when urgent', async () => {
  const { heard, origin } = await pushService();
  const { p256dh, auth } = browser();
  await subscribe(origin, { p256dh, auth });
  const topic = '01968b3a000070008000aabb';
  await notifyAndSend('x', {}, { topic, isUrgent: true, expiresAt: new Date(now.getTime() + 7_200_000) });
  expect(heard[0]).toMatchObject({ ttl: '7200', topic, urgency: 'high' });
});

it('a browser whose key is refused has to subscribe again', async () => {
  const { origin } = await pushService(403);
  const { p256dh, auth } = browser();
  await subscribe(origin, { p256dh, auth });
  expect(await notifyAndSend()).toMatchObject([
    { state: 'failed', error: 'The push service refused our key: this browser has to subscribe again.' },
  ]);
});

it.each([
  ['by Chrome’s', 403, 89, false, 'sent'],
  ['by Firefox’s', 401, 89, false, 'sent'],
  ['once no session is as old', 403, 91, false, 'failed'],
  ['where the former key leaked', 403, 0, true, 'failed'],
])(
  'a browser of a former key of ours %s push service (%i) after %i days',
  async (_whose, refusal, days, leaked, state) => {
    const former = await readOrMakeVapidKeys(database.db, now);
    const { heard, origin } = await pushService((by) => (by.endsWith(former.publicKey) ? 201 : refusal));
    const { p256dh, auth } = browser();
    await subscribe(origin, { p256dh, auth });
    await renewVapidKeys(database.db, new Date(now.getTime() - days * 86_400_000), leaked);
    expect(await notifyAndSend()).toMatchObject([{ state }]);
    expect(heard).toHaveLength(state === 'sent' ? 2 : 1);
    expect(heard[0]?.authorization).toContain((await readOrMakeVapidKeys(database.db, now)).publicKey);
    expect(heard[0]?.authorization).not.toContain(former.publicKey);
  },
);
