import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { endpoints } from '@headrace/contract/api';
import type { SignedInDevice } from '@headrace/contract/account-details';
import type { ErrorReply } from '@headrace/contract/errors';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { issueKey } from './account-keys.ts';
import { hashPassword } from './password.ts';
import { days, knownBrowsers, later, mailedKey, mailsTo, minutes } from './testing/account-kit.ts';

let server: TestServer;
let passwordHash: string;
let account: AccountRow;
let count = 0;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000, trustedProxies: 1 });
  passwordHash = await hashPassword('correct horse');
  await server.http.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await buildAccount(server.database.db, { password_hash: passwordHash });
});

type Headers = Record<string, string>;
const call = (key: string, options: { body?: object; headers?: Headers; query?: Headers } = {}) =>
  server.call(key, {
    ...options,
    headers: { 'x-forwarded-for': `10.8.${count % 250}.${(count += 1) % 250}`, ...options.headers },
  });
const signIn = (password: string, headers: Headers = {}) =>
  call('POST /account/auth', { body: { email: account.email, password }, headers });
async function signedIn(password = 'correct horse', headers: Headers = {}) {
  const { token } = (await signIn(password, headers)).json<{ token: string }>();
  return { authorization: token, ...headers };
}
const isSignedIn = async (headers: Headers) =>
  (await call('GET /account/details', { headers })).statusCode === 200;
const stored = () =>
  server.database.db.selectFrom('account').selectAll().where('id', '=', account.id).executeTakeFirstOrThrow();

/** Of a key that is used or old: its words name the remedy. */
const LINK_REFUSED = [
  400,
  'invalid',
  'key',
  "This link doesn't work: it may have been used, or is older than one hour. Please ask for a new link.",
];
function refusal(reply: Awaited<ReturnType<typeof call>>) {
  const { code, field, errorMessage } = reply.json<ErrorReply>();
  return [reply.statusCode, code, field, errorMessage];
}

/** A live connection; what it closes with. */
async function connectLive(token: string): Promise<{ closed: Promise<number>; socket: WebSocket }> {
  const { port } = server.http.server.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, token);
  await once(socket, 'message');
  const closed = once(socket, 'close').then(([code]) => code as number);
  return { closed, socket };
}

