import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildAccount } from '../../testing/factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';
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
const signIn = (email: string, password: string) =>
  server.call('POST /account/auth', { body: { email, password } });

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

it('sets a password, and every session ends', async () => {
  const account = await buildAccount(server.database.db, { email: 'lost@example.com' });
  const headers = await server.signIn(account);
  await run('set-password', 'lost@example.com', 'found again');
  expect((await server.call('GET /farms-card', { headers })).statusCode).toBe(401);
  expect((await signIn('lost@example.com', 'found again')).statusCode).toBe(200);
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
])('says what is wrong with %s %j', async (name, args) => {
  await expect(run(name, ...args)).rejects.toThrow(UsageError);
});
