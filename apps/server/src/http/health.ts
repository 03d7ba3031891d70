import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { isOperator } from './operator.ts';

export interface Readiness {
  ready: boolean;
  checks: Record<string, string>;
}

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
    if (!isOperator(request, options.operatorToken))
      return reply.status(404).send({ errorMessage: 'Not found.' });
    return reply.type(options.metrics.contentType).send(await options.metrics.metrics());
  });
}