describe('a forgotten password', () => {
  const forget = (email = account.email) => call('POST /account/forgot-password', { body: { email } });
  const reset = (key: string, password = 'new horse', passwordConfirmation = password) =>
    call('POST /account/reset-password', { body: { key, password, passwordConfirmation } });
  async function resetKey(): Promise<string> {
    const before = (await mailsTo(server, account.email)).length;
    await forget();
    await expect.poll(async () => (await mailsTo(server, account.email)).length).toBe(before + 1);
    return mailedKey(server, account.email, '/reset-password?key=');
  }

  it('is answered alike for known, unknown and impossible addresses, by the letter', async () => {
    const replies = [await forget(), await forget('nobody@example.com'), await forget('no address')];
    for (const reply of replies) expect([reply.statusCode, reply.body]).toEqual([200, '{"success":true}']);
    await expect.poll(() => mailsTo(server, account.email)).toHaveLength(1);
    expect(await mailsTo(server, 'nobody@example.com')).toEqual([]);
  });

  it('is set anew with the mailed key: once, and every session ends at once with its live connection', async () => {
    const [phone, laptop] = [await signedIn(), await signedIn()];
    const live = await connectLive(phone.authorization);
    const key = await resetKey();
    expect((await reset(key)).json()).toEqual({ success: true });
    expect(await live.closed).toBe(4401);
    expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([false, false]);
    expect((await signIn('correct horse')).body).toBe('Invalid username/password.');
    expect((await signIn('new horse')).statusCode).toBe(200);
    expect(refusal(await reset(key, 'third horse'))).toEqual(LINK_REFUSED);
    expect((await signIn('third horse')).statusCode).toBe(401);
    expect((await mailsTo(server, account.email)).at(-1)?.subject).toBe('Your password was changed');
  });

  it('once reset, proves the address and clears earlier mistakes', async () => {
    const address = { 'x-forwarded-for': '10.7.7.7' };
    for (let tries = 0; tries < 10; tries += 1) await signIn('wrong', address);
    await reset(await resetKey());
    expect((await stored()).email_confirmed_at).toEqual(server.clock.now);
    expect((await signIn('new horse', address)).statusCode).toBe(200);
  });

  it('once reset, makes strangers of all browsers: a thief had one of them, or its name', async () => {
    await signIn('correct horse', { deviceuid: 'stolen' });
    expect(await knownBrowsers(server, account.email)).toEqual(['stolen']);
    await reset(await resetKey());
    expect(await knownBrowsers(server, account.email)).toEqual([]);
  });

  it('has an hour', async () => {
    const key = await resetKey();
    expect(refusal(await later(server, minutes(60), () => reset(key)))).toEqual(LINK_REFUSED);
    expect((await later(server, minutes(59), () => reset(key))).json()).toEqual({ success: true });
  });

  it('may be followed by another try when the new one is refused; the key stays', async () => {
    const key = await resetKey();
    const refusals = [
      await reset(key, 'short'),
      await reset(key, 'password'),
      await reset(key, 'new horse', 'x'),
    ];
    expect(refusals.map((reply) => [reply.statusCode, reply.json<{ field: string }>().field])).toEqual([
      [400, 'password'],
      [400, 'password'],
      [400, 'passwordConfirmation'],
    ]);
    expect((await reset(key)).json()).toEqual({ success: true });
  });

  it('of two with the same key at the same moment, one sets it', async () => {
    const key = await resetKey();
    const replies = await Promise.all([reset(key, 'first horse'), reset(key, 'other horse')]);
    expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const winner = replies[0].statusCode === 200 ? 'first horse' : 'other horse';
    expect((await signIn(winner)).statusCode).toBe(200);
  });

  it('is mailed once in ten minutes, whoever asks', async () => {
    await resetKey();
    await Promise.all([forget(), forget(), forget()]);
    await later(server, minutes(10) + 1, async () => {
      await forget();
      await expect.poll(() => mailsTo(server, account.email)).toHaveLength(2);
    });
    expect(await mailsTo(server, account.email)).toHaveLength(2);
  });

  it('needs the address that the key went to', async () => {
    const key = await resetKey();
    await server.database.db
      .updateTable('account')
      .set({ email: `moved${account.email}` })
      .where('id', '=', account.id)
      .execute();
    expect(refusal(await reset(key))).toEqual(LINK_REFUSED);
  });
});

