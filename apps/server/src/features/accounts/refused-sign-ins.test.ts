import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createLog } from '../../log.ts';
import { buildAccount, buildFarm } from '../../testing/factories.ts';
import { asOperator, OPERATOR_TOKEN } from '../../testing/operator.ts';
import { hashPassword } from './password.ts';
import { hashRecoveryCode, newRecoveryCode } from './second-step/recovery-codes.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
let lines: string[] = [];
beforeAll(async () => {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString('utf8').trim().split('\n'));
      done();
    },
  });
  server = await createTestServer({ trustedProxies: 1, log: createLog('info', sink) });
  await buildAccount(server.database.db, { email: 'ana@example.com' });
});
afterAll(() => server.close());
beforeEach(() => {
  lines = [];
});

const call = (
  key: string,
  body: object | null,
  headers: Record<string, string> = {},
  query?: Record<string, string>,
) =>
  server.call(key, {
    headers: { 'x-forwarded-for': '203.0.113.9', ...headers },
    ...(body && { body }),
    ...(query && { query }),
  });

it.each([
  [
    'a wrong password',
    'web',
    () => call('POST /account/auth', { email: 'ana@example.com', password: 'guessed' }),
  ],
  [
    'a name nobody has',
    'web',
    () => call('POST /account/auth', { email: 'bob@example.com', password: 'guessed' }),
  ],
  [
    'a ticket of a second step that nobody was given',
    'web',
    () =>
      call('POST /account/auth/second-step', {
        ticket: 'guessed'.repeat(6),
        code: '123456',
        remember: false,
      }),
  ],
  [
    'a passkey that is nobody’s',
    'web',
    () =>
      call('POST /account/auth/passkey', {
        answer: {
          id: 'guessed',
          rawId: 'guessed',
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' },
        },
      }),
  ],
  ['a wrong key', 'web', () => call('POST /account/auth/passwordless', { key: 'guessed'.repeat(6) })],
  [
    'a wrong operator’s token',
    'operator',
    () => call('POST /telemetry/add', {}, { authorization: `Bearer ${'guessed'.repeat(6)}` }),
  ],
  [
    'a key of a device that a broker asks about',
    'mqtt',
    () =>
      server.call('POST /broker/authenticate', {
        headers: asOperator,
        body: { username: 'bob', password: 'guessed', clientid: 'bob', peerhost: '203.0.113.9' },
        address: '192.0.2.7',
      }),
  ],
])('of %s one line says from where, and nothing of whom or with what', async (_what, door, refused) => {
  await refused();
  expect(lines).toHaveLength(1);
  const about = { from: '203.0.113.9', door, msg: 'sign-in refused' };
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, time: expect.any(Number), ...about });
  expect(lines[0]).not.toMatch(/ana|bob|example\.com|guessed/);
});

it.each([
  ['POST /account/change-password', { currPwd: 'guessed', newPwd: 'another good one' }],
  ['POST /account/close', { password: 'guessed' }],
  ['POST /account/authenticator/begin', { password: 'guessed' }],
])('a wrong password of somebody who is signed in is logged as well: %s', async (key, body) => {
  const account = await buildAccount(server.database.db, {
    password_hash: await hashPassword('right horse'),
  });
  const headers = await server.signIn(account);
  lines = [];
  expect((await call(key, body, headers)).statusCode).toBe(400);
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { from: '203.0.113.9', door: 'web', msg: 'sign-in refused' },
  ]);
  expect(lines[0]).not.toContain('guessed');
});

it('a sign-in that went well is a line with its account’s number and both steps, and its person sees where from and when', async () => {
  const { id, email } = await buildAccount(server.database.db, {
    password_hash: await hashPassword('right horse'),
  });
  const signIn = () => call('POST /account/auth', { email, password: 'right horse' });
  const { token } = (await signIn()).json<{ token: string }>();
  const { sessions } = (await call('GET /account/sessions', null, { authorization: token })).json();
  expect(sessions).toMatchObject([
    { address: '203.0.113.9', signedInAt: server.clock.now.toISOString(), isThis: true },
  ]);
  const asked = { second_step_since: server.clock.now };
  await server.database.db.updateTable('account').set(asked).where('id', '=', id).execute();
  const code = newRecoveryCode();
  const code_hash = hashRecoveryCode(code) as Buffer;
  await server.database.db.insertInto('recovery_code').values({ account_id: id, code_hash }).execute();
  const { ticket } = (await signIn()).json<{ secondStep: { ticket: string } }>().secondStep;
  const second = (await call('POST /account/auth/second-step', { ticket, code, remember: false })).json<{
    data: { token: string };
  }>();
  const line = { level: 30, account: id, from: '203.0.113.9', by: 'password', msg: 'signed in' };
  expect(lines.map((one): unknown => JSON.parse(one))).toMatchObject([
    { ...line, secondStep: 'none' },
    { ...line, secondStep: 'recovery code' },
  ]);
  for (const secret of [email, 'right horse', token, ticket, code, second.data.token])
    expect(lines.join('\n')).not.toContain(secret);
});

