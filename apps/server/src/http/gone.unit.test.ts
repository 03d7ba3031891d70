import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { goneSignal } from './gone.ts';

it('is aborted when the caller leaves before he has his answer, and not by an answer', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = async () => {
    const request = get({ host: '127.0.0.1', port, agent: false });
    request.on('error', () => undefined);
    const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse];
    return { request, raw, gone: goneSignal({ raw }) };
  };

  const leaves = await asked();
  expect(leaves.gone.aborted).toBe(false);
  leaves.request.destroy();
  await once(leaves.gone, 'abort');

  const stays = await asked();
  stays.raw.end('done');
  await once(stays.raw, 'close');
  expect(stays.gone.aborted).toBe(false);
});
