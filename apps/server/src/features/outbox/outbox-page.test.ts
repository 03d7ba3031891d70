import { afterAll, beforeAll, expect, it } from 'vitest';
import { asOperator, OPERATOR_TOKEN } from '../../testing/operator.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer();
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
  server.http.inject({ url: '/operator/outbox', headers, remoteAddress });

it('shows what waits and why something failed, and nothing in it is markup', async () => {
  const reply = await get(asOperator);
  expect(reply.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  });
  expect(reply.body).toContain('&lt;script&gt;1&lt;/script&gt;');
  expect(reply.body).toContain('No &amp; no');
  expect(reply.body).not.toMatch(/<script|<b>/);
});

it('no page of the operator has a style or script that our policy refuses, and each file that it names is there', async () => {
  const paths = server.http.printRoutes({ commonPrefix: false }).match(/\/operator\/\S+/g) ?? [];
  expect(paths).toContain('/operator/outbox');
  for (const url of paths) {
    const { headers, body } = await server.http.inject({ url, headers: asOperator });
    expect(headers['content-security-policy'], url).toContain("style-src 'self'");
    if (!String(headers['content-type']).startsWith('text/html')) continue;
    expect(body, url).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=/i);
    for (const [, named = ''] of body.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const file = await server.http.inject({ url: named });
      expect([named, file.statusCode, file.headers['content-type']]).toEqual([
        named,
        200,
        'text/css; charset=utf-8',
      ]);
    }
  }
});

it('is JSON for those who ask for it', async () => {
  const rows = (await get({ ...asOperator, accept: 'application/json' })).json();
  expect(rows).toMatchObject([
    { state: 'failed', error: 'No & no' },
    { state: 'queued', body: 'See <b>\nhttps://x' },
  ]);
});

it.each([
  ['this machine', {}, '127.0.0.1'],
  ['a browser on this machine', { host: 'localhost:3000' }, '::1'],
  ['elsewhere', {}, '203.0.113.5'],
  ['a proxy that says so', { 'x-forwarded-for': '127.0.0.1' }, '203.0.113.6'],
  ['a wrong token', { authorization: `Bearer ${OPERATOR_TOKEN}s` }, '203.0.113.7'],
  ['a wrong password', { authorization: `Basic ${btoa('me:secret')}` }, '203.0.113.8'],
  ['a token of somebody who signed in', { authorization: OPERATOR_TOKEN }, '203.0.113.9'],
])('is refused from %s', async (_, headers, address) => {
  const reply = await get(headers, address);
  expect(reply.statusCode).toBe(401);
  expect(reply.headers['www-authenticate']).toContain('Basic');
  expect(reply.body).not.toContain('example.com');
});

it.each([`Bearer ${OPERATOR_TOKEN}`, `Basic ${btoa(`me:${OPERATOR_TOKEN}`)}`])(
  'is shown from elsewhere with the token: %s',
  async (authorization) => {
    const reply = await get({ authorization, 'x-forwarded-for': '203.0.113.5' }, '203.0.113.5');
    expect(reply.statusCode).toBe(200);
  },
);

it('lets an address try no more after thirty wrong tokens in a minute, and the operator as before', async () => {
  const wrong = { authorization: 'Bearer another-token-of-somebody' };
  for (let count = 0; count < 30; count += 1) expect((await get(wrong, '203.0.113.77')).statusCode).toBe(401);
  const refused = await get(wrong, '203.0.113.77');
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  // One purse for all that is the operator's.
  const elsewhere = { url: '/metrics', headers: wrong, remoteAddress: '203.0.113.77' };
  expect((await server.http.inject(elsewhere)).statusCode).toBe(429);
  expect((await get(asOperator, '203.0.113.77')).statusCode).toBe(200);
});

it('has no operator where there is no token', async () => {
  const none = await createTestServer({ operatorToken: null });
  for (const authorization of ['Bearer null', 'Bearer ', 'Basic Og==', ''])
    expect((await none.http.inject({ url: '/operator/outbox', headers: { authorization } })).statusCode).toBe(
      401,
    );
  await none.close();
});
