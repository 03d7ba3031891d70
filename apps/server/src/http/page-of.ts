import type { FastifyRequest } from 'fastify';
import { CLIENT_ID_HEADER } from '@headrace/contract/limits';

/** The open page that calls, by the id that it said on its live connection. Programs need not say one. */
export function pageOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const id = headers[CLIENT_ID_HEADER.toLowerCase()];
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined;
}
