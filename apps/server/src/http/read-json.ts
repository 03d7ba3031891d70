import type { FastifyInstance, FastifyRequest } from 'fastify';
import { breathe } from '../jobs/in-turns.ts';
import { invalid } from './errors.ts';
import { nestsDeeperThan } from './json-depth.ts';

/** Ours have ten levels at most; thousands of them held the server for seconds. */
const LEVELS = 32;
/** Others have their turn between the steps of a longer one: a file of 10 MB takes some ten milliseconds in each. */
const LONG_BYTES = 1024 * 1024;

/**
 * JSON bodies. What nests too deep is refused before it is parsed. Programs send their usual headers with a DELETE too, and
 * nothing after them.
 */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) => {
      const isLong = bytes.length > LONG_BYTES;
      if (isLong) await breathe();
      const text = bytes.toString();
      if (isLong) await breathe();
      if (text === '' && request.method === 'DELETE') return undefined;
      if (nestsDeeperThan(LEVELS, text))
        throw invalid(`The request nests more than ${LEVELS} levels deep: send it flatter.`);
      return new Promise((resolve, reject) => {
        void parse(request, text, (error, value) => (error ? reject(error) : resolve(value)));
      });
    },
  );
}
