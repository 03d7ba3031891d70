import type { FastifyRequest } from 'fastify';

/**
 * Gives the body what the query says of it, of what it doesn't say itself: called before both are validated. Text of the query
 * becomes the type that the route's query schema has. What can't be that type stays text, and the body's schema refuses it.
 */
export function fillBodyFromQuery(request: FastifyRequest, names: readonly string[]): void {
  const body = request.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body)) return;
  const query = request.query as Record<string, unknown>;
  const isLeft = (name: string) => name in query && !Object.hasOwn(body, name);
  const left = Object.fromEntries(names.filter(isLeft).map((name) => [name, query[name]]));
  request.query = {}; // What the body says already counts for nothing, also when it couldn't be read.
  request.validateInput(left, 'querystring');
  request.body = { ...left, ...body };
}
