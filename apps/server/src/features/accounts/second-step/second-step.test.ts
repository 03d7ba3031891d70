import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LoginReply, SecondStepAsked } from '@headrace/contract/accounts';
import type { SecondStepState } from '@headrace/contract/second-step';
import type { AccountRow } from '../../../db/schema.ts';
import { buildAccount } from '../../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../../testing/test-server.ts';
import { accountCommands } from '../../operator/account-commands.ts';
import { keyCommands } from '../../operator/key-commands.ts';
import { issueKey } from '../account-keys.ts';
import { eraseAccount } from '../erase-account.ts';
import { forgetExpired } from '../forget-expired.ts';
import { hashPassword } from '../password.ts';
import { createSecretBox } from './secret-box.ts';
import { codeShown } from '../testing/authenticator.ts';
import { days, later, mailedKey, mailsTo, minutes } from '../testing/account-kit.ts';

const PASSWORD = 'correct horse';
const SECRET_KEY = 'k7-of-the-operator-0123456789-abcdef';
let server: TestServer;
let passwordHash: string;
let account: AccountRow;
let own: Record<string, string>;
let count = 0;
beforeAll(async () => {
  server = await createTestServer({
    requestsPerMinute: 100_000,
    trustedProxies: 1,
    secretKey: SECRET_KEY,
  });
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => server.close());
beforeEach(async () => {
  account = await buildAccount(server.database.db, {
    password_hash: passwordHash,
    email_confirmed_at: server.clock.now,
  });
  own = await server.signIn(account);
});

/** Each call from another address, unless said. */
const call = (key: string, body?: object, headers: Record<string, string> = {}) =>
  server.call(key, {
    headers: { 'x-forwarded-for': `10.9.${Math.floor((count += 1) / 250)}.${count % 250}`, ...headers },
    ...(body && { body }),
  });
const codeOf = (secret: string, at = server.clock.now) => codeShown(secret, at.getTime());
const wrongCodeFor = (secret: string) => {
  const near = [-30, 0, 30].map((s) => codeOf(secret, new Date(server.clock.now.getTime() + s * 1000)));
  return ['111111', '222222', '333333', '444444'].find((code) => !near.includes(code)) ?? '';
};
const begin = (password = PASSWORD) => call('POST /account/authenticator/begin', { password }, own);

/** The app's secret and the recovery codes. Its first code is of half a minute ago: that of now is still to be used. */
async function setUpApp(): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await begin()).json<{ secret: string }>();
  const code = codeOf(secret, new Date(server.clock.now.getTime() - 30_000));
  const reply = await call('POST /account/authenticator', { code }, own);
  return { secret, ...reply.json<{ recoveryCodes: string[] }>() };
}
const auth = (more: object = {}, headers: Record<string, string> = {}) =>
  call('POST /account/auth', { email: account.email, password: PASSWORD, ...more }, headers);
async function ticketOf(headers: Record<string, string> = {}): Promise<string> {
  return (await auth({}, headers)).json<{ secondStep: SecondStepAsked }>().secondStep.ticket;
}
const answer = (ticket: string, code: string, headers: Record<string, string> = {}, remember = false) =>
  call('POST /account/auth/second-step', { ticket, code, remember }, headers);
interface Answer {
  success: boolean;
  isOver?: boolean;
  data?: LoginReply;
  rememberKey?: string;
  codesLeft?: number;
}
const state = async () => (await call('GET /account/second-step', undefined, own)).json<SecondStepState>();
const subjects = async () => (await mailsTo(server, account.email)).map(({ subject }) => subject);