describe('changing the password', () => {
  const change = (headers: Headers, currPwd: string, newPwd: string) =>
    call('POST /account/change-password', { headers, body: { currPwd, newPwd } });

  it('goes on with a new token, ends all other sessions and their live connections, and tells the owner', async () => {
    const [here, there] = [await signedIn(), await signedIn()];
    const [hereLive, thereLive] = [
      await connectLive(here.authorization),
      await connectLive(there.authorization),
    ];
    const ends = async (headers: Headers) => {
      const reply = await call('GET /account/sessions', { headers });
      return reply.json<{ sessions: SignedInDevice[] }>().sessions.find(({ isThis }) => isThis)?.endsAt;
    };
    const end = await ends(here);
    const reply = await later(server, days(1), () => change(here, 'correct horse', 'better horse'));
    expect(reply.json()).toMatchObject({ success: true });
    const { token } = reply.json<{ token: string }>();
    // To stay longer takes the second step too, where there is one.
    expect(await ends({ authorization: token })).toBe(end);
    expect(await isSignedIn({ authorization: token })).toBe(true);
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([false, false]);
    // 1012: come back, with the new token; 4401: signed out.
    expect([await hereLive.closed, await thereLive.closed]).toEqual([1012, 4401]);
    expect((await mailsTo(server, account.email)).map(({ subject }) => subject)).toEqual([
      'Your password was changed',
    ]);
    expect((await signIn('better horse')).statusCode).toBe(200);
  });

  it.each([
    ['wrong', 'better horse', 'currPwd', 'This is not your current password.'],
    ['correct horse', 'short', 'newPwd', 'Password must have at least 6 characters.'],
    [
      'correct horse',
      'IloveYou',
      'newPwd',
      'This password is one of the most common ones. Please choose another.',
    ],
    ['correct horse', 'correct horse', 'newPwd', 'Please choose another password than the current one.'],
  ])('from %j to %j is refused and names %s', async (currPwd, newPwd, field, errorMessage) => {
    const headers = await signedIn();
    const reply = await change(headers, currPwd, newPwd);
    expect([reply.statusCode, reply.json()]).toEqual([400, { errorMessage, field, code: 'invalid' }]);
    expect(await isSignedIn(headers)).toBe(true);
  });

  it('is no way to guess on at an open browser', async () => {
    const headers = { ...(await signedIn()), 'x-forwarded-for': '10.6.6.6' };
    for (let tries = 0; tries < 10; tries += 1) await change(headers, `guess ${tries}`, 'better horse');
    const refused = await change(headers, 'correct horse', 'better horse');
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toEqual([
      429,
      '900',
      {
        errorMessage: 'There were too many wrong passwords. Please try again in 15 minutes.',
        code: 'tooMany',
      },
    ]);
    expect((await mailsTo(server, account.email))[0]?.subject).toBe(
      'Someone is trying to sign in to your Headrace account',
    );
  });

  it('gives no password to an account that has none: its session alone is no proof, a mailed link is', async () => {
    account = await buildAccount(server.database.db, { type: 'AGENT' });
    const headers = await server.signIn(account);
    expect((await call('GET /account/details', { headers })).json()).toMatchObject({ hasPassword: false });
    const reply = await change(headers, '', 'my own horse');
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { field: 'currPwd' }]);
    const key = await issueKey(server.database.db, account, 'reset-password', server.clock.now);
    const body = { key, password: 'my own horse', passwordConfirmation: 'my own horse' };
    expect((await call('POST /account/reset-password', { body })).statusCode).toBe(200);
    expect((await signIn('my own horse')).statusCode).toBe(200);
  });

  it('makes earlier mailed links worthless', async () => {
    const keys = [
      await issueKey(server.database.db, account, 'passwordless', server.clock.now),
      await issueKey(server.database.db, account, 'reset-password', server.clock.now),
    ] as const;
    await change(await signedIn(), 'correct horse', 'better horse');
    const linked = await call('POST /account/auth/passwordless', { body: { key: keys[0] } });
    expect(linked.json()).toEqual({ success: false });
    const body = { key: keys[1], password: 'new horse', passwordConfirmation: 'new horse' };
    expect(refusal(await call('POST /account/reset-password', { body }))).toEqual(LINK_REFUSED);
  });
});

describe('somebody whose password was chosen by another', () => {
  it('may do nothing but what belongs to choosing one; then everything', async () => {
    await server.database.db
      .updateTable('account')
      .set({ must_change_password: true })
      .where('id', '=', account.id)
      .execute();
    const reply = await signIn('correct horse');
    expect(reply.json()).toMatchObject({ mustChangePassword: true });
    const headers = { authorization: reply.json<{ token: string }>().token };
    const asked = endpoints.filter(
      ({ key, needs, query }) =>
        key.startsWith('GET') && 'login' in needs && Object.keys(query?.properties ?? {}).length === 0,
    );
    expect(asked.length).toBeGreaterThan(10);
    for (const { key, beforeNewPassword } of asked) {
      const { statusCode, body } = await call(key, { headers });
      if (beforeNewPassword) expect([key, statusCode]).toEqual([key, 200]);
      else
        expect([key, statusCode, body]).toEqual([
          key,
          403,
          expect.stringContaining('a password of your own'),
        ]);
    }
    const changed = await call('POST /account/change-password', {
      headers,
      body: { currPwd: 'correct horse', newPwd: 'my own horse' },
    });
    const after = { authorization: changed.json<{ token: string }>().token };
    expect((await call('GET /account/sessions', { headers: after })).statusCode).toBe(200);
  });
});

