import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { endpoints } from '@headrace/contract/api';
import { defaultSettings } from '@headrace/contract/default-settings';
import { splitKey } from '@headrace/contract/endpoint';
import { buildAccount, buildFarm } from '../testing/factories.ts';
import { asOperator } from '../testing/operator.ts';
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

it('takes a DELETE with the headers of a body and no body; other calls say what they lack', async () => {
  const json = { ...headers, 'content-type': 'application/json' };
  const url = `/v1/irrigation/reset-location?farmUID=${farmUid}`;
  const reply = await server.http.inject({ method: 'DELETE', url, headers: json });
  expect([reply.statusCode, reply.json<{ reset: number }>().reset]).toEqual([200, 0]);
  const broken = await server.http.inject({ method: 'DELETE', url, headers: json, payload: '{' });
  expect(broken.statusCode).toBe(400);
  expect((await server.http.inject({ method: 'PUT', url: '/v1/settings', headers: json })).statusCode).toBe(
    400,
  );
});

it('decodes a query once, and takes what can’t be decoded as it stands', async () => {
  // Twice decoded the first would hold a NUL, which is refused.
  for (const sent of ['a%2500b', 'a%zzb']) {
    const reply = await server.http.inject({ url: `/v1/mac?serialNumber=${sent}`, headers });
    expect([sent, reply.statusCode, reply.json()]).toEqual([sent, 200, { mac: '' }]);
  }
});

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

it('refuses a parameter that is given twice, in one spelling or in two', async () => {
  for (const second of ['farmUID', 'farmuid']) {
    const url = `/v1/lvl/suminfo?farmUID=${farmUid}&${second}=${farmUid}`;
    const reply = await server.http.inject({ url, headers });
    expect([second, reply.statusCode, reply.json().field]).toEqual([second, 400, 'farmUID']);
  }
});

it.each(['{"__proto__":{"isStaff":true}}', '{"constructor":{"prototype":{"isStaff":true}}}'])(
  'refuses a body with what JavaScript gives a meaning, wherever it stands: %s',
  async (text) => {
    for (const payload of [text, `{"email":"a@b.nz","password":"x","more":[${text}]}`]) {
      const json = { 'content-type': 'application/json' };
      const reply = await server.http.inject({
        method: 'POST',
        url: '/v1/account/auth',
        headers: json,
        payload,
      });
      expect([reply.statusCode, reply.json().code]).toEqual([400, 'invalid']);
      expect(reply.json().errorMessage).not.toContain('email is required');
    }
  },
);

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

it('says the same to browsers with every reply, of success and of failure: guess no type, frame nothing, tell other sites nothing', async () => {
  const origin = 'https://evil.example';
  const replies = [
    await server.call('GET /ims-settings', { headers: { origin } }),
    await server.call('GET /farms-card', { headers: { origin } }),
    await server.call('GET /no-such-call', { headers: { ...headers, origin } }),
    await server.call('POST /account/auth', { headers: { origin }, body: {} }),
    await server.http.inject('/healthz'),
    await server.http.inject('/.env'),
    await server.http.inject('/v1/docs/'),
  ];
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 401, 404, 400, 200, 404, 200]);
  for (const { headers: said } of replies) {
    expect(said).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' });
    expect(said['content-type']).toMatch(/^(application\/json|text\/html); charset=utf-8$/);
    expect(Object.keys(said).filter((name) => /^access-control|^set-cookie/.test(name))).toEqual([]);
    const policy = String(said['content-security-policy']);
    for (const part of ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
  }
  expect(replies.slice(0, 4).map(({ headers: said }) => said['cache-control'])).toEqual(
    Array(4).fill('no-store'),
  );
});