describe('an authenticator app', () => {
  it('is set up with the password and its first code; recovery codes are told once', async () => {
    expect(await state()).toEqual({
      since: null,
      hasApp: false,
      passkeys: [],
      recoveryCodesLeft: 0,
      passkeySite: 'headrace.test',
    });
    expect((await begin('wrong horse')).json()).toMatchObject({ field: 'password' });
    const { secret, uri, qr } = (await begin()).json<{ secret: string; uri: string; qr: string }>();
    expect(uri).toContain(`secret=${secret}`);
    expect(qr).toMatch(/^<svg [\s\S]*<\/svg>$/);
    // Nothing has changed yet.
    expect((await auth()).json()).toHaveProperty('token');
    const wrong = await call('POST /account/authenticator', { code: wrongCodeFor(secret) }, own);
    expect([wrong.statusCode, wrong.json()]).toMatchObject([400, { field: 'code' }]);
    const reply = await call('POST /account/authenticator', { code: codeOf(secret) }, own);
    const { recoveryCodes } = reply.json<{ recoveryCodes: string[] }>();
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(await state()).toMatchObject({
      since: server.clock.now.toISOString(),
      hasApp: true,
      recoveryCodesLeft: 10,
    });
    expect(await subjects()).toEqual(['Your ways of signing in were changed']);
  });

  it('whose first code comes after a quarter of an hour has to be begun again', async () => {
    const { secret } = (await begin()).json<{ secret: string }>();
    await later(server, minutes(15) + 1, async () => {
      const reply = await call('POST /account/authenticator', { code: codeOf(secret) }, own);
      expect(reply.json()).toMatchObject({ field: 'code', code: 'invalid' });
    });
    expect((await state()).hasApp).toBe(false);
  });

  it('is kept sealed, and recovery codes as hashes', async () => {
    const { secret, recoveryCodes } = await setUpApp();
    const { pool } = server.database;
    const { rows } = await pool.query<{ text: string }>(
      `select encode(secret, 'escape') as text from authenticator where secret is not null union all select encode(code_hash, 'escape') from recovery_code`,
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { text } of rows) {
      expect(text).not.toContain(secret);
      for (const code of recoveryCodes) expect(text).not.toContain(code.slice(0, 6));
    }
  });

  it('is sealed anew when the key is renewed, by SECRET_KEY from then on, and goes on signing in', async () => {
    const { secret } = await setUpApp();
    const { db } = server.database;
    const { now } = server.clock;
    const ofInstallation = createSecretBox(db, null);
    const sealed = async () =>
      (
        await db
          .selectFrom('authenticator')
          .select('secret')
          .where('account_id', '=', account.id)
          .executeTakeFirstOrThrow()
      ).secret as Buffer;
    const renew = (secretKey: string | null) =>
      keyCommands['renew-key']?.run({ db, now, secretKey }, ['authenticator']);
    const keep = async (kept: Buffer) =>
      db.updateTable('authenticator').set({ secret: kept }).where('account_id', '=', account.id).execute();
    await db.deleteFrom('authenticator').where('account_id', '!=', account.id).execute();
    await keep(await ofInstallation.seal(secret, now));
    const before = await sealed();
    expect(await renew(null)).toBe(
      'The key is another one. 1 authenticator apps were sealed anew with the new key.',
    );
    expect(await ofInstallation.open(before, now)).toBeNull();
    expect(await ofInstallation.open(await sealed(), now)).toBe(secret);
    expect(await renew(SECRET_KEY)).toContain('1 authenticator apps were sealed anew with SECRET_KEY.');
    expect(await ofInstallation.open(await sealed(), now)).toBeNull();
    expect(await renew(null)).toContain(
      '0 authenticator apps were sealed anew with the new key. 1 could not be opened',
    );
    expect((await answer(await ticketOf(), codeOf(secret))).json()).toMatchObject({ success: true });
  });

  it('is removed with the password and a code: then the password alone signs in, and the recovery codes have ended', async () => {
    const { secret } = await setUpApp();
    const remove = (body: object) => call('POST /account/authenticator/remove', body, own);
    const code = codeOf(secret);
    expect((await remove({ password: 'wrong horse', code })).json()).toMatchObject({ field: 'password' });
    expect((await remove({ password: PASSWORD })).json()).toMatchObject({ field: 'code' });
    expect((await remove({ password: PASSWORD, code: wrongCodeFor(secret) })).json()).toMatchObject({
      field: 'code',
    });
    expect((await state()).hasApp).toBe(true);
    expect((await remove({ password: PASSWORD, code })).statusCode).toBe(200);
    expect(await state()).toMatchObject({ since: null, hasApp: false, recoveryCodesLeft: 0 });
    expect((await auth()).json()).toHaveProperty('token');
    expect((await subjects()).at(-1)).toBe('Signing in takes one step again');
  });
});

