import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { LIVE_PATH } from '@headrace/contract/limits';
import type { LiveHub } from './live-hub.ts';

const MAX_CLIENT_FRAME_BYTES = 16 * 1024;

/**
 * `/v1/live`: the sub-protocol is the token, which keeps it out of addresses and logs. The upgrade is always accepted,
 * since a browser can't see a refused one. What browsers say (client_id, watch) needs no answer: a connection hears of
 * every farm that its account may read.
 */
export async function registerLive(app: FastifyInstance, hub: LiveHub): Promise<void> {
  await app.register(websocket, {
    options: {
      maxPayload: MAX_CLIENT_FRAME_BYTES,
      handleProtocols: (protocols) => [...protocols][0] ?? false,
    },
  });
  app.get(`/v1${LIVE_PATH}`, { websocket: true, schema: { hide: true } }, (socket, request) => {
    const token = request.headers['sec-websocket-protocol']?.split(',')[0]?.trim() ?? '';
    void hub.accept(socket, token).catch((error: unknown) => {
      request.log.warn({ err: error }, 'live connection not opened');
      socket.close(1011, 'Please try again.');
    });
  });
}