it('lets no other site ask whether it may: its preflights find nothing', async () => {
  const { statusCode, headers: said } = await server.http.inject({
    method: 'OPTIONS',
    url: '/v1/farm',
    headers: {
      origin: 'https://evil.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization,content-type',
    },
  });
  expect(statusCode).toBe(404);
  expect(Object.keys(said).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

it('answers an unknown path under /v1 with 404 in the usual shape', async () => {
  const reply = await server.call('GET /no-such-call', { headers });
  expect(reply.statusCode).toBe(404);
  expect(reply.json()).toMatchObject({ code: 'notFound' });
  for (const url of ['/', '/v1/settings'])
    expect((await server.http.inject({ method: 'TRACE', url, headers })).statusCode).toBe(404);
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

it('mounts every endpoint of the contract, and no other under /v1 but those that guard themselves', async () => {
  const { paths } = (await server.http.inject('/v1/docs/json')).json<{
    paths: Record<string, Record<string, unknown>>;
  }>();
  const mounted = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  const declared = endpoints.map(({ key }) => key.replace(' ', ' /v1'));
  expect(mounted.toSorted()).toEqual(declared.toSorted());
});

it('documents every endpoint as OpenAPI 3.1', async () => {
  const reply = await server.http.inject('/v1/docs/json');
  const document = reply.json<{
    openapi: string;
    paths: Record<string, Record<string, { description?: string }>>;
  }>();
  expect(document.openapi).toBe('3.1.0');
  for (const endpoint of endpoints) {
    const { method, path } = splitKey(endpoint.key);
    expect(
      document.paths[`/v1${path.replace(/:(\w+)/g, '{$1}')}`]?.[method.toLowerCase()]?.description,
      endpoint.key,
    ).toMatch(/^Needs /);
  }
  expect(document.paths['/v1/sensor']?.['post']?.description).toBe(
    'Needs this right on the farm: sensors (Create).',
  );
  expect(document.paths['/v1/telemetry/add']?.['post']?.description).toBe("Needs the operator's token.");
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

it('shows its metrics to the operator alone', async () => {
  const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
    server.http.inject({ url: '/metrics', remoteAddress, headers });
  expect((await from('192.168.1.7', asOperator)).body).toContain('process_cpu_seconds_total');
  for (const address of ['127.0.0.1', '::1', '192.168.1.7']) {
    const reply = await from(address);
    expect([reply.statusCode, reply.json()]).toMatchObject([401, { code: 'unauthenticated' }]);
  }
});

it('limits how often one address may ask, whatever for, and says when it may again', async () => {
  const limited = await createTestServer({ requestsPerMinute: 3 });
  const ask = (url: string, headers = {}) =>
    limited.http.inject({ url, headers, remoteAddress: '192.0.2.1' });
  await ask('/v1/ims-settings');
  await ask('/nowhere');
  // What is refused for its token counts too.
  await ask('/v1/farms-card', { authorization: 'x'.repeat(43) });
  const reply = await ask('/v1/ims-settings');
  expect(reply.statusCode).toBe(429);
  const seconds = reply.headers['retry-after'];
  expect(Number(seconds)).toBeGreaterThan(50);
  expect(reply.json()).toEqual({
    errorMessage: `Too many requests. Please try again in ${seconds} seconds.`,
    code: 'tooMany',
  });
  expect(reply.headers['content-security-policy']).toBeTruthy();
  expect((await limited.http.inject({ url: '/healthz', remoteAddress: '192.0.2.2' })).statusCode).toBe(200);
  await limited.close();
});

it('counts HEAD and GET of a call together', async () => {
  const url = '/v1/account/is-registered?email=a@example.com';
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1)
    for (const method of ['GET', 'HEAD'] as const)
      statuses.push((await server.http.inject({ method, url, remoteAddress: '192.0.2.44' })).statusCode);
  expect(statuses).toEqual([...Array<number>(60).fill(200), 429, 429]);
});

it('refuses what nests too deep, at once and before it is parsed', async () => {
  const deep = (levels: number) => `{"version":6,"data":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  const put = (payload: string) =>
    server.http.inject({
      method: 'PUT',
      url: '/v1/settings',
      headers: { ...headers, 'content-type': 'application/json' },
      payload,
    });
  const reply = await put(deep(450_000));
  expect([reply.statusCode, reply.json()]).toEqual([
    400,
    { errorMessage: 'The request nests more than 32 levels deep: send it flatter.', code: 'invalid' },
  ]);
  expect((await put(deep(32))).json()).toMatchObject({ errorMessage: expect.stringContaining('32 levels') });
  // Not too deep, and no settings.
  expect((await put(deep(31))).json()).not.toMatchObject({ errorMessage: expect.stringContaining('levels') });
});

it('takes small bodies from strangers, and says how small', async () => {
  const signIn = (password: string) =>
    server.call('POST /account/auth', { body: { email: 'a@example.com', password } });
  const reply = await signIn('x'.repeat(17 * 1024));
  expect([reply.statusCode, reply.json()]).toEqual([
    413,
    { errorMessage: 'The request is too large: the limit is 16 KiB.', code: 'tooLarge' },
  ]);
});

it('answers an address that can’t be read in the usual shape', async () => {
  for (const url of ['/v1/%zz', '/%c0%ae', '/v1/sensor-history/%']) {
    const reply = await server.http.inject(url);
    expect([url, reply.statusCode]).toEqual([url, 400]);
    expect(Object.keys(reply.json())).toEqual(['errorMessage', 'code']);
  }
});

it('tells browsers to come by https where people do, and shuts what no page uses', async () => {
  const reply = await server.http.inject('/healthz');
  expect(reply.headers['strict-transport-security']).toBe('max-age=31536000');
  expect(reply.headers['permissions-policy']).toContain('microphone=()');
  const plain = await createTestServer({ publicUrl: 'http://farm.local:3000' });
  expect((await plain.http.inject('/healthz')).headers['strict-transport-security']).toBeUndefined();
  await plain.close();
});

it('has no pages under hidden names, and the app for every address of its own', async () => {
  const webFolder = await mkdtemp(join(tmpdir(), 'headrace-web-'));
  await writeFile(join(webFolder, 'index.html'), '<title>Headrace</title>');
  await mkdir(join(webFolder, 'assets'));
  await writeFile(join(webFolder, 'assets', 'app.css'), '');
  const app = await createTestServer({ webFolder });
  const statusOf = async (url: string) => (await app.http.inject(url)).statusCode;
  for (const url of [
    '/',
    '/assets/app.css',
    '/dashboard',
    '/group-status/Block 1.2',
    '/barcode/AB.12',
    '/group-status/.5 ha',
    '/group-status/50% more',
    '/group-status/Block 3.old',
    '/group-status/Shed.log',
    '/barcode/AB.zip',
  ])
    expect([url, await statusOf(encodeURI(url))]).toEqual([url, 200]);
  for (const url of [
    '/.env',
    '/.git/HEAD',
    '/a/.aws/credentials',
    '/%2eenv',
    '/.%65nv',
    '/%252eenv',
    '/wp-login.php',
    '/wp-admin/',
    '/backup.sql',
    '/old/site.ZIP',
    '/operator/other',
    '/assets/x.js',
    '/assets',
    '/assets/',
    '/group-status/x/site.old',
    '/group-status.old',
    '/%25252eenv',
    `/${'a/'.repeat(1100)}`,
    // Each time it is decoded it is two characters shorter.
    `/group-status/%${'25'.repeat(1100)}`,
  ])
    expect([url, await statusOf(url)]).toEqual([url, 404]);
  await app.close();
  await rm(webFolder, { recursive: true });
});