it.each([
  [
    'moves to another address',
    'POST /account/details',
    { name: 'Ana Lee', newsletter: false, mobile: '0211234567', countryCode: 64, notes: '' },
  ],
  ['is closed', 'POST /account/close', {}],
  ['stays signed in for longer', 'POST /account/session/renew', {}],
])('the second step is asked for before an account %s', async (_what, key, body) => {
  const { recoveryCodes } = await setUpApp();
  const entry = 'name' in body ? { ...body, email: `moved.${account.email}` } : body;
  const ask = (more: object) => call(key, { ...entry, ...more }, own);
  expect((await ask({ password: 'wrong horse', code: recoveryCodes[0] })).json()).toMatchObject({
    field: 'password',
  });
  const missing = await ask({ password: PASSWORD });
  expect([missing.statusCode, missing.json()]).toMatchObject([
    400,
    { field: 'code', errorMessage: 'Type a code of your authenticator app, or a recovery code.' },
  ]);
  const before = (await call('GET /account/details', undefined, own)).json();
  expect(before).toMatchObject({ pendingEmail: null, closesAt: null });
  expect((await ask({ password: PASSWORD, code: recoveryCodes[0] })).statusCode).toBe(200);
});

it('wrong codes of somebody who changes the second step are counted, whatever browser says it is there: after a hundred a right one is refused too', async () => {
  const { secret, recoveryCodes } = await setUpApp();
  const wrong = wrongCodeFor(secret);
  let browsers = 0;
  const renew = (code = '') =>
    call(
      'POST /account/recovery-codes',
      { password: PASSWORD, code },
      { ...own, deviceuid: `browser ${(browsers += 1)}` },
    );
  expect((await renew(wrong)).json()).toMatchObject({ field: 'code' });
  const { db } = server.database;
  await db.updateTable('sign_in_ticket').set({ tries: 100 }).where('account_id', '=', account.id).execute();
  expect((await renew(codeOf(secret))).json()).toMatchObject({
    errorMessage: 'Too many codes were tried for this account today. Use a recovery code or a passkey.',
  });
  expect((await renew(recoveryCodes[0])).statusCode).toBe(200);
});

it('five wrong codes of somebody who is signed in are told to the owner, once, and right ones are not', async () => {
  const { secret } = await setUpApp();
  const wrong = wrongCodeFor(secret);
  const renew = (code: string, browser: string) =>
    call('POST /account/recovery-codes', { password: PASSWORD, code }, { ...own, deviceuid: browser });
  const warnings = async () =>
    (await subjects()).filter((one) => one === 'Somebody signed in to your Headrace account tries codes');
  await renew(codeOf(secret), 'mine');
  for (const browser of ['a', 'b', 'c', 'd']) await renew(wrong, browser);
  expect(await warnings()).toEqual([]);
  for (const browser of ['e', 'f']) await renew(wrong, browser);
  expect(await warnings()).toHaveLength(1);
});

