import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildAccount, buildFarm } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
import { issueKey } from '../accounts/account-keys.ts';
import { hashPassword } from '../accounts/password.ts';
import { knownBrowsers, mailsTo } from '../accounts/testing/account-kit.ts';
import { commands } from './operator-commands.ts';
import { UsageError } from './usage-error.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

const run = (name: string, ...args: string[]) =>
  commands[name]?.run({ db: server.database.db, now: server.clock.now }, args) ??
  Promise.reject(new Error('none'));
const signIn = (email: string, password: string, headers = {}) =>
  server.call('POST /account/auth', { headers, body: { email, password } });

it('makes an owner who can sign in and a farm in the zone of its place', async () => {
  await run('create-account', 'Owner@Example.com', 'long enough', 'Ana', 'Tawhai');
  expect(await run('create-farm', 'owner@example.com', '-43.9', '-176.5', 'Chatham', 'Run')).toContain(
    'Pacific/Chatham',
  );
  const reply = await signIn('owner@example.com', 'long enough');
  expect(reply.json()).toMatchObject({
    name: 'Ana Tawhai',
    type: 'SUBSCRIBER',
    subscriptionValidUntil: '2026-12-20T21:00:00.000Z',
  });
  const farms = await server.call('GET /farms-card', {
    headers: { authorization: reply.json<{ token: string }>().token },
  });
  expect(farms.json()).toMatchObject([{ name: 'Chatham Run' }]);
});

it('sets a password: every session ends, all browsers are strangers, and the person is mailed', async () => {
  const password_hash = await hashPassword('before it');
  const account = await buildAccount(server.database.db, { email: 'lost@example.com', password_hash });
  const headers = await server.signIn(account);
  await signIn('lost@example.com', 'before it', { deviceuid: 'stolen' });
  expect(await knownBrowsers(server, account.email)).toEqual(['stolen']);
  await run('set-password', 'lost@example.com', 'found again');
  expect((await server.call('GET /farms-card', { headers })).statusCode).toBe(401);
  expect(await knownBrowsers(server, account.email)).toEqual([]);
  expect((await signIn('lost@example.com', 'found again')).statusCode).toBe(200);
  const [mail, ...others] = await mailsTo(server, account.email);
  expect([mail?.subject, others]).toEqual(['Your password was set by whoever runs this installation', []]);
  expect(mail?.body).not.toContain('found again');
});

it('takes the second step away, and the person is mailed', async () => {
  const { db } = server.database;
  const { id, email } = await buildAccount(db, { email: 'codes@example.com' });
  const isOn = { second_step_since: server.clock.now };
  await db.updateTable('account').set(isOn).where('id', '=', id).execute();
  await run('remove-second-step', email);
  const { second_step_since } = await db
    .selectFrom('account')
    .select('second_step_since')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(second_step_since).toBeNull();
  expect((await mailsTo(server, email)).map(({ subject }) => subject)).toEqual([
    'Signing in takes one step again: whoever runs this installation removed the second',
  ]);
});

it('takes no name or address that the web would refuse, and says its sentence', async () => {
  const make = (email: string, ...name: string[]) => run('create-account', email, 'long enough', ...name);
  const wrong: [string, string, string][] = [
    ['a@b', 'Ana Tawhai', 'E-mail must be an e-mail address.'],
    [`${'a'.repeat(250)}@example.com`, 'Ana Tawhai', 'E-mail'],
    ['a\u0000@example.com', 'Ana Tawhai', 'E-mail'],
    ['a@example.com', 'See https://evil.example', "Name can't hold a link"],
    ['a@example.com', 'A'.repeat(101), 'Name'],
    ['a@example.com', 'Ana\u0007Tawhai', 'Name'],
  ];
  for (const [email, name, sentence] of wrong)
    await expect(make(email, name), `${email} ${name}`).rejects.toThrow(sentence);
  const taken = ['lost@example.com', 'LOST@example.com', 'left@example.com'];
  const { id } = await buildAccount(server.database.db, { email: 'moved@example.com' });
  await issueKey(server.database.db, { id, email: 'left@example.com' }, 'undo-email', server.clock.now);
  for (const email of taken)
    await expect(make(email, 'Ana Tawhai'), email).rejects.toThrow('this email is already registered');
});

it('sets no password that is a common one, or the name of the person’s farm', async () => {
  const { id } = await buildAccount(server.database.db, { email: 'waihao@example.com' });
  await buildFarm(server.database.db, id, { name: 'Waihao Flats' });
  for (const weak of ['iloveyou', 'waihaoflats1'])
    await expect(run('set-password', 'waihao@example.com', weak)).rejects.toThrow(UsageError);
  await expect(run('set-password', 'waihao@example.com', 'paddocks by the river')).resolves.toContain(
    'Password set',
  );
});

it('lists dead letters with their reason', async () => {
  const letter = {
    reason: 'not JSON',
    topic: 'headrace/v1/X/up/io',
    sender: 'gateway X',
    farm_id: null,
    bytes: 3,
  };
  await server.database.db
    .insertInto('dead_letter')
    .values({ ...letter, payload: Buffer.from('{"a') })
    .execute();
  expect(await run('dead-letters')).toMatch(/not JSON[\s\S]*headrace\/v1\/X\/up\/io[\s\S]*\{"a/);
});

it.each([
  ['create-account', ['someone', 'long enough', 'Ana']],
  ['create-account', ['a@example.com', 'short', 'Ana']],
  ['create-account', ['a@example.com', '987654321', 'Ana']],
  ['create-account', ['a@example.com', 'Tawhai1999', 'Ana', 'Tawhai']],
  ['create-farm', ['nobody@example.com', '1', '2', 'Farm']],
  ['set-password', []],
  ['dead-letters', ['many']],
  ['renew-key', ['constructor']],
  ['renew-key', ['push', 'soon']],
])('says what is wrong with %s %j', async (name, args) => {
  await expect(run(name, ...args)).rejects.toThrow(UsageError);
});
