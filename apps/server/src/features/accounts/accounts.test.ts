import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { commands } from '../operator/operator-commands.ts';
import { hashPassword, verifyPassword } from './password.ts';

let server: TestServer;
let passwordHash: string;
let count = 0;
let email: string;

beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000, trustedProxies: 1 });
  passwordHash = await hashPassword('correct horse');
});
afterAll(() => server.close());
beforeEach(async () => {
  email = `farmer${(count += 1)}@example.com`;
  await buildAccount(server.database.db, { email, name: 'Mere', password_hash: passwordHash });
});

const signIn = (password: string, from: { address?: string; device?: string; as?: string } = {}) =>
  server.call('POST /account/auth', {
    headers: { 'x-forwarded-for': from.address ?? '10.0.0.1', deviceuid: from.device ?? 'phone' },
    body: { email: from.as ?? email, password },
  });

describe('signing in', () => {
  it('answers with the token and the account', async () => {
    const reply = await signIn('correct horse');
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      name: 'Mere',
      email,
      type: 'SUBSCRIBER',
      hasMobile: false,
      sendAction: true,
      deviceId: null,
    });
    const headers = { authorization: reply.json<{ token: string }>().token };
    expect((await server.call('GET /farms-card', { headers })).statusCode).toBe(200);
    expect(
      (
        await server.call('GET /farms-card', {
          headers: { authorization: `Bearer ${headers.authorization}` },
        })
      ).statusCode,
    ).toBe(200);
  });

  it('reads the e-mail address without regard to case', async () => {
    expect((await signIn('correct horse', { as: email.toUpperCase() })).statusCode).toBe(200);
  });

  it.each([
    ['a wrong password', 'wrong horse', undefined, 'Invalid username/password.'],
    ['its beginning', 'correct hors', undefined, 'Invalid username/password.'],
    ['another case of letters', 'Correct Horse', undefined, 'Invalid username/password.'],
    ['a blank behind it', 'correct horse ', undefined, 'Invalid username/password.'],
    ['an unknown address', 'correct horse', 'nobody@example.com', "User doesn't exist."],
  ])('answers %s with plain text', async (_case, password, as, text) => {
    const reply = await signIn(password, { ...(as && { as }), address: `10.1.0.${(count += 1)}` });
    expect(reply.statusCode).toBe(401);
    expect(reply.headers['content-type']).toContain('text/plain');
    expect(reply.body).toBe(text);
  });

  it('counts each of 256 characters of a password', async () => {
    const hash = await hashPassword(`${'x'.repeat(255)}y`);
    expect(await verifyPassword(hash, `${'x'.repeat(255)}y`)).toBe(true);
    expect(await verifyPassword(hash, `${'x'.repeat(255)}z`)).toBe(false);
  });

  it('tells an account that was not approved', async () => {
    await server.database.db
      .updateTable('account')
      .set({ approved: false })
      .where('email', '=', email)
      .execute();
    expect((await signIn('correct horse')).body).toBe('Account is not approved.');
  });

  it('stores only the hash of the token', async () => {
    const { token } = (await signIn('correct horse')).json<{ token: string }>();
    const { rows } = await server.database.pool.query(
      'select * from session where encode(token_hash, $1) like $2',
      ['escape', `%${token}%`],
    );
    expect(rows).toEqual([]);
    const hashed = await server.database.pool.query(
      'select from session where token_hash = sha256(convert_to($1, $2))',
      [token, 'UTF8'],
    );
    expect(hashed.rowCount).toBe(1);
  });

  it('has a token of 256 bits, another each time', async () => {
    const replies = [await signIn('correct horse'), await signIn('correct horse')];
    const tokens = replies.map((reply) => reply.json<{ token: string }>().token);
    for (const token of tokens) expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(tokens[0]).not.toBe(tokens[1]);
  });
});

