import { LIVE_PING_MS, LIVE_SILENCE_MS } from '@headrace/contract/limits';
import type { Connections } from './connections.ts';

const SWEEP_MS = 2000;

/**
 * Cuts off connections that a network has swallowed. Time is counted in sweeps, not by the clock: a server that stood still for
 * half a minute has words waiting to be read.
 */
export function createHeartbeat(connections: Connections): { stop(): void } {
  const timer = setInterval(() => {
    for (const connection of connections.all()) {
      connection.quietMs += SWEEP_MS;
      if (connection.quietMs >= LIVE_PING_MS + LIVE_SILENCE_MS) connection.socket.terminate();
      else if (connection.quietMs % LIVE_PING_MS === 0) connection.socket.ping();
    }
  }, SWEEP_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
