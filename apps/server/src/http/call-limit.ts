import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tooMany, tryAgain } from './errors.ts';
import { subscriberNetwork } from './subscriber-network.ts';

const MINUTE_MS = 60_000;

export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const byAddress = ({ ip }: FastifyRequest): string => subscriberNetwork(ip);

/**
 * So many calls a minute, by address unless said. One limit is one purse, whatever it is asked for: routes that share it share
 * what is in it, as GET and HEAD of a path do. Who is refused hears when to come again.
 */
export function callLimit(app: FastifyInstance, max: number, keyOf = byAddress): Guard {
  const count = app.createRateLimit({ max, timeWindow: MINUTE_MS, keyGenerator: keyOf });
  return async (request, reply) => {
    const found = await count(request);
    if (found.isAllowed || !found.isExceeded) return;
    const restMs = found.ttlInSeconds * 1000;
    reply.header('connection', 'close');
    throw tooMany(`Too many requests. ${tryAgain(restMs)}`, restMs);
  };
}
