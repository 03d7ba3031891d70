import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { OperatorGuard } from './operator.ts';

export interface Readiness {
  ready: boolean;
  checks: Record<string, string>;
}

const METRICS_PER_MINUTE = 120;

/** /healthz says that the process lives, /readyz that it can do its work; /metrics is the operator's. */
export function registerHealth(
  app: FastifyInstance,
  options: { readiness: () => Promise<Readiness>; metrics: Registry; operators: OperatorGuard },
): void {
  app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }));
  app.get('/readyz', { schema: { hide: true } }, async (_request, reply) => {
    const readiness = await options.readiness();
    return reply.status(readiness.ready ? 200 : 503).send(readiness);
  });
  const onRequest = options.operators.guard(METRICS_PER_MINUTE);
  app.get('/metrics', { schema: { hide: true }, onRequest }, async (_request, reply) =>
    reply.type(options.metrics.contentType).send(await options.metrics.metrics()),
  );
}