describe('signing in with two steps', () => {
  it('gives no session for the password alone, and one for the code after it', async () => {
    const { secret } = await setUpApp();
    const first = await auth();
    expect(first.json()).toEqual({
      secondStep: { ticket: expect.any(String), hasApp: true, hasPasskey: false },
    });
    const { ticket } = first.json<{ secondStep: SecondStepAsked }>().secondStep;
    expect((await call('GET /farms-card', undefined, { authorization: ticket })).statusCode).toBe(401);
    expect((await answer(ticket, wrongCodeFor(secret))).json()).toEqual({ success: false, isOver: false });
    const { data } = (await answer(ticket, ` ${codeOf(secret).replace(/(...)/, '$1 ')} `)).json<Answer>();
    expect(data).toMatchObject({ email: account.email });
    const headers = { authorization: data?.token ?? '' };
    expect((await call('GET /farms-card', undefined, headers)).statusCode).toBe(200);
    // The ticket is used up.
    expect((await answer(ticket, codeOf(secret))).json()).toEqual({ success: false, isOver: true });
  });

  it('takes each code once, also of two that come at the same moment, and none that is older', async () => {
    const { secret } = await setUpApp();
    const tickets = [await ticketOf(), await ticketOf(), await ticketOf()] as const;
    const code = codeOf(secret);
    const both = await Promise.all([answer(tickets[0], code), answer(tickets[1], code)]);
    expect(both.filter((reply) => reply.json<Answer>().success)).toHaveLength(1);
    const before = codeOf(secret, new Date(server.clock.now.getTime() - 30_000));
    expect((await answer(tickets[2], before)).json<Answer>().success).toBe(false);
    await later(server, 30_000, async () => {
      expect((await answer(tickets[2], codeOf(secret))).json<Answer>().success).toBe(true);
    });
  });

  it('ends a ticket after five wrong codes and after ten minutes, and tells the owner that the password is known', async () => {
    const { secret } = await setUpApp();
    const ticket = await ticketOf();
    const replies = [];
    for (let tries = 0; tries < 5; tries += 1)
      replies.push((await answer(ticket, wrongCodeFor(secret))).json<Answer>().isOver);
    expect(replies).toEqual([false, false, false, false, true]);
    expect((await answer(ticket, codeOf(secret))).json<Answer>()).toEqual({ success: false, isOver: true });
    expect((await subjects()).at(-1)).toBe('Somebody has the password of your Headrace account');
    const late = await ticketOf();
    await later(server, minutes(10) + 1, async () => {
      expect((await answer(late, codeOf(secret))).json<Answer>()).toEqual({ success: false, isOver: true });
    });
  });

  it('lets strangers try fifty codes a day; a known browser, a mailed link and a recovery code go on', async () => {
    await later(server, days(2), async () => {
      own = await server.signIn(account);
      const { secret, recoveryCodes } = await setUpApp();
      for (let ticket = 0; ticket < 10; ticket += 1) {
        const text = await ticketOf();
        for (let tries = 0; tries < 5; tries += 1) await answer(text, wrongCodeFor(secret));
      }
      expect((await answer(await ticketOf(), codeOf(secret))).json<Answer>().success).toBe(false);
      expect((await answer(await ticketOf(), recoveryCodes[0] ?? '')).json<Answer>().success).toBe(true);
      const key = await issueKey(server.database.db, account, 'passwordless', server.clock.now);
      const mailed = (await call('POST /account/auth/passwordless', { key })).json<{
        secondStep: SecondStepAsked;
      }>();
      expect((await answer(mailed.secondStep.ticket, codeOf(secret))).json<Answer>().success).toBe(true);
    });
  });

  it('a known browser has a hundred codes a day of its own, and so have mailed links; a recovery code goes on', async () => {
    const { secret, recoveryCodes } = await setUpApp();
    const [phone, laptop] = [{ deviceuid: 'phone' }, { deviceuid: 'laptop' }];
    await answer(await ticketOf(phone), recoveryCodes[0] ?? '', phone);
    await answer(await ticketOf(laptop), recoveryCodes[1] ?? '', laptop);
    await server.database.db
      .updateTable('sign_in_ticket')
      .set({ known_device: true, tries: 100 })
      .where('account_id', '=', account.id)
      .where('device_uid', '=', 'phone')
      .execute();
    const shut = { success: false, isOver: true, isShut: true };
    expect((await answer(await ticketOf(phone), codeOf(secret), phone)).json()).toEqual(shut);
    expect((await answer(await ticketOf(phone), recoveryCodes[2] ?? '', phone)).json<Answer>().success).toBe(
      true,
    );
    const mailTicket = async () => {
      const key = await issueKey(server.database.db, account, 'passwordless', server.clock.now);
      const reply = await call('POST /account/auth/passwordless', { key });
      return reply.json<{ secondStep: SecondStepAsked }>().secondStep.ticket;
    };
    const spent = await mailTicket();
    await server.database.db
      .updateTable('sign_in_ticket')
      .set({ tries: 100 })
      .where('account_id', '=', account.id)
      .where('kind', '=', 'mail')
      .execute();
    expect((await answer(spent, codeOf(secret))).json<Answer>().isOver).toBe(true);
    expect((await answer(await mailTicket(), codeOf(secret))).json()).toEqual(shut);
    expect((await answer(await ticketOf(laptop), codeOf(secret), laptop)).json<Answer>().success).toBe(true);
  });

  it('a new password by mail ends what was begun with the former one, and codes that were tried count no more', async () => {
    const { secret } = await setUpApp();
    const begun = await ticketOf();
    await server.database.db
      .updateTable('sign_in_ticket')
      .set({ tries: 51, used_at: server.clock.now })
      .where('account_id', '=', account.id)
      .execute();
    const other = await ticketOf();
    expect((await answer(other, codeOf(secret))).json()).toMatchObject({ isShut: true });
    const key = await issueKey(server.database.db, account, 'reset-password', server.clock.now);
    await call('POST /account/reset-password', {
      key,
      password: 'a wider river',
      passwordConfirmation: 'a wider river',
    });
    for (const ticket of [begun, other])
      expect((await answer(ticket, codeOf(secret))).json()).toEqual({ success: false, isOver: true });
    const anew = (await auth({ password: 'a wider river' })).json<{ secondStep: SecondStepAsked }>();
    expect((await answer(anew.secondStep.ticket, codeOf(secret))).json<Answer>().success).toBe(true);
  });

  it('takes a recovery code once, in any writing, says how many are left and mails it', async () => {
    const { recoveryCodes } = await setUpApp();
    const [code = ''] = recoveryCodes;
    const typed = code.toLowerCase().replaceAll('-', ' ');
    const reply = (await answer(await ticketOf(), typed)).json<Answer>();
    expect(reply).toMatchObject({ success: true, codesLeft: 9 });
    expect((await answer(await ticketOf(), code)).json<Answer>().success).toBe(false);
    expect((await subjects()).at(-1)).toBe('Somebody signed in with a recovery code');
    const proof = { password: PASSWORD, code: recoveryCodes[2] };
    const made = await call('POST /account/recovery-codes', proof, own);
    expect((await subjects()).slice(-2)).toEqual([
      'Somebody used a recovery code',
      'New recovery codes were made for your account',
    ]);
    expect(made.json<{ recoveryCodes: string[] }>().recoveryCodes).toHaveLength(10);
    expect((await answer(await ticketOf(), recoveryCodes[1] ?? '')).json<Answer>().success).toBe(false);
    expect((await state()).recoveryCodesLeft).toBe(10);
  });

  it('is asked for after a mailed link as well', async () => {
    const { secret } = await setUpApp();
    const key = await issueKey(server.database.db, account, 'passwordless', server.clock.now);
    const reply = (await call('POST /account/auth/passwordless', { key })).json<{
      success: boolean;
      data?: LoginReply;
      secondStep: SecondStepAsked;
    }>();
    expect([reply.success, reply.data]).toEqual([true, undefined]);
    expect((await answer(reply.secondStep.ticket, codeOf(secret))).json<Answer>().success).toBe(true);
  });

  it('is not ended by a new password', async () => {
    await setUpApp();
    const key = await issueKey(server.database.db, account, 'reset-password', server.clock.now);
    const reset = { key, password: 'another horse', passwordConfirmation: 'another horse' };
    expect((await call('POST /account/reset-password', reset)).statusCode).toBe(200);
    expect((await auth({ password: 'another horse' })).json()).toHaveProperty('secondStep');
  });
});

