import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OwnAccount } from '@headrace/contract/account-details';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { issueKey } from './account-keys.ts';
import { hashPassword } from './password.ts';
import { days, firstFarm, knownBrowsers, later, mailedKey, mailsTo, person } from './testing/account-kit.ts';

const PASSWORD = 'correct horse';
let server: TestServer;
let passwordHash: string;
let account: AccountRow;
let former: string;
let next: string;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000, trustedProxies: 1 });
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(() => server.close());
beforeEach(async () => {
  const confirmed = { email_confirmed_at: server.clock.now };
  account = await buildAccount(server.database.db, { password_hash: passwordHash, ...confirmed });
  former = account.email;
  next = `next-${former}`;
  headers = await server.signIn(account);
});

let count = 0;
const call = (key: string, body?: object, as = headers) =>
  server.call(key, {
    headers: { 'x-forwarded-for': `10.7.${count % 250}.${(count += 1) % 250}`, ...as },
    ...(body && { body }),
  });
const own = async (as = headers) => (await call('GET /account/details', undefined, as)).json<OwnAccount>();
const entry = { name: 'Mere Tawhai', newsletter: true, mobile: '0211234567', countryCode: 64, notes: '' };
const ask = (email: string, password?: string, as = headers) =>
  call('POST /account/details', { ...entry, email, ...(password !== undefined && { password }) }, as);
const confirm = async (email: string) =>
  (
    await call('POST /account/confirm-email', { key: await mailedKey(server, email, '/confirm-email?key=') })
  ).json();
const undo = (key: string) => call('POST /account/undo-email', { key }, {});
const undoKey = (email: string) => mailedKey(server, email, '/undo-email?key=');
const signIn = async (email: string, password = PASSWORD) =>
  (await call('POST /account/auth', { email, password }, {})).statusCode;
const subjects = async (to: string) => (await mailsTo(server, to)).map(({ subject }) => subject);

describe('another e-mail address', () => {
  it.each([
    [undefined, /^Please enter your password/],
    ['', /^Please enter your password/],
    ['wrong horse', /^This is not your current password\./],
  ])('is not asked for with the session and the password %j', async (password, sentence) => {
    const reply = await ask(next, password);
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { field: 'password' }]);
    expect(reply.json<{ errorMessage: string }>().errorMessage).toMatch(sentence);
    expect(await own()).toMatchObject({ email: former, pendingEmail: null, name: account.name });
    expect([await subjects(next), await subjects(former)]).toEqual([[], []]);
  });

  it('is not asked for by an account without a password: its session alone is no proof', async () => {
    const without = await buildAccount(server.database.db, { email_confirmed_at: server.clock.now });
    const reply = await ask(next, '', await server.signIn(without));
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { field: 'password' }]);
  });

  it('waits until its mail is followed; until then the former one signs in', async () => {
    const reply = await ask(next.toUpperCase(), PASSWORD);
    expect(reply.json()).toMatchObject({ email: former, pendingEmail: next, emailConfirmed: true, ...entry });
    expect([await signIn(former), await signIn(next)]).toEqual([200, 401]);
    expect(await subjects(former)).toEqual(['The e-mail address of your account is to be changed']);
    expect(await confirm(next)).toEqual({ success: true });
    expect(await own()).toMatchObject({ email: next, pendingEmail: null, emailConfirmed: true });
    expect([await signIn(former), await signIn(next)]).toEqual([401, 200]);
    expect(await subjects(former)).toContain('The e-mail address of your account was changed');
  });

  it('asks for no password where the address stays, or is the one that waits', async () => {
    expect((await ask(former)).statusCode).toBe(200);
    await ask(next, PASSWORD);
    expect((await ask(next)).json()).toMatchObject({ email: former, pendingEmail: next });
    expect((await ask(former)).json()).toMatchObject({ email: former, pendingEmail: next });
    expect((await subjects(next)).length).toBe(1);
  });

  it('is sent its link again after ten minutes, and is dropped where the person thinks better of it', async () => {
    await ask(next, PASSWORD);
    await call('POST /account/resend-confirmation');
    expect((await subjects(next)).length).toBe(1);
    await later(server, 11 * 60_000, () => call('POST /account/resend-confirmation'));
    expect((await subjects(next)).length).toBe(2);
    expect((await call('DELETE /account/new-email')).json()).toMatchObject({
      email: former,
      pendingEmail: null,
    });
    expect(await confirm(next)).toEqual({ success: false });
    expect(await own()).toMatchObject({ email: former });
  });

  it('waits no longer once a new password is set, however', async () => {
    await ask(next, PASSWORD);
    const key = await issueKey(server.database.db, account, 'reset-password', server.clock.now);
    const body = { key, password: 'a wider river', passwordConfirmation: 'a wider river' };
    expect((await call('POST /account/reset-password', body, {})).statusCode).toBe(200);
    expect(await confirm(next)).toEqual({ success: false });
  });

  it('can be asked for ten times a day: each is a mail to whoever has it', async () => {
    for (let n = 1; n <= 10; n += 1)
      expect((await ask(`moved${n}-${former}`, PASSWORD)).statusCode).toBe(200);
    const refused = await ask(`moved11-${former}`, PASSWORD);
    expect([refused.headers['retry-after'], refused.json()]).toEqual([
      '86400',
      {
        errorMessage: 'The e-mail address was changed often today. Please try again in 1 day.',
        code: 'tooMany',
      },
    ]);
    expect(await mailsTo(server, `moved11-${former}`)).toEqual([]);
  });
});

