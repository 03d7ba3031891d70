import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiFailure } from './errors.ts';

const JSON_ALONE = ['application/json'] as const;

/** Bodies are JSON unless their endpoint says what else it takes: then its handler gets the bytes. */
export function takeDeclaredBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', async (request) => refuseOtherBodies(request));
}

function refuseOtherBodies({ headers, routeOptions }: FastifyRequest): void {
  if (headers['transfer-encoding'] === undefined && !(Number(headers['content-length']) > 0)) return;
  const { endpoint, takes } = routeOptions.config;
  const taken = takes ?? endpoint?.takes ?? JSON_ALONE;
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (!taken.includes(type))
    throw new ApiFailure('unsupportedType', `Send the body as ${taken.join(' or ')}.`, 'Content-Type');
}
