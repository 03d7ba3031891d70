import type { FastifyReply } from 'fastify';
import { ApiFailure } from './errors.ts';

/** Aborted when the caller's connection ends before he has the answer: nobody waits for it any more. */
export function goneSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const gone = new AbortController();
  // Read by nobody.
  const reason = () => new ApiFailure('notReady', 'Nobody waits for the answer any more.');
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(reason());
  });
  return gone.signal;
}
