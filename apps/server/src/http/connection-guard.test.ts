import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../log.ts';
import { createTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
afterEach(() => server.close());

async function listen(changes: Parameters<typeof createTestServer>[0]): Promise<void> {
  server = await createTestServer(changes);
  await server.http.listen({ port: 0, host: '127.0.0.1' });
}

/** A connection from an address of this machine, with what the server said on it. */
interface Caller {
  socket: Socket;
  said: string;
  isOpen: boolean;
}
async function callFrom(localAddress: string, text = ''): Promise<Caller> {
  const { port } = server.http.server.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  const caller: Caller = { socket, said: '', isOpen: true };
  socket.on('data', (chunk) => (caller.said += String(chunk)));
  socket.on('error', () => undefined).on('close', () => (caller.isOpen = false));
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(text);
  return caller;
}

const head = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: farm.test\r\nContent-Type: application/json\r\nContent-Length: 400\r\n${more}\r\n{`;
const isOver = (caller: Caller) => expect.poll(() => caller.isOpen).toBe(false);
const health = async (from: string) => {
  const caller = await callFrom(
    from,
    'GET /healthz HTTP/1.1\r\nHost: farm.test\r\nConnection: close\r\n\r\n',
  );
  await isOver(caller);
  return caller.said;
};

it('ends the silent connection of an address that waits longest when it has too many, and nobody else’s', async () => {
  await listen({ connectionLimits: { heads: { perKey: 2, all: 100 } } });
  const other = await callFrom('127.0.0.3');
  const silent = [
    await callFrom('127.0.0.2'),
    await callFrom('127.0.0.2', 'GET / HTT'),
    await callFrom('127.0.0.2'),
  ];
  await isOver(silent[0] as Caller);
  expect(await health('127.0.0.2')).toContain('200 OK');
  await isOver(silent[1] as Caller);
  expect([silent[2]?.isOpen, other.isOpen]).toEqual([true, true]);
});

it('counts no connections of our proxies, and slow bodies by the callers that these name', async () => {
  const connectionLimits = {
    heads: { perKey: 1, all: 100 },
    bodies: { perKey: 1, all: 100 },
    slowAfterMs: 20,
  };
  await listen({ connectionLimits, trustedProxies: 1 });
  const silent = [await callFrom('127.0.0.2'), await callFrom('127.0.0.2')];
  const from = (address: string) => head('/v1/account/auth', `X-Forwarded-For: ${address}\r\n`);
  const slow = await callFrom('127.0.0.2', from('203.0.113.1'));
  const other = await callFrom('127.0.0.2', from('203.0.113.2'));
  await callFrom('127.0.0.2', from('203.0.113.1'));
  await isOver(slow);
  expect([...silent, other].map(({ isOpen }) => isOpen)).toEqual([true, true, true]);
});

it('ends a stranger’s body that does not come, and lets one come that is only slow', async () => {
  let logged = '';
  const log = createLog('warn', { write: (line: string) => void (logged += line) });
  await listen({ log, connectionLimits: { slowAfterMs: 20, strangersBodyMs: 3_000 } });
  const never = await callFrom('127.0.0.2', head('/v1/account/auth'));
  const slow = await callFrom('127.0.0.2', head('/v1/account/auth'));
  await new Promise((resolve) => setTimeout(resolve, 300));
  slow.socket.write(`${' '.repeat(398)}}`);
  await expect.poll(() => slow.said).toContain('email is required');
  await isOver(never);
  // It is no fault of ours: nobody is to be woken by it.
  expect(logged).toBe('');
});

it('answers at once who may not call, and soon hears no more of the body', async () => {
  await listen({ connectionLimits: { lingerMs: 300 } });
  const refused = await callFrom('127.0.0.2', head('/v1/farm'));
  await expect.poll(() => refused.said).toContain('401 Unauthorized');
  await isOver(refused);
});

it('says in the usual shape what is wrong with a request that is none', async () => {
  await listen({});
  const garbage = await callFrom('127.0.0.2', 'HELLO\r\n\r\n');
  await isOver(garbage);
  expect(garbage.said).toContain('400 Bad Request');
  expect(JSON.parse(garbage.said.split('\r\n\r\n')[1] ?? '')).toEqual({
    errorMessage: 'This is no HTTP request that can be read.',
    code: 'invalid',
  });
  expect(garbage.said).toContain('X-Content-Type-Options: nosniff\r\n');
  expect(garbage.said).toContain(
    "Content-Security-Policy: default-src 'none'; base-uri 'none'; frame-ancestors 'none'\r\n",
  );
  const large = await callFrom('127.0.0.2', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  await expect.poll(() => large.said).toContain('431 Request Header Fields Too Large');
});

it('refuses a request that names two hosts', async () => {
  await listen({});
  const two = await callFrom('127.0.0.2', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
  await expect.poll(() => two.said).toContain('The request names two hosts');
  expect(two.said).toContain('400 Bad Request');
});

it('refuses a request whose end is said in two ways: what stands behind it is no second one', async () => {
  await listen({});
  const both = `POST /v1/account/auth HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const caller = await callFrom('127.0.0.2', `${both}0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n`);
  await isOver(caller);
  expect(caller.said).toContain('400 Bad Request');
  expect(caller.said.match(/HTTP\/1\.1 /g)).toHaveLength(1);
});
