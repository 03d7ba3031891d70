import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { WebSocket } from 'ws';
import { LIVE_PATH } from '@headrace/contract/limits';
import type { LiveChannel } from './connection.ts';
import type { LiveHub } from './live-hub.ts';

const MAX_CLIENT_FRAME_BYTES = 16 * 1024;

/**
 * `/v1/live`: the sub-protocol is the token, which keeps it out of addresses and logs. The upgrade is always accepted,
 * since a browser can't see a refused one. A connection hears of every farm that its account may read;
 * `/v1/notifications` hears notifications alone, after it said `client_id`.
 */
export async function registerLive(
  app: FastifyInstance,
  hub: LiveHub,
  isDatabaseAway: () => boolean,
): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: MAX_CLIENT_FRAME_BYTES,
      handleProtocols: (protocols) => [...protocols][0] ?? false,
    },
  });
  const accept = (channel: LiveChannel) => (socket: WebSocket, request: FastifyRequest) => {
    // Who may hear what can't be known: the page comes back by itself.
    if (isDatabaseAway()) return socket.close(1013, 'Please try again soon.');
    const token = request.headers['sec-websocket-protocol']?.split(',')[0]?.trim() ?? '';
    void hub.accept(socket, token, { channel, wire: request.raw.socket }).catch((error: unknown) => {
      request.log.warn({ err: error }, 'live connection not opened');
      socket.close(1011, 'Please try again.');
    });
  };
  const route = { websocket: true, schema: { hide: true } } as const;
  app.get(`/v1${LIVE_PATH}`, route, accept('everything'));
  app.get(
    '/v1/notifications',
    { ...route, constraints: { upgrade: 'websocket' }, exposeHeadRoute: false },
    accept('notifications'),
  );
}
