import type { FastifyRequest } from 'fastify';

/** The browser's fingerprint; kept short, since anyone may send anything. Empty when there is none. */
export const deviceUidOf = (request: Pick<FastifyRequest, 'headers'>): string =>
  String(request.headers.deviceuid ?? '').slice(0, 64);