it('says nothing of a broker that doesn’t say from where a device comes: the line would shut it out', async () => {
  const body = { username: 'bob', password: 'guessed', clientid: 'bob' };
  await server.call('POST /broker/authenticate', { headers: asOperator, body });
  expect(lines).toEqual([]);
});

it('a sign-in that is only let on to the second step because too many were wrong is logged as well', async () => {
  const { id } = await buildAccount(server.database.db, { email: 'cas@example.com' });
  const asked = { second_step_since: server.clock.now };
  await server.database.db.updateTable('account').set(asked).where('id', '=', id).execute();
  const body = { email: 'cas@example.com', password: 'guessed' };
  const replies = [];
  for (let turn = 0; turn < 11; turn += 1) {
    const headers = { 'x-forwarded-for': '203.0.113.77' };
    replies.push((await call('POST /account/auth', body, headers)).statusCode);
  }
  expect(replies.at(-1)).toBe(200);
  const refused = lines.filter((line) => line.includes('sign-in refused'));
  expect(refused).toHaveLength(11);
});

it('is the line that the shipped filter of fail2ban finds, and a gateway with an old key is another filter’s', async () => {
  await call('POST /account/auth', { email: 'ana@example.com', password: 'guessed' });
  const byPerson = lines[0] ?? '';
  const byDevice = byPerson.replace('"door":"web"', '"door":"mqtt"');
  const folder = new URL('../../../../../docs/deploy/fail2ban/', import.meta.url);
  const foundBy = async (file: string, line: string) => {
    const [, filter = ''] = /^failregex = (.+)$/m.exec(await readFile(new URL(file, folder), 'utf8')) ?? [];
    return new RegExp(filter.replace('<HOST>', '([0-9a-f.:]+)')).exec(line)?.[1];
  };
  expect(await foundBy('filter.conf', byPerson)).toBe('203.0.113.9');
  expect(await foundBy('filter.conf', byDevice)).toBeUndefined();
  expect(await foundBy('filter-mqtt.conf', byDevice)).toBe('203.0.113.9');
  expect(await foundBy('filter-mqtt.conf', byPerson)).toBeUndefined();
});

it('is not written of who gets in', async () => {
  const headers = await server.signIn(await buildAccount(server.database.db));
  expect((await call('GET /farms-card', null, headers)).statusCode).toBe(200);
  expect(lines).toEqual([]);
});

it('has one line for each look of the operator at the mails, which open accounts', async () => {
  const headers = { ...asOperator, 'x-forwarded-for': '203.0.113.9' };
  expect((await server.http.inject({ url: '/operator/outbox', headers })).statusCode).toBe(200);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    from: '203.0.113.9',
    what: 'outbox',
    msg: 'opened by the operator',
  });
  expect(lines[0]).not.toContain(OPERATOR_TOKEN);
});

it('a call about a farm of others, or without the right, is logged once an hour: by whom, which call and from where, and not about what', async () => {
  const { db } = server.database;
  const farm = await buildFarm(db, (await buildAccount(db)).id);
  const stranger = await buildAccount(db, { type: 'AGENT' });
  const headers = await server.signIn(stranger);
  const look = () => call('GET /farm', null, headers, { uid: farm.uid });
  lines = [];
  for (let turn = 0; turn < 3; turn += 1) expect((await look()).statusCode).toBe(204);
  expect((await call('GET /access-log', null, headers)).statusCode).toBe(403);
  const before = server.clock.now;
  server.clock.now = new Date(before.getTime() + 3_600_000);
  await look();
  server.clock.now = before;
  const line = { account: stranger.id, from: '203.0.113.9', msg: 'call refused' };
  expect(lines.map((one) => JSON.parse(one) as unknown)).toMatchObject([
    { ...line, call: 'GET /farm' },
    { ...line, call: 'GET /access-log' },
    { ...line, call: 'GET /farm' },
  ]);
  expect(lines.join()).not.toContain(farm.uid);
});
