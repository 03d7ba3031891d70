import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tooMany, tryAgain } from './errors.ts';
import { subscriberNetwork } from './subscriber-network.ts';

const MINUTE_MS = 60_000;

export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

const byAddress = ({ ip }: FastifyRequest): string => subscriberNetwork(ip);

/**
 * Allows `max` calls a minute, by address unless `keyOf` says otherwise. Routes that use the same limit share its count, as GET and HEAD
 * of a path do. A refused caller is told when to try again.
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
