import type { FastifyRequest } from 'fastify';
import { deviceUidOf } from '../../http/device-uid.ts';
import type { SignInFrom } from './sessions.ts';

export const fromOf = (request: FastifyRequest): SignInFrom => ({
  deviceUid: deviceUidOf(request),
  address: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, 250),
  ...(request.access.caller && { tokenHash: request.access.caller.tokenHash }),
});
