import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WebSocket } from 'ws';
import type { Caller } from '../http/access-gate.ts';
import { openConnection } from './connection.ts';
import { createConnections } from './connections.ts';
import { createHeartbeat } from './heartbeat.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const connections = createConnections(() => new Date());
  const socket = Object.assign(new EventEmitter(), { ping: vi.fn(), terminate: vi.fn() });
  const connection = openConnection({
    socket: socket as unknown as WebSocket,
    wire: null,
    channel: 'everything',
    caller: { accountId: 1, tokenHash: Buffer.alloc(32) } as Caller,
    token: 't',
  });
  connections.add(connection);
  const { stop } = createHeartbeat(connections);
  return { connection, socket, stop };
}
const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000);

it('asks who is silent for 8 s, and cuts off who says nothing within 18 s', () => {
  const { socket, stop } = open();
  pass(7.9);
  expect(socket.ping).toHaveBeenCalledTimes(0);
  pass(0.1);
  expect(socket.ping).toHaveBeenCalledTimes(1);
  pass(9.9);
  expect(socket.terminate).not.toHaveBeenCalled();
  pass(0.1);
  expect(socket.terminate).toHaveBeenCalledTimes(1);
  stop();
});

it('leaves alone who says anything now and then', () => {
  const { connection, socket, stop } = open();
  for (let n = 0; n < 100; n += 1) {
    pass(16);
    connection.quietMs = 0;
  }
  expect(socket.terminate).not.toHaveBeenCalled();
  stop();
});

it('cuts nobody off for the time that the server itself stood still', () => {
  const { socket, stop } = open();
  pass(4);
  // The clock goes on without a sweep, as it does while nothing runs.
  vi.setSystemTime(Date.now() + 60_000);
  pass(4);
  expect(socket.ping).toHaveBeenCalledTimes(1);
  expect(socket.terminate).not.toHaveBeenCalled();
  stop();
});
