import type { FastifyInstance } from 'fastify';
import { callLimit } from '../../http/call-limit.ts';
import type { NotificationsService } from './notifications.service.ts';

const PER_MINUTE = 60;

/**
 * `POST /unsubscribe?key=`, by which mail programs end notifications by mail (RFC 8058). The same address opened in a browser is a page
 * with a button: programs that look at mails follow links. The answer is the same for every key.
 */
export function registerOneClick(
  http: FastifyInstance,
  service: Pick<NotificationsService, 'unsubscribe'>,
  now: () => Date,
): void {
  http.post(
    '/unsubscribe',
    {
      schema: { hide: true },
      config: { takes: ['application/x-www-form-urlencoded', 'multipart/form-data'] },
      onRequest: callLimit(http, PER_MINUTE),
      bodyLimit: 4096,
    },
    async (request, reply) => {
      const { key } = request.query as { key?: unknown };
      if (typeof key === 'string' && key.length <= 200) await service.unsubscribe(key, now());
      return reply.type('text/plain; charset=utf-8').send('You get no more notifications by e-mail.');
    },
  );
}