describe('a browser that is told to remember', () => {
  const phone = { deviceuid: 'phone' };
  async function remembered(): Promise<{ rememberKey: string; token: string }> {
    const { secret } = await setUpApp();
    const reply = (await answer(await ticketOf(phone), codeOf(secret), phone, true)).json<Answer>();
    return { rememberKey: reply.rememberKey ?? '', token: reply.data?.token ?? '' };
  }

  it('needs the password alone for 30 days; another browser with its key needs both', async () => {
    const { rememberKey } = await remembered();
    expect((await auth({ rememberKey }, phone)).json()).toHaveProperty('token');
    expect((await auth({ rememberKey }, { deviceuid: 'laptop' })).json()).toHaveProperty('secondStep');
    expect((await auth({}, phone)).json()).toHaveProperty('secondStep');
    expect((await auth({ rememberKey, password: 'wrong horse' }, phone)).statusCode).toBe(401);
    await later(server, days(30), async () =>
      expect((await auth({ rememberKey }, phone)).json()).toHaveProperty('secondStep'),
    );
  });

  it.each([
    [
      'a new password',
      () => call('POST /account/change-password', { currPwd: PASSWORD, newPwd: 'another horse' }, own),
      'another horse',
    ],
    ['signing out everywhere else', () => call('DELETE /account/sessions', undefined, own), PASSWORD],
  ])('is forgotten by %s', async (_what, act, password) => {
    const { rememberKey } = await remembered();
    expect((await act()).statusCode).toBe(200);
    expect((await auth({ rememberKey, password }, phone)).json()).toHaveProperty('secondStep');
  });

  it('is still known after signing out there', async () => {
    const { rememberKey, token } = await remembered();
    await call('POST /account/logout', undefined, { ...phone, authorization: token });
    expect((await auth({ rememberKey }, phone)).json()).toHaveProperty('token');
  });
});

