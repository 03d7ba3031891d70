import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Farm } from '@headrace/contract/farms';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { days, firstFarm, later, mailedKey, mailsTo, minutes, person } from './testing/account-kit.ts';

let server: TestServer;
let count = 0;
let email: string;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000, trustedProxies: 1 });
});
afterAll(() => server.close());
beforeEach(() => {
  email = `new${(count += 1)}@example.com`;
});

/** Each call from an address of its own: twenty a minute from one are enough for people. */
const call = (key: string, body: object, headers: Record<string, string> = {}) =>
  server.call(key, {
    body,
    headers: { 'x-forwarded-for': `10.9.${count % 250}.${(count += 1) % 250}`, ...headers },
  });
const register = (change: object = {}, farm: object = {}) =>
  call('POST /account/register', { ...person, email, farms: [{ ...firstFarm, ...farm }], ...change });
const registerAgent = (change: object = {}) => call('POST /agent/register', { ...person, email, ...change });
const signIn = async () => {
  const reply = await call('POST /account/auth', { email, password: person.password });
  return { reply, headers: { authorization: reply.json<{ token: string }>().token } };
};
const stored = () =>
  server.database.db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst();

it.each([[undefined], [''], ['   ']])(
  'nobody registers without accepting the terms: %j',
  async (acceptedTerms) => {
    for (const reply of [await register({ acceptedTerms }), await registerAgent({ acceptedTerms })])
      expect([reply.statusCode, reply.json<{ field: string }>().field]).toEqual([400, 'acceptedTerms']);
    expect(await stored()).toBeUndefined();
  },
);

