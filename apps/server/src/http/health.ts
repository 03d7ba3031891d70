import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';

export interface Readiness {
  ready: boolean;
  checks: Record<string, string>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** /healthz says that the process lives, /readyz that it can do its work; /metrics is for loopback or the operator. */
export function registerHealth(
  app: FastifyInstance,
  options: { readiness: () => Promise<Readiness>; metrics: Registry; operatorToken: string | null },
): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const readiness = await options.readiness();
    return reply.status(readiness.ready ? 200 : 503).send(readiness);
  });
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const isOperator =
      options.operatorToken !== null && request.headers.authorization === `Bearer ${options.operatorToken}`;
    if (!LOOPBACK.has(request.ip) && !isOperator)
      return reply.status(404).send({ errorMessage: 'Not found.' });
    return reply.type(options.metrics.contentType).send(await options.metrics.metrics());
  });
}
