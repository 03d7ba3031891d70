import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;
const token = 'operator-token-1234';

beforeAll(async () => {
  server = await createTestServer({ operatorToken: token });
  await server.database.db
    .insertInto('outbox')
    .values([
      {
        at: server.clock.now,
        recipient: 'a@example.com',
        subject: '<script>1</script>',
        body: 'See <b>\nhttps://x',
      },
      {
        at: server.clock.now,
        recipient: 'b@example.com',
        subject: 'Two',
        body: '',
        state: 'failed',
        error: 'No & no',
      },
    ])
    .execute();
});
afterAll(() => server.close());

const get = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
  server.http.inject({
    url: '/operator/outbox',
    headers: { host: 'localhost:3000', ...headers },
    remoteAddress,
  });

it('shows what waits and why something failed, and nothing in it is markup', async () => {
  const reply = await get();
  expect(reply.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(reply.body).toContain('&lt;script&gt;1&lt;/script&gt;');
  expect(reply.body).toContain('No &amp; no');
  expect(reply.body).not.toMatch(/<script|<b>/);
});

it('is JSON for those who ask for it', async () => {
  const rows = (await get({ accept: 'application/json' })).json();
  expect(rows).toMatchObject([
    { state: 'failed', error: 'No & no' },
    { state: 'waiting', body: 'See <b>\nhttps://x' },
  ]);
});

it.each([
  ['elsewhere', {}, '203.0.113.5'],
  ['a proxy on this machine', { 'x-forwarded-for': '203.0.113.5' }, '127.0.0.1'],
  ['a page that calls us by a name of its own', { host: 'evil.example.com' }, '127.0.0.1'],
  ['elsewhere with a wrong token', { authorization: 'Bearer operator-token-1235' }, '203.0.113.5'],
])('is refused from %s', async (_, headers, address) => {
  const reply = await get(headers, address);
  expect(reply.statusCode).toBe(401);
  expect(reply.body).not.toContain('example.com');
});

it.each([`Bearer ${token}`, `Basic ${Buffer.from(`me:${token}`).toString('base64')}`])(
  'is shown from elsewhere with the token: %s',
  async (authorization) => {
    const reply = await get({ authorization, 'x-forwarded-for': '203.0.113.5' }, '203.0.113.5');
    expect(reply.statusCode).toBe(200);
  },
);
