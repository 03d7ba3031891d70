import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { issueKey } from './account-keys.ts';
import { forgetExpired } from './forget-expired.ts';
import * as passwords from './password.ts';
import { days, later, mailedKey, mailsTo, minutes } from './testing/account-kit.ts';

let server: TestServer;
let passwordHash: string;
let email: string;
let count = 0;
const looked = vi.spyOn(passwords, 'verifyPassword');
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 1_000_000, trustedProxies: 1 });
  passwordHash = await passwords.hashPassword('correct horse');
});
afterAll(() => server.close());
beforeEach(async () => {
  email = `guessed${(count += 1)}@example.com`;
  await buildAccount(server.database.db, {
    email,
    password_hash: passwordHash,
    email_confirmed_at: server.clock.now,
  });
  looked.mockClear();
});

const signIn = (password: string, address: string, device = 'attacker') =>
  server.call('POST /account/auth', {
    headers: { 'x-forwarded-for': address, deviceuid: device },
    body: { email, password },
  });

/** In batches, as many at the same moment as an attacker would send. */
async function guess(times: number, addressOf: (turn: number) => string): Promise<string[]> {
  const texts: string[] = [];
  for (let from = 0; from < times; from += 50) {
    const batch = Array.from({ length: Math.min(50, times - from) }, (_, index) =>
      signIn(`guess ${from + index}`, addressOf(from + index)),
    );
    for (const reply of await Promise.all(batch)) texts.push(`${reply.statusCode} ${reply.body}`);
  }
  return texts;
}
const allWrong = ['401 Invalid username/password.'];

/** Thousands of calls: slow where the machine is busy. */
describe('a thousand wrong passwords', { timeout: 120_000 }, () => {
  it('from one address: ten are looked at, the owner is told once, and after a quarter of an hour all is well', async () => {
    await signIn('correct horse', '10.1.0.9', 'own phone');
    looked.mockClear();
    for (let tries = 0; tries < 20; tries += 1) await signIn(`try ${tries}`, '10.1.0.1');
    const texts = await guess(980, () => '10.1.0.1');
    expect([...new Set(texts)]).toEqual(allWrong);
    expect(looked).toHaveBeenCalledTimes(10);
    expect((await signIn('correct horse', '10.1.0.1')).statusCode).toBe(401);
    expect((await signIn('correct horse', '10.1.0.9', 'own phone')).statusCode).toBe(200);
    expect((await mailsTo(server, email)).map(({ subject }) => subject)).toEqual([
      'Someone is trying to sign in to your Headrace account',
    ]);
    await later(server, minutes(15) + 1, async () => {
      expect((await signIn('correct horse', '10.1.0.1')).statusCode).toBe(200);
    });
  });

  it.each([
    ['one that claims to speak for others', (turn: number) => `198.51.100.${turn}, 10.4.0.1`],
    ['one network of IPv6', (turn: number) => `2001:db8:4:1::${turn.toString(16)}`],
  ])('from %s: ten are looked at', async (_whose, addressOf) => {
    looked.mockClear();
    for (let tries = 0; tries < 20; tries += 1) await signIn(`try ${tries}`, addressOf(tries));
    expect(looked).toHaveBeenCalledTimes(10);
  });

  it('from a hundred addresses against one account: thirty are looked at; the owner is told once for each quarter of an hour, and the known device gets in', async () => {
    await signIn('correct horse', '10.2.1.1', 'own phone');
    looked.mockClear();
    for (let tries = 0; tries < 40; tries += 1) await signIn(`try ${tries}`, `10.2.0.${tries}`);
    const texts = await guess(960, (turn) => `10.2.0.${turn % 100}`);
    expect([...new Set(texts)]).toEqual(allWrong);
    expect(looked).toHaveBeenCalledTimes(30);
    expect((await signIn('correct horse', '10.2.2.2', 'new laptop')).statusCode).toBe(401);
    expect((await signIn('correct horse', '10.2.1.1', 'own phone')).statusCode).toBe(200);
    expect(await mailsTo(server, email)).toHaveLength(1);
    await later(server, minutes(15) + 1, async () => {
      await guess(100, (turn) => `10.2.0.${turn}`);
      expect(await mailsTo(server, email)).toHaveLength(2);
    });
  });
});

