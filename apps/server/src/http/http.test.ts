import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints } from '@headrace/contract/api';
import { defaultSettings } from '@headrace/contract/default-settings';
import { splitKey } from '@headrace/contract/endpoint';
import { buildAccount, buildFarm } from '../testing/factories.ts';
import { createTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let headers: Record<string, string>;
let farmUid: string;
beforeAll(async () => {
  server = await createTestServer();
  const account = await buildAccount(server.database.db);
  farmUid = (await buildFarm(server.database.db, account.id)).uid;
  headers = await server.signIn(account);
});
afterAll(() => server.close());

it('names the field and the remedy when a body is wrong', async () => {
  const reply = await server.call('POST /account/auth', { body: { email: 5, password: 'x' } });
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toEqual({ errorMessage: 'email must be string.', code: 'invalid', field: 'email' });
  const missing = await server.call('POST /account/auth', { body: { email: 'a@b.nz' } });
  expect(missing.json()).toMatchObject({ errorMessage: 'password is required.', field: 'password' });
});

it.each(['a\u0000b', 'half \uD83D of it'])(
  "says which text of a free document can't be kept: %j",
  async (text) => {
    const data = { ...defaultSettings, sites: [{ id: text }] };
    const reply = await server.call('PUT /settings', { headers, body: { data, version: 6 } });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toEqual({
      errorMessage: "data.sites.0.id holds a character that can't be kept. Please type it again.",
      code: 'invalid',
      field: 'data.sites.0.id',
    });
  },
);

it('says so of a query too', async () => {
  const reply = await server.call('GET /mac', { headers, query: { serialNumber: 'a\u0000b' } });
  expect(reply.statusCode).toBe(400);
  expect(reply.json<{ field: string }>().field).toBe('serialNumber');
});

it('answers an id that is not 24 hex characters with 400', async () => {
  const reply = await server.call('GET /farm', { headers, query: { uid: 'not-an-id' } });
  expect(reply.statusCode).toBe(400);
  expect(reply.json<{ field: string }>().field).toBe('uid');
});

it('asks nobody for a token where all may come: an empty one, as browsers send it, or an old one does no harm', async () => {
  for (const authorization of ['', 'x'.repeat(43)]) {
    const as = { authorization };
    expect((await server.call('GET /ims-settings', { headers: as })).statusCode).toBe(200);
    expect((await server.call('GET /farms-card', { headers: as })).statusCode).toBe(401);
  }
});

it('reads parameter names without regard to case, and a doubled slash as one', async () => {
  const reply = await server.http.inject({
    method: 'GET',
    url: `/v1//lvl/suminfo?farmuid=${farmUid}`,
    headers,
  });
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toEqual({ tanks: [] });
});

it('lets nothing but its own scripts run, and marks answers as not to be kept', async () => {
  const reply = await server.call('GET /ims-settings');
  const policy = String(reply.headers['content-security-policy']);
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
  expect(policy).not.toContain("'unsafe-eval'");
  expect(policy).toContain("style-src 'self';");
  expect(policy).not.toContain('unsafe-inline');
  expect(reply.headers['cache-control']).toBe('no-store');
  expect(reply.headers['x-request-id']).toBeTruthy();
});

it('answers an unknown path under /v1 with 404 in the usual shape', async () => {
  const reply = await server.call('GET /no-such-call', { headers });
  expect(reply.statusCode).toBe(404);
  expect(reply.json()).toMatchObject({ code: 'notFound' });
});

it('turns a failure of ours into one neutral 500 with the request id', async () => {
  const broken = await createTestServer();
  const account = await buildAccount(broken.database.db);
  const signedIn = await broken.signIn(account);
  await broken.database.pool.query('drop table share cascade');
  const reply = await broken.call('GET /farms-card', { headers: signedIn });
  expect(reply.statusCode).toBe(500);
  expect(reply.json()).toEqual({
    errorMessage: 'Something went wrong on the server. Please try again.',
    code: 'internal',
    requestId: reply.headers['x-request-id'],
  });
  await broken.close();
});

it('documents every endpoint as OpenAPI 3.1', async () => {
  const reply = await server.http.inject('/v1/docs/json');
  const document = reply.json<{ openapi: string; paths: Record<string, Record<string, unknown>> }>();
  expect(document.openapi).toBe('3.1.0');
  for (const endpoint of endpoints) {
    const { method, path } = splitKey(endpoint.key);
    expect(
      document.paths[`/v1${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()],
      endpoint.key,
    ).toBeTruthy();
  }
});

it('says that it lives and that it is ready, and why it is not', async () => {
  expect((await server.http.inject('/healthz')).json()).toEqual({ status: 'ok' });
  expect((await server.http.inject('/readyz')).json()).toEqual({ ready: true, checks: { database: 'ok' } });
  const deaf = await createTestServer({ deviceReadiness: () => ({ mqtt: 'not connected' }) });
  const reply = await deaf.http.inject('/readyz');
  expect(reply.statusCode).toBe(503);
  expect(reply.json()).toEqual({ ready: false, checks: { database: 'ok', mqtt: 'not connected' } });
  await deaf.close();
});

it('shows its metrics to this machine and to the operator, to nobody else', async () => {
  const guarded = await createTestServer({ operatorToken: 'operator-token-1234' });
  const from = (remoteAddress: string, authorization = '') =>
    guarded.http.inject({ url: '/metrics', remoteAddress, headers: { authorization } });
  expect((await from('127.0.0.1')).body).toContain('process_cpu_seconds_total');
  expect((await from('192.168.1.7')).statusCode).toBe(404);
  expect((await from('192.168.1.7', 'Bearer operator-token-1234')).statusCode).toBe(200);
  await guarded.close();
});

it('limits how often one address may ask', async () => {
  const limited = await createTestServer({ requestsPerMinute: 3 });
  for (let count = 0; count < 3; count += 1) await limited.call('GET /ims-settings');
  const reply = await limited.call('GET /ims-settings');
  expect(reply.statusCode).toBe(429);
  expect(reply.json()).toMatchObject({ code: 'tooMany' });
  await limited.close();
});