describe('while somebody guesses the password from everywhere', () => {
  const guess = async (times: number, addressOf: (turn: number) => string) => {
    const replies = [];
    for (let turn = 0; turn < times; turn += 1)
      replies.push(await auth({ password: `guess ${turn}` }, { 'x-forwarded-for': addressOf(turn) }));
    return replies;
  };

  it.each([
    ['31 wrong ones from 31 addresses', 31, (turn: number) => `10.20.${count % 200}.${turn}`],
    ['50 wrong ones from one address', 50, () => '10.21.0.1'],
    ['50 wrong ones from one network of IPv6', 50, (turn: number) => `2001:db8:21:1::${turn.toString(16)}`],
  ])(
    '%s: the owner gets in with a new browser by password and code, and the guesser learns nothing',
    async (_what, times, addressOf) => {
      const { secret } = await setUpApp();
      await guess(times, addressOf);
      const from = { 'x-forwarded-for': '10.24.0.9', deviceuid: 'new laptop' };
      const [right, wrong] = [await auth({}, from), await auth({ password: 'guess' }, from)];
      const shape = { secondStep: { ticket: expect.any(String), hasApp: true, hasPasskey: false } };
      expect([right.json(), wrong.json()]).toEqual([shape, shape]);
      const tickets = [right, wrong].map(
        (reply) => reply.json<{ secondStep: SecondStepAsked }>().secondStep.ticket,
      ) as [string, string];
      // Both factors or nothing: also who has the code gets nowhere without the password.
      expect((await answer(tickets[1], codeOf(secret))).json<Answer>()).toEqual({
        success: false,
        isOver: false,
      });
      // The code that came with a wrong password is still good.
      expect((await answer(tickets[0], codeOf(secret))).json<Answer>().success).toBe(true);
    },
  );

  it('codes that are tried without the password bar nobody', async () => {
    const { secret } = await setUpApp();
    await guess(31, (turn) => `10.25.1.${turn}`);
    const wrong = (await auth({ password: 'guess' })).json<{ secondStep: SecondStepAsked }>();
    await answer(wrong.secondStep.ticket, wrongCodeFor(secret));
    await server.database.db
      .updateTable('sign_in_ticket')
      .set({ tries: 500 })
      .where('account_id', '=', account.id)
      .execute();
    expect((await answer(await ticketOf(), codeOf(secret))).json<Answer>().success).toBe(true);
  });

  it('a recovery code opens nothing without the password, and is not used up by it', async () => {
    const { recoveryCodes } = await setUpApp();
    await guess(31, (turn) => `10.22.1.${turn}`);
    const wrong = (await auth({ password: 'guess' })).json<{ secondStep: SecondStepAsked }>();
    expect((await answer(wrong.secondStep.ticket, recoveryCodes[0] ?? '')).json<Answer>().success).toBe(
      false,
    );
    expect((await state()).recoveryCodesLeft).toBe(10);
  });

  it('thirty such sign-ins are looked at in a quarter of an hour; the mailed link goes on', async () => {
    const { secret } = await setUpApp();
    const replies = await guess(70, (turn) => `10.23.1.${turn}`);
    expect(replies.filter((reply) => reply.statusCode === 200)).toHaveLength(30);
    const key = await mailedKey(server, account.email, '/login/');
    const mailed = (await call('POST /account/auth/passwordless', { key })).json<{
      secondStep: SecondStepAsked;
    }>();
    expect((await answer(mailed.secondStep.ticket, codeOf(secret))).json<Answer>().success).toBe(true);
  });

  it('thirty from one known browser are looked at too, whatever others of the account had', async () => {
    const { recoveryCodes } = await setUpApp();
    const [phone, laptop] = [{ deviceuid: 'phone' }, { deviceuid: 'laptop' }];
    for (const [turn, browser] of [phone, laptop].entries())
      await answer(await ticketOf(browser), recoveryCodes[turn] ?? '', browser);
    const guessFrom = async (browser: Record<string, string>, times: number) => {
      const statuses: number[] = [];
      while (statuses.length < times) statuses.push((await auth({ password: 'guess' }, browser)).statusCode);
      return statuses;
    };
    // Ten are plainly wrong; from then on nothing is said of the password.
    expect(await guessFrom(phone, 41)).toEqual([...Array(10).fill(401), ...Array(30).fill(200), 401]);
    expect((await auth({}, phone)).statusCode).toBe(401);
    expect(await guessFrom(laptop, 11)).toEqual([...Array(10).fill(401), 200]);
  });
});