describe('the link at the former address', () => {
  const taken = async () => {
    await ask(next, PASSWORD);
    await confirm(next);
  };

  it('brings it back, signs everybody out, ends the password and sets a new one', async () => {
    await taken();
    const reply = await undo(await undoKey(former));
    const { success, email, resetKey } = reply.json<{ success: boolean; email: string; resetKey: string }>();
    expect({ success, email }).toEqual({ success: true, email: former });
    expect((await call('GET /account/details')).statusCode).toBe(401);
    expect([await signIn(former), await signIn(next)]).toEqual([401, 401]);
    const body = { key: resetKey, password: 'a wider river', passwordConfirmation: 'a wider river' };
    expect((await call('POST /account/reset-password', body, {})).statusCode).toBe(200);
    expect(await signIn(former, 'a wider river')).toBe(200);
  });

  it('makes strangers of all browsers: who changed the address had one', async () => {
    await call('POST /account/auth', { email: former, password: PASSWORD }, { deviceuid: 'stolen' });
    await taken();
    expect(await knownBrowsers(server, next)).toEqual(['stolen']);
    await undo(await undoKey(former));
    expect(await knownBrowsers(server, former)).toEqual([]);
  });

  it('works once, for seven days from the change', async () => {
    await later(server, days(3), async () => {
      headers = await server.signIn(account);
      await taken();
    });
    const key = await undoKey(former);
    const old = await later(server, days(10) + 1, () => undo(key));
    expect(old.json()).toEqual({ success: false });
    expect((await later(server, days(10) - 1, () => undo(key))).json()).toMatchObject({ success: true });
    expect((await later(server, days(10) - 1, () => undo(key))).json()).toEqual({ success: false });
  });

  it('stops a change that still waits, and calls off that the account is closed', async () => {
    await ask(next, PASSWORD);
    await call('POST /account/close', { password: PASSWORD });
    expect((await undo(await undoKey(former))).json()).toMatchObject({ success: true });
    expect(await confirm(next)).toEqual({ success: false });
    const row = await server.database.db
      .selectFrom('account')
      .selectAll()
      .where('id', '=', account.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ email: former, pending_email: null, closes_at: null, password_hash: null });
  });

  it('also works after further changes, and then theirs don’t', async () => {
    await taken();
    const first = await undoKey(former);
    const third = `third-${former}`;
    await later(server, days(1), async () => {
      headers = await server.signIn(account);
      await ask(third, PASSWORD);
      await confirm(third);
    });
    const second = await undoKey(next);
    expect((await later(server, days(2), () => undo(first))).json()).toMatchObject({ email: former });
    expect((await later(server, days(2), () => undo(second))).json()).toEqual({ success: false });
  });

  it('can’t be spoiled by registering the former address meanwhile, or by moving another account there', async () => {
    await taken();
    const registered = await call(
      'POST /account/register',
      { ...person, email: former, farms: [firstFarm] },
      {},
    );
    expect([registered.statusCode, registered.json()]).toMatchObject([409, { field: 'email' }]);
    const other = await buildAccount(server.database.db, { password_hash: passwordHash });
    const moved = await ask(former, PASSWORD, await server.signIn(other));
    expect([moved.statusCode, moved.json()]).toMatchObject([409, { field: 'email' }]);
    expect((await undo(await undoKey(former))).json()).toMatchObject({ success: true });
  });

  it('isn’t mailed to an address that was never confirmed: a stranger may have it', async () => {
    const unproved = await buildAccount(server.database.db, { password_hash: passwordHash });
    await ask(next, PASSWORD, await server.signIn(unproved));
    await confirm(next);
    expect(await mailsTo(server, unproved.email)).toEqual([]);
  });

  it.each(['wrong', ''])('with the key %j says so', async (key) => {
    const reply = await undo(key);
    expect([reply.statusCode, reply.json().success ?? false]).toEqual([key ? 200 : 400, false]);
  });
});
