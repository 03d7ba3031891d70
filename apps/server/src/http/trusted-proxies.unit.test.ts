import fastify from 'fastify';
import { expect, it } from 'vitest';
import { isOurProxy, type TrustedProxies } from './trusted-proxies.ts';

async function addressSeen(proxies: TrustedProxies, peer: string, forwarded: string): Promise<string> {
  const app = fastify({ trustProxy: isOurProxy(proxies) });
  app.get('/', async ({ ip }) => ip);
  const { body } = await app.inject({
    url: '/',
    remoteAddress: peer,
    headers: { 'x-forwarded-for': forwarded },
  });
  await app.close();
  return body;
}

it.each<[string, TrustedProxies, string, string, string]>([
  ['no proxy', 0, '127.0.0.1', '198.51.100.1', '127.0.0.1'],
  ['one proxy', 1, '127.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['one proxy and a caller who claims another', 1, '127.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['one proxy and a caller in its own network', 1, '10.0.0.2', '198.51.100.1, 10.0.0.7', '10.0.0.7'],
  ['two proxies', 2, '10.0.0.2', '198.51.100.1, 203.0.113.9, 10.0.0.3', '203.0.113.9'],
  ['somebody who is no proxy of ours', 1, '203.0.113.5', '198.51.100.1', '203.0.113.5'],
  ['a proxy elsewhere', ['203.0.113.5'], '203.0.113.5', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
])('behind %s', async (_what, proxies, peer, forwarded, seen) => {
  expect(await addressSeen(proxies, peer, forwarded)).toBe(seen);
});
