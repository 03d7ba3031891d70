import type { FastifyInstance } from 'fastify';
import { invalid } from './errors.ts';
import { nestsDeeperThan } from './json-depth.ts';

/** Ours have ten levels at most; thousands of them held the server for seconds. */
const LEVELS = 32;

/**
 * JSON bodies. What nests too deep is refused before it is parsed. Programs send their usual headers with a DELETE too, and
 * nothing after them.
 */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string;
    if (text === '' && request.method === 'DELETE') done(null, undefined);
    else if (nestsDeeperThan(LEVELS, text))
      done(invalid(`The request nests more than ${LEVELS} levels deep: send it flatter.`));
    else void parse(request, text, done);
  });
}