describe('registering a farm owner', () => {
  it('makes the account with 30 days paid and the farm with its zone and size', async () => {
    const reply = await register({ notes: ' by the river\n', newsletter: true, acceptedTerms: '2019-11-06' });
    expect(reply.statusCode).toBe(200);
    const account = await stored();
    expect(account).toMatchObject({
      uid: reply.json<{ id: string }>().id,
      type: 'SUBSCRIBER',
      approved: true,
      name: 'Ana Tawhai',
      mobile: '211234567',
      country_code: 64,
      notes: 'by the river',
      newsletter: true,
      accepted_terms: '2019-11-06',
      terms_accepted_at: server.clock.now,
      email_confirmed_at: null,
      subscription_valid_until: new Date('2026-12-20T21:00:00Z'),
    });
    expect(account?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    const { headers } = await signIn();
    const farms = (await server.call('GET /farms', { headers })).json<Farm[]>();
    expect(farms).toMatchObject([{ name: 'Hinds', timezone: { timeZoneId: 'Pacific/Auckland' } }]);
    expect(farms[0]?.size).toBeGreaterThan(40);
    const changes = await server.call('GET /changes', { headers, query: { farmUID: farms[0]?.uid ?? '' } });
    expect(changes.json()).toMatchObject({ changes: [{ what: 'created', by: 'Ana Tawhai' }] });
  });

  it.each([
    [{ name: 'An' }, {}, 'name', 'Name must have at least 3 characters.'],
    [{ email: 'ana' }, {}, 'email', 'E-mail must be an e-mail address.'],
    [{ countryCode: 1 }, {}, 'countryCode', 'Please choose a country code: 64 or 61.'],
    [{ mobile: '12' }, {}, 'mobile', 'Invalid mobile number.'],
    [{ password: 'short' }, {}, 'password', 'Password must have at least 6 characters.'],
    [
      { password: 'PassWord1' },
      {},
      'password',
      'This password is one of the most common ones. Please choose another.',
    ],
    [
      { name: 'Anahera Tipene', password: '1-Tipene!' },
      {},
      'password',
      'This password is easy to guess from your name, address or farm. Please choose another.',
    ],
    [
      { passwordConfirmation: 'other' },
      {},
      'passwordConfirmation',
      'Password confirmation must be the same as the password.',
    ],
    [{ notes: 'x'.repeat(2001) }, {}, 'notes', 'notes must NOT have more than 2000 characters.'],
    [{}, { name: '' }, 'farms.0.name', 'Name is required.'],
    [{}, { boundary: [] }, 'farms.0.size', 'Size is required: draw the boundary on the map.'],
    [{}, { lat: '' }, 'farms.0.lat', 'Latitude is required.'],
    [{ farms: [] }, {}, 'farms', 'farms must NOT have fewer than 1 items.'],
  ])('refuses %j %j and names %s; nothing is made', async (change, farm, field, errorMessage) => {
    const reply = await register(change, farm);
    expect([reply.statusCode, reply.json()]).toEqual([400, { errorMessage, field, code: 'invalid' }]);
    expect(await stored()).toBeUndefined();
  });

  it('refuses an address that is taken, in any case of letters', async () => {
    await register();
    const farms = () => server.database.db.selectFrom('farm').select('id').execute();
    const before = (await farms()).length;
    const again = await register({ email: ` ${email.toUpperCase()} ` });
    expect([again.statusCode, again.json()]).toEqual([
      409,
      { errorMessage: 'Sorry, this email is already registered.', code: 'conflict', field: 'email' },
    ]);
    expect((await farms()).length).toBe(before);
  });

  it('of two at the same moment makes one account with one farm', async () => {
    const replies = await Promise.all([register(), register(), registerAgent()]);
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const account = await stored();
    const farms = await server.database.db
      .selectFrom('farm')
      .select('id')
      .where('owner_id', '=', account?.id ?? 0)
      .execute();
    expect(farms).toHaveLength(account?.type === 'SUBSCRIBER' ? 1 : 0);
    expect(await mailsTo(server, email)).toHaveLength(1);
  });
});

describe('registering an agent', () => {
  it('makes an account that is paid for 99 years, with the newsletter unless it is refused', async () => {
    expect((await registerAgent()).json()).toEqual({ success: true });
    expect(await stored()).toMatchObject({
      type: 'AGENT',
      newsletter: true,
      subscription_valid_until: new Date('2125-11-20T21:00:00Z'),
    });
    expect((await signIn()).reply.json()).toMatchObject({ type: 'AGENT', hasMobile: true });
  });
});

describe('whether an address is registered', () => {
  it('is told without regard to case and blanks', async () => {
    const ask = async (of: string) =>
      (await server.call('GET /account/is-registered', { query: { email: of } })).json<object>();
    expect(await ask(email)).toEqual({ registered: false });
    await registerAgent();
    expect(await ask(` ${email.toUpperCase()} `)).toEqual({ registered: true });
  });
});

describe('an installation', () => {
  it('that takes no new accounts says so', async () => {
    const closed = await createTestServer();
    const row = { name: 'newAccountCreation', value: 'false', updated_at: closed.clock.now };
    await closed.database.db.insertInto('installation').values(row).execute();
    const body = { ...person, email };
    for (const [key, more] of [
      ['POST /agent/register', {}],
      ['POST /account/register', { farms: [firstFarm] }],
    ] as const) {
      const reply = await closed.call(key, { body: { ...body, ...more } });
      expect([reply.statusCode, reply.json<{ errorMessage: string }>().errorMessage]).toEqual([
        403,
        'New accounts are not made at present. Please ask the operator.',
      ]);
    }
    await closed.close();
  });

  it('that approves accounts lets nobody in before', async () => {
    const strict = await createTestServer({ requireApproval: true });
    await strict.call('POST /agent/register', { body: { ...person, email } });
    const reply = await strict.call('POST /account/auth', { body: { email, password: person.password } });
    expect([reply.statusCode, reply.body]).toEqual([401, 'Account is not approved.']);
    await strict.close();
  });
});

describe('an address', () => {
  const confirm = async (key: string) => (await call('POST /account/confirm-email', { key })).json<object>();
  const isConfirmed = async () => (await stored())?.email_confirmed_at !== null;

  it('is confirmed by the mailed link, which works once', async () => {
    await registerAgent();
    const key = await mailedKey(server, email, '/confirm-email?key=');
    expect(await confirm('x'.repeat(43))).toEqual({ success: false });
    expect(await isConfirmed()).toBe(false);
    expect(await confirm(key)).toEqual({ success: true });
    expect(await isConfirmed()).toBe(true);
    expect(await confirm(key)).toEqual({ success: false });
    const { rows } = await server.database.pool.query(
      'select 1 from account_key where encode(key_hash, $1) like $2',
      ['escape', `%${key}%`],
    );
    expect(rows).toEqual([]);
  });

  it('is confirmed within seven days', async () => {
    await registerAgent();
    const key = await mailedKey(server, email, '/confirm-email?key=');
    expect(await later(server, days(7), () => confirm(key))).toEqual({ success: false });
    expect(await later(server, days(7) - 1000, () => confirm(key))).toEqual({ success: true });
  });

  it('is not confirmed by a key for something else', async () => {
    await registerAgent();
    await call('POST /account/forgot-password', { email });
    await expect.poll(() => mailsTo(server, email)).toHaveLength(2);
    expect(await confirm(await mailedKey(server, email, '/reset-password?key='))).toEqual({ success: false });
  });

  it('gets the link again after ten minutes, and not once it is confirmed', async () => {
    await registerAgent();
    const { headers } = await signIn();
    const resend = () => server.call('POST /account/resend-confirmation', { headers });
    expect((await resend()).json()).toEqual({ success: true });
    expect(await mailsTo(server, email)).toHaveLength(1);
    await later(server, minutes(10), () => Promise.all([resend(), resend(), resend()]));
    expect(await mailsTo(server, email)).toHaveLength(2);
    await confirm(await mailedKey(server, email, '/confirm-email?key='));
    await later(server, minutes(30), resend);
    expect(await mailsTo(server, email)).toHaveLength(2);
  });
});
