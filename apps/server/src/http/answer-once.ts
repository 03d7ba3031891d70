import type { FastifyRequest } from 'fastify';
import { IDEMPOTENCY_HEADER } from '@headrace/contract/limits';
import type { Once } from '../db/once.ts';
import type { Caller } from './access-gate.ts';
import { ApiFailure, conflict, invalid } from './errors.ts';

/** The key, with or without the quotes of the draft's structured string. Null: none was sent. Throws if it has a wrong form. */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const given = headers[IDEMPOTENCY_HEADER.toLowerCase()];
  if (given === undefined) return null;
  const [, key] = /^"?([\x21\x23-\x7e]{8,64})"?$/.exec(String(given)) ?? [];
  if (!key) throw invalid('Idempotency-Key must have 8 to 64 characters without blanks.', IDEMPOTENCY_HEADER);
  return key;
}

interface AskedCall {
  readonly query: unknown;
  readonly body: unknown;
  readonly caller: Caller;
  readonly now: Date;
  readonly request: FastifyRequest;
}

/** The reply to a call that makes something: with the key of an earlier one its reply, and nothing is made anew. */
export async function answerOnce<T>(
  once: Once,
  endpointKey: string,
  { query, body, caller, now, request }: AskedCall,
  work: () => Promise<T>,
): Promise<T> {
  const key = idempotencyKeyOf(request);
  if (key === null) return work();
  const what = JSON.stringify([endpointKey, query, body]);
  const result = await once.run({ accountId: caller.accountId, key, what }, now, work);
  if (result.kind === 'done') return result.reply;
  if (result.kind === 'reused')
    throw new ApiFailure(
      'keyReused',
      'This Idempotency-Key was used for something else. Please send a new one.',
      IDEMPOTENCY_HEADER,
    );
  throw conflict('This was asked for before and is done, or nearly. Please look whether it is there.');
}