describe('nobody can lock another out:', () => {
  it('the mail about guesses has a link that signs in with a new browser, however many guess on', async () => {
    for (let tries = 0; tries < 40; tries += 1) await signIn(`try ${tries}`, `10.8.0.${tries}`);
    expect((await signIn('correct horse', '10.8.9.9', 'new laptop')).statusCode).toBe(401);
    const key = await mailedKey(server, email, '/login/');
    const reply = await server.call('POST /account/auth/passwordless', { body: { key } });
    expect(reply.json()).toMatchObject({ success: true });
  });

  it('an address that was never confirmed gets no such link', async () => {
    await server.database.db
      .updateTable('account')
      .set({ email_confirmed_at: null })
      .where('email', '=', email)
      .execute();
    for (let tries = 0; tries < 12; tries += 1) await signIn(`try ${tries}`, '10.8.1.1');
    const [mail] = await mailsTo(server, email);
    expect(mail?.body).toContain('failed attempts');
    expect(mail?.body).not.toContain('/login/');
  });

  it('a known browser is let in from the very address that guesses', async () => {
    await signIn('correct horse', '10.8.2.1', 'own phone');
    for (let tries = 0; tries < 20; tries += 1) await signIn(`try ${tries}`, '10.8.2.1');
    expect((await signIn('correct horse', '10.8.2.1', 'own phone')).statusCode).toBe(200);
  });

  it('one person’s hundred mistakes don’t shut out a new browser of another person behind the same address', async () => {
    for (let tries = 0; tries < 100; tries += 1) await signIn(`try ${tries}`, '10.8.3.1');
    const other = `other-${email}`;
    await buildAccount(server.database.db, { email: other, password_hash: passwordHash });
    const reply = await server.call('POST /account/auth', {
      headers: { 'x-forwarded-for': '10.8.3.1', deviceuid: 'never seen' },
      body: { email: other, password: 'correct horse' },
    });
    expect(reply.statusCode).toBe(200);
  });

  it('known browsers get in where fifty mistakes over many accounts shut the address to strangers', async () => {
    await signIn('correct horse', '10.8.4.1', 'own phone');
    for (let tries = 0; tries < 50; tries += 1)
      await server.call('POST /account/auth', {
        headers: { 'x-forwarded-for': '10.8.4.1' },
        body: { email: `nobody${tries}@example.com`, password: 'wrong' },
      });
    expect((await signIn('correct horse', '10.8.4.1', 'new laptop')).statusCode).toBe(401);
    expect((await signIn('correct horse', '10.8.4.1', 'own phone')).statusCode).toBe(200);
    // The owner's own right password was one too many: that brings the link by which the new browser gets in from there.
    const key = await mailedKey(server, email, '/login/');
    const reply = await server.call('POST /account/auth/passwordless', {
      headers: { 'x-forwarded-for': '10.8.4.1', deviceuid: 'new laptop' },
      body: { key },
    });
    expect(reply.json()).toMatchObject({ success: true });
  });
});

it('a stolen name of a known browser has ten tries over all addresses, and the owner gets in with another known browser and by the mailed link', async () => {
  await signIn('correct horse', '10.9.1.1', 'own phone');
  await signIn('correct horse', '10.9.1.2', 'own laptop');
  looked.mockClear();
  const texts = new Set<string>();
  for (let turn = 0; turn < 200; turn += 1) {
    const reply = await signIn(`try ${turn}`, `10.9.${2 + (turn % 100)}.${turn % 200}`, 'own phone');
    texts.add(`${reply.statusCode} ${reply.body}`);
  }
  expect([[...texts], looked.mock.calls.length]).toEqual([allWrong, 10]);
  expect((await signIn('correct horse', '10.9.1.1', 'own phone')).statusCode).toBe(401);
  expect((await signIn('correct horse', '10.9.1.2', 'own laptop')).statusCode).toBe(200);
  const key = await mailedKey(server, email, '/login/');
  const reply = await server.call('POST /account/auth/passwordless', { body: { key } });
  expect(reply.json()).toMatchObject({ success: true });
  await later(server, minutes(15) + 1, async () => {
    expect((await signIn('correct horse', '10.9.1.1', 'own phone')).statusCode).toBe(200);
  });
});