/** As a browser made it: signs nobody in. */
const addPasskey = (name: string) =>
  server.database.db
    .insertInto('passkey')
    .values({
      account_id: account.id,
      credential_id: `${name.replaceAll(' ', '-')}-${account.uid}`,
      public_key: Buffer.from('no key'),
      counter: 0,
      transports: [],
      is_synced: false,
      name,
      created_at: server.clock.now,
    })
    .execute();

describe('what a thief adds with the password alone', () => {
  const undo = async () => {
    const key = await mailedKey(server, account.email, '/undo-email?key=');
    return (await call('POST /account/undo-email', { key })).json<{ success: boolean; resetKey: string }>();
  };
  it('ends by the mailed link, with all sessions and the password; what was there before stays', async () => {
    await addPasskey('Safari on iPhone');
    await later(server, days(1), async () => {
      own = await server.signIn(account);
      await setUpApp();
      await addPasskey('Chrome on Windows');
      const { success, resetKey } = await undo();
      expect(success).toBe(true);
      expect((await call('GET /account/second-step', undefined, own)).statusCode).toBe(401);
      expect((await auth()).statusCode).toBe(401);
      const body = { key: resetKey, password: 'a wider river', passwordConfirmation: 'a wider river' };
      expect((await call('POST /account/reset-password', body)).statusCode).toBe(200);
      own = await server.signIn(account);
      const { hasApp, passkeys } = await state();
      expect([hasApp, passkeys.map(({ name }) => name)]).toEqual([false, ['Safari on iPhone']]);
      expect((await mailsTo(server, account.email)).map(({ body: text }) => text).join()).toContain(
        'What was there before still signs in: a passkey (Safari on iPhone).',
      );
    });
  });

  it('is named to the operator who sets a new password', async () => {
    await setUpApp();
    const context = { db: server.database.db, now: server.clock.now };
    expect(await accountCommands['set-password']?.run(context, [account.email, 'a wider river'])).toBe(
      "Password set. All sessions have ended. It is still opened by an authenticator app: where that may be somebody else's, remove-second-step.",
    );
  });
});