describe('signing in by a mailed link', () => {
  const follow = (key: string) => call('POST /account/auth/passwordless', { body: { key } });
  const issue = () => issueKey(server.database.db, account, 'passwordless', server.clock.now);

  it('answers with the session and proves the address, once', async () => {
    const key = await issue();
    const reply = (await follow(key)).json<{ data: { token: string } }>();
    expect(reply).toMatchObject({
      success: true,
      data: { email: account.email, name: account.name, mustChangePassword: false },
      hasMobile: false,
      sendSms: false,
      sendPush: false,
      sendEmail: false,
      sendAction: true,
      deviceId: null,
    });
    expect(await isSignedIn({ authorization: reply.data.token })).toBe(true);
    expect((await stored()).email_confirmed_at).toEqual(server.clock.now);
    expect((await follow(key)).json()).toEqual({ success: false });
  });

  it('opens one session when it is followed by many at the same moment', async () => {
    const key = await issue();
    const replies = await Promise.all(Array.from({ length: 8 }, () => follow(key)));
    expect(replies.filter((reply) => reply.json<{ success: boolean }>().success)).toHaveLength(1);
  });

  it('works for 24 hours, and not for an account that was not approved', async () => {
    const key = await issue();
    expect((await later(server, days(1), () => follow(key))).json()).toEqual({ success: false });
    await server.database.db
      .updateTable('account')
      .set({ approved: false })
      .where('id', '=', account.id)
      .execute();
    expect((await follow(key)).json()).toEqual({ success: false });
  });
});

describe('signed-in browsers', () => {
  interface Device {
    id: string;
    browser: string;
    isThis: boolean;
  }
  const list = async (headers: Headers) =>
    (await call('GET /account/sessions', { headers })).json<{ sessions: Device[] }>().sessions;
  const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0' };

  it('are listed by name, the newest use first, and each can be signed out', async () => {
    const there = await signedIn('correct horse', firefox);
    const live = await connectLive(there.authorization);
    const here = await later(server, 1000, () =>
      signedIn('correct horse', { 'x-forwarded-for': '10.1.1.1' }),
    );
    const [mine, theirs] = await list(here);
    expect(mine).toMatchObject({ isThis: true, address: '10.1.1.1', signedInAt: '2026-11-20T21:00:01.000Z' });
    expect(theirs).toMatchObject({ browser: 'Firefox on Linux', isThis: false });
    const end = await call('DELETE /account/session', { headers: here, query: { id: theirs?.id ?? '' } });
    expect(end.json()).toEqual({ success: true });
    expect(await live.closed).toBe(4401);
    expect([await isSignedIn(there), await isSignedIn(here)]).toEqual([false, true]);
  });

  it('of somebody else can not be ended', async () => {
    const mine = await signedIn();
    const stranger = await server.signIn(await buildAccount(server.database.db));
    const [device] = await list(mine);
    const end = await call('DELETE /account/session', { headers: stranger, query: { id: device?.id ?? '' } });
    expect(end.json()).toEqual({ success: false });
    expect(await isSignedIn(mine)).toBe(true);
  });

  it('are all signed out but this one', async () => {
    const [here, ...others] = [await signedIn(), await signedIn(), await signedIn()];
    await call('DELETE /account/sessions', { headers: here });
    expect(await Promise.all([here, ...others].map(isSignedIn))).toEqual([true, false, false]);
    expect(await list(here)).toHaveLength(1);
  });
});