it('whoever is signed in has ten tries of the password over all addresses, whatever they call their browser', async () => {
  const { token } = (await signIn('correct horse', '10.9.3.1', 'own phone')).json<{ token: string }>();
  looked.mockClear();
  const statuses: number[] = [];
  for (let turn = 0; turn < 30; turn += 1) {
    const headers = {
      authorization: token,
      'x-forwarded-for': `10.9.4.${turn}`,
      deviceuid: `browser ${turn}`,
    };
    const body = { currPwd: `try ${turn}`, newPwd: 'a horse of tomorrow' };
    statuses.push((await server.call('POST /account/change-password', { headers, body })).statusCode);
  }
  expect(statuses).toEqual([...Array(10).fill(400), ...Array(20).fill(429)]);
  expect(looked).toHaveBeenCalledTimes(10);
  // Signing in is counted apart.
  expect((await signIn('correct horse', '10.9.3.1', 'own phone')).statusCode).toBe(200);
});

it('who leaves the name of the browser away is no known one, though the owner once signed in without', async () => {
  await signIn('correct horse', '10.5.1.1', '');
  looked.mockClear();
  for (let tries = 0; tries < 40; tries += 1)
    expect((await signIn(`try ${tries}`, `10.5.0.${tries}`, '')).statusCode).toBe(401);
  expect(looked).toHaveBeenCalledTimes(30);
});

it('guesses at the very same moment get no further than guesses one by one', async () => {
  await guess(50, () => '10.4.0.1');
  expect(looked.mock.calls.length).toBeLessThanOrEqual(10);
});

describe('housekeeping', () => {
  const counts = async () => {
    const { pool } = server.database;
    const { rows } = await pool.query<Record<string, number>>(
      `select (select count(*)::int from sign_in_failure) as failures, (select count(*)::int from account_key) as keys,
        (select count(*)::int from page_view) as views`,
    );
    return rows[0];
  };

  it('forgets wrong passwords after a day, ended keys a day after, page views after 90 days', async () => {
    const { db, pool } = server.database;
    for (const table of ['sign_in_failure', 'account_key', 'page_view'])
      await pool.query(`delete from ${table}`);
    const account = await buildAccount(db);
    await signIn('wrong', '10.3.0.1');
    await issueKey(db, account, 'reset-password', server.clock.now);
    const view = { account_id: account.id, device_uid: 'x', key: '/farms', at: server.clock.now };
    await db.insertInto('page_view').values(view).execute();
    const at = (ms: number) => new Date(server.clock.now.getTime() + ms);
    await forgetExpired(db, at(days(1)));
    expect(await counts()).toEqual({ failures: 1, keys: 1, views: 1 });
    await forgetExpired(db, at(days(1) + minutes(61)));
    expect(await counts()).toEqual({ failures: 0, keys: 0, views: 1 });
    await forgetExpired(db, at(days(90) + 1));
    expect(await counts()).toEqual({ failures: 0, keys: 0, views: 0 });
  });

  it('forgets known browsers after 400 days, and with an ended session the push messages of its browser', async () => {
    const { db } = server.database;
    const account = await buildAccount(db, { password_hash: passwordHash });
    const from = (deviceuid: string) => ({ deviceuid, 'x-forwarded-for': '10.6.0.1' });
    const body = { email: account.email, password: 'correct horse' };
    for (const device of ['phone', 'laptop']) {
      const { token } = (await server.call('POST /account/auth', { headers: from(device), body })).json();
      const subscription = {
        endpoint: `https://fcm.googleapis.com/${account.uid}${device}`,
        p256dh: 'B'.repeat(87),
        auth: 'a'.repeat(22),
      };
      const headers = { ...from(device), authorization: token };
      await server.call('POST /notification/add-device', { headers, body: subscription });
    }
    const at = (ms: number) => new Date(server.clock.now.getTime() + ms);
    // Signed in anew there before the first session ended.
    await later(server, days(29), () => server.call('POST /account/auth', { headers: from('phone'), body }));
    const devices = async (table: 'push_device' | 'known_device') =>
      (await db.selectFrom(table).select('device_uid').where('account_id', '=', account.id).execute()).map(
        ({ device_uid }) => device_uid,
      );
    await forgetExpired(db, at(days(30) + 1));
    expect(await devices('push_device')).toEqual(['phone']);
    await forgetExpired(db, at(days(400) + 1));
    expect(await devices('known_device')).toEqual(['phone']);
    expect(await devices('push_device')).toEqual([]);
  });
});
