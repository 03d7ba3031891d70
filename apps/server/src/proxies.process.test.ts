import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import {
  documentedConfig,
  documentedRedirect,
  hasProxy,
  type Proxy,
  type ProxyProgram,
  startProxy,
} from './testing/proxy.ts';

/** What somebody writes who has read nothing: it says nothing of who calls. */
const naive: Record<ProxyProgram, string> = {
  nginx: `server {
  listen 127.0.0.1:{port};
  location / {
    proxy_pass http://{server};
  }
}`,
  caddy: `http://127.0.0.1:{port} {
  reverse_proxy {server} {
    header_up -X-Forwarded-*
    header_up Host {upstream_hostport}
  }
}`,
};

const body = JSON.stringify({ username: 'x', password: 'y', clientid: 'z' });
const sample = JSON.stringify({ sensorUID: '0'.repeat(24), date: '2026-11-20', time: '09:15', swp1: 9 });
/** Path, body, and what the operator is answered: there is no such sensor. */
const operatorCalls: [string, string | null, number][] = [
  ['/operator/outbox', null, 200],
  ['/metrics', null, 200],
  ['/v1/broker/authenticate', body, 200],
  ['/v1/telemetry/add', sample, 404],
];
/** What callers have tried to pass for this machine. */
const disguises: Record<string, string>[] = [
  {},
  {
    'x-forwarded-for': '127.0.0.1',
    'x-real-ip': '127.0.0.1',
    forwarded: 'for=127.0.0.1',
    host: 'localhost:3000',
  },
];

let server: { process: ChildProcess; url: string; dataDir: string };
async function startServer(TRUST_PROXY: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'headrace-proxies-'));
  const main = new URL('../dist/main.js', import.meta.url).pathname;
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    MQTT_PORT: '0',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
    TRUST_PROXY,
  };
  const child = fork(main, [], { execArgv: [], env });
  const exited = once(child, 'exit').then(() => {
    throw new Error('the server ended before it listened');
  });
  const [{ url }] = (await Promise.race([once(child, 'message'), exited])) as [{ url: string }];
  exited.catch(() => undefined);
  server = { process: child, url, dataDir };
}
async function stopServer(): Promise<void> {
  const gone = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  await gone;
  await rm(server.dataDir, { recursive: true, force: true });
}

const call = (url: string, payload: string | null, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: payload === null ? 'GET' : 'POST',
    headers: { ...(payload !== null && { 'content-type': 'application/json' }), ...headers },
    body: payload,
  });
const token = () => readFile(join(server.dataDir, 'operator-token'), 'utf8');

describe.each([
  [
    'a proxy that says nothing of who calls, and no TRUST_PROXY',
    'false',
    (name: ProxyProgram) => naive[name],
  ],
  ['the documented proxy', 'true', documentedConfig],
])('behind %s', (_what, trustProxy, configOf) => {
  beforeAll(() => startServer(trustProxy));
  afterAll(stopServer);

  it('the token was made for the user of the server alone', async () => {
    const { mode } = await stat(join(server.dataDir, 'operator-token'));
    expect(mode & 0o777).toBe(0o600);
    expect(await token()).toMatch(/^[\w-]{43}$/);
  });

  it('a caller on this machine is nobody either', async () => {
    for (const [path, payload] of operatorCalls)
      expect([path, (await call(`${server.url}${path}`, payload)).status]).toEqual([path, 401]);
  });

  describe.each(['nginx', 'caddy'] as const)('%s', (name) => {
    let proxy: Proxy;
    beforeAll(async () => {
      if (hasProxy(name)) proxy = await startProxy(name, await configOf(name), server.url);
    });
    afterAll(() => proxy?.stop());

    it.skipIf(!hasProxy(name))('passes pages, and no call of the operator', async () => {
      expect((await call(`${proxy.url}/healthz`, null)).status).toBe(200);
      for (const [path, payload] of operatorCalls)
        for (const headers of disguises) {
          const reply = await call(`${proxy.url}${path}`, payload, headers);
          expect([path, headers, reply.status]).toEqual([path, headers, 401]);
          expect(await reply.text()).toContain('operator token');
        }
    });

    it.skipIf(!hasProxy(name))('passes the operator who has the token', async () => {
      const headers = { authorization: `Bearer ${await token()}` };
      for (const [path, payload, expected] of operatorCalls)
        expect([path, (await call(`${proxy.url}${path}`, payload, headers)).status]).toEqual([
          path,
          expected,
        ]);
    });

    it.skipIf(!hasProxy(name) || trustProxy === 'false')('passes live connections', async () => {
      const socket = new WebSocket(`${proxy.url.replace('http', 'ws')}/v1/live`, 'no-token');
      const [code] = (await once(socket, 'close')) as [number];
      expect(code).toBe(4401);
    });
  });
});

describe.each(['nginx', 'caddy'] as const)('plain http before the documented %s', (name) => {
  let proxy: Proxy;
  beforeAll(async () => {
    // It asks no server.
    if (hasProxy(name)) proxy = await startProxy(name, await documentedRedirect(name), 'http://127.0.0.1:9');
  });
  afterAll(() => proxy?.stop());

  it.skipIf(!hasProxy(name)).each([
    ['GET', '/', 308],
    ['GET', '/farm/1?tab=map', 308],
    ['HEAD', '/login', 308],
    // The app's own pages whose names only begin so.
    ['GET', '/v1x', 308],
    ['GET', '/v1', 403],
    ['GET', '/v1/farms-card', 403],
    ['HEAD', '/v1/farms-card', 403],
    ['GET', '/v1/live', 403],
    ['POST', '/v1/account/auth', 403],
    ['POST', '/', 403],
    ['PUT', '/login', 403],
    ['GET', '/metrics', 403],
    ['GET', '/operator/outbox', 403],
    ['GET', '/readyz', 403],
  ])('%s %s: %i', async (method, path, status) => {
    const reply = await fetch(`${proxy.url}${path}`, { method, redirect: 'manual' });
    const to = status === 308 ? `https://127.0.0.1${path}` : null;
    // nginx and Caddy leave the port of http away, as there is none in what they are asked on port 80.
    expect([reply.status, reply.headers.get('location')?.replace(/:\d+(?=\/)/, '') ?? null]).toEqual([
      status,
      to,
    ]);
  });
});