describe('guessing', () => {
  it('shuts the door after ten tries from one address, also for the right password, and opens it after 15 minutes', async () => {
    for (let tries = 0; tries < 10; tries += 1) await signIn('wrong', { address: '10.2.0.1' });
    expect((await signIn('correct horse', { address: '10.2.0.1' })).body).toBe('Invalid username/password.');
    expect((await signIn('correct horse', { address: '10.2.0.2' })).statusCode).toBe(200);
    const before = server.clock.now;
    server.clock.now = new Date(before.getTime() + 15 * 60_000 + 1000);
    expect((await signIn('correct horse', { address: '10.2.0.1' })).statusCode).toBe(200);
    server.clock.now = before;
  });

  it('tells the owner by mail, once for each quarter of an hour', async () => {
    for (let tries = 0; tries < 13; tries += 1) await signIn('wrong', { address: '10.5.0.1' });
    const mails = await server.database.db
      .selectFrom('outbox')
      .selectAll()
      .where('recipient', '=', email)
      .execute();
    expect(mails.map((mail) => mail.subject)).toEqual([
      'Someone is trying to sign in to your Headrace account',
    ]);
    expect(mails[0]?.body).toContain('10.5.0.1');
    expect(await commands['outbox']?.run({ db: server.database.db, now: server.clock.now }, [])).toContain(
      email,
    );
  });

  it('shuts out an address after fifty tries over many accounts', async () => {
    for (let tries = 0; tries < 50; tries += 1)
      await signIn('wrong', { address: '10.3.0.1', as: `guess${tries}@example.com` });
    expect((await signIn('correct horse', { address: '10.3.0.1' })).statusCode).toBe(401);
  });

  it('shuts strangers out of an account after thirty tries from anywhere, but not a device that signed in before', async () => {
    await signIn('correct horse', { device: 'own-phone', address: '10.4.0.250' });
    for (let tries = 0; tries < 30; tries += 1)
      await signIn('wrong', { device: 'attacker', address: `10.4.0.${tries}` });
    expect((await signIn('correct horse', { device: 'new-laptop', address: '10.4.1.1' })).statusCode).toBe(
      401,
    );
    expect((await signIn('correct horse', { device: 'own-phone', address: '10.4.1.2' })).statusCode).toBe(
      200,
    );
  });
});

describe('a session', () => {
  it('ends at once on signing out', async () => {
    const headers = { authorization: (await signIn('correct horse')).json<{ token: string }>().token };
    expect((await server.call('POST /account/logout', { headers })).json()).toEqual({ success: true });
    expect((await server.call('GET /farms-card', { headers })).statusCode).toBe(401);
  });

  it.each(['', 'of-nobody'])('is not asked for by what is open to all: token %j', async (authorization) => {
    const headers = { authorization, deviceuid: 'phone' };
    expect((await server.call('GET /ims-settings', { headers })).statusCode).toBe(200);
    const refused = await server.call('GET /farms-card', { headers });
    expect([refused.statusCode, refused.json()]).toEqual([
      401,
      { errorMessage: 'Please sign in.', code: 'unauthenticated' },
    ]);
  });

  it('lasts 30 days from its last use', async () => {
    const start = server.clock.now;
    const headers = { authorization: (await signIn('correct horse')).json<{ token: string }>().token };
    server.clock.now = new Date(start.getTime() + 29 * 86_400_000);
    expect((await server.call('GET /farms-card', { headers })).statusCode).toBe(200);
    server.clock.now = new Date(start.getTime() + 58 * 86_400_000);
    expect((await server.call('GET /farms-card', { headers })).statusCode).toBe(200);
    server.clock.now = new Date(start.getTime() + 89 * 86_400_000);
    expect((await server.call('GET /farms-card', { headers })).statusCode).toBe(401);
    server.clock.now = start;
  });
});

describe('the demo account', () => {
  it('is refused where others can reach the server', async () => {
    const open = await createTestServer({ refuseDemoAccounts: true });
    const account = await buildAccount(open.database.db, {
      email: 'owner@headrace.test',
      password_hash: passwordHash,
    });
    await open.database.db
      .updateTable('account')
      .set({ is_demo: true })
      .where('id', '=', account.id)
      .execute();
    const reply = await open.call('POST /account/auth', {
      body: { email: 'owner@headrace.test', password: 'correct horse' },
    });
    expect(reply.statusCode).toBe(401);
    await open.close();
  });
});
