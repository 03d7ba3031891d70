import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../http/mount.ts';
import { pageOf } from '../../http/page-of.ts';
import type { By } from './record-change.ts';

interface OfPerson {
  caller: Caller;
  now: Date;
  request: FastifyRequest;
}

/** Who calls, when, and from which open page. */
export const byOf = ({ caller, now, request }: OfPerson): By => ({
  accountId: caller.accountId,
  now,
  page: pageOf(request),
});
export const success = { success: true } as const;