describe('a passkey', () => {
  const answerBy = (id: string) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' },
  });

  it('is asked for at this site, and found by the browser', async () => {
    const { options } = (await call('POST /account/auth/passkey/begin')).json<{ options: object }>();
    expect(options).toMatchObject({ rpId: 'headrace.test', userVerification: 'required' });
    expect(options).not.toHaveProperty('allowCredentials');
  });

  it('is made with the password alone', async () => {
    const refused = await call('POST /account/passkey/begin', { password: 'wrong horse' }, own);
    expect(refused.json()).toMatchObject({ field: 'password' });
    const reply = await call('POST /account/passkey/begin', { password: PASSWORD }, own);
    expect(reply.json<{ options: object }>().options).toMatchObject({
      rp: { id: 'headrace.test', name: 'Headrace' },
      user: { name: account.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  });

  it('of somebody who has a second step is begun with that too: who has the password alone adds none', async () => {
    const { secret } = await setUpApp();
    const start = (more: object) => call('POST /account/passkey/begin', { password: PASSWORD, ...more }, own);
    expect((await start({})).json()).toMatchObject({ field: 'code' });
    expect((await start({ passkey: answerBy('nobodys') })).json()).toMatchObject({ field: 'code' });
    expect((await start({ code: codeOf(secret) })).statusCode).toBe(200);
    expect((await start({ code: codeOf(secret) })).json()).toMatchObject({ field: 'code' });
  });

  it('has another name by the password and the second step, and nobody else’s has', async () => {
    await addPasskey('Chrome on Android');
    const [{ id } = { id: '' }] = (await state()).passkeys;
    const rename = (more: object, by = own) =>
      call('POST /account/passkey/rename', { id, name: ' Ute tablet ', password: PASSWORD, ...more }, by);
    expect((await rename({ password: 'wrong horse' })).json()).toMatchObject({ field: 'password' });
    expect((await rename({ name: '  ' })).json()).toMatchObject({
      errorMessage: 'Name is required.',
      field: 'name',
    });
    expect((await rename({ name: 'x'.repeat(61) })).json()).toMatchObject({ field: 'name' });
    const stranger = await server.signIn(
      await buildAccount(server.database.db, { email: 'stranger@example.com', password_hash: passwordHash }),
    );
    expect((await rename({}, stranger)).json()).toEqual({ success: false });
    expect((await state()).passkeys).toMatchObject([{ name: 'Chrome on Android' }]);
    expect((await rename({})).json()).toEqual({ success: true });
    expect((await state()).passkeys).toMatchObject([{ name: 'Ute tablet' }]);
    const { secret } = await setUpApp();
    expect((await rename({ name: 'Mine' })).json()).toMatchObject({ field: 'code' });
    expect((await rename({ name: 'Mine', code: codeOf(secret) })).json()).toEqual({ success: true });
  });

  it('that nobody knows, or that says nothing, signs nobody in', async () => {
    const unknown = await call('POST /account/auth/passkey', { answer: answerBy('nobodys') });
    expect(unknown.json()).toEqual({ success: false });
    await addPasskey('Chrome on Android');
    const empty = await call('POST /account/auth/passkey', {
      answer: answerBy(`Chrome-on-Android-${account.uid}`),
    });
    expect(empty.json()).toEqual({ success: false });
  });
});

it('the operator lets in who lost everything: the password alone signs in, and all sessions have ended', async () => {
  await setUpApp();
  const run = accountCommands['remove-second-step']?.run;
  const context = { db: server.database.db, now: server.clock.now };
  expect(await run?.(context, [account.email])).toBe(
    `${account.email} signs in with the password alone. All sessions have ended.`,
  );
  expect((await call('GET /account/second-step', undefined, own)).statusCode).toBe(401);
  expect((await auth()).json()).toHaveProperty('token');
  await expect(run?.(context, [account.email])).rejects.toThrow('already');
});

it('what is kept of it is told without secrets, and goes with the account', async () => {
  const { secret, recoveryCodes } = await setUpApp();
  await ticketOf();
  const data = (await call('GET /account/data', undefined, own)).body;
  expect(JSON.parse(data)).toMatchObject({ secondStep: { hasApp: true, passkeys: [] } });
  for (const text of [secret, ...recoveryCodes]) expect(data).not.toContain(text);
  const { db, pool } = server.database;
  await db.transaction().execute((trx) => eraseAccount(trx, account, server.clock.now));
  for (const table of ['authenticator', 'recovery_code', 'sign_in_ticket'])
    expect((await pool.query(`select from ${table} where account_id = $1`, [account.id])).rowCount).toBe(0);
});

it('tickets are forgotten a day after they ended', async () => {
  await setUpApp();
  await ticketOf();
  const { db } = server.database;
  const left = async () =>
    (await db.selectFrom('sign_in_ticket').select('kind').where('account_id', '=', account.id).execute())
      .length;
  const at = (ms: number) => new Date(server.clock.now.getTime() + ms);
  await forgetExpired(db, at(days(1)));
  expect(await left()).toBe(1);
  await forgetExpired(db, at(days(1) + minutes(11)));
  expect(await left()).toBe(0);
});
