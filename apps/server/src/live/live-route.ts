import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { LiveHub } from './live-hub.ts';

const MAX_CLIENT_FRAME_BYTES = 16 * 1024;

/**
 * `/v1/live` (and `/v1/notifications`, its older name): the sub-protocol is the token, which keeps it out of addresses
 * and logs. The upgrade is always accepted, since a browser can't see a refused one.
 */
export async function registerLive(app: FastifyInstance, hub: LiveHub): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: MAX_CLIENT_FRAME_BYTES,
      handleProtocols: (protocols) => [...protocols][0] ?? false,
    },
  });
  for (const url of ['/v1/live', '/v1/notifications']) {
    app.get(url, { websocket: true, schema: { hide: true } }, (socket, request) => {
      void hub
        .accept(socket, request.headers['sec-websocket-protocol']?.split(',')[0]?.trim() ?? '')
        .catch((error: unknown) => {
          request.log.warn({ err: error }, 'live connection not opened');
          socket.close(1011, 'Please try again.');
        });
    });
  }
}
