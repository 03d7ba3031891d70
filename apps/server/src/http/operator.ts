import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callLimit, type Guard } from './call-limit.ts';
import { ApiFailure } from './errors.ts';
import { logRefused } from './refused-log.ts';

/** Tries of strangers to be the operator, a minute from one address. */
const STRANGERS_PER_MINUTE = 30;

const digest = (text: string) => createHash('sha256').update(text).digest();

/**
 * The operator is who sends the operator's token: as `Authorization: Bearer <token>`, or as the password that a browser asks
 * for. Where a call comes from says nothing: behind a proxy on this machine, everybody comes from this machine.
 */
export function isOperator(
  { headers }: Pick<FastifyRequest, 'headers'>,
  operatorToken: string | null,
): boolean {
  const given = passwordOf(headers.authorization ?? '');
  return operatorToken !== null && given !== null && timingSafeEqual(digest(given), digest(operatorToken));
}

/** A browser sends what was typed as `Basic name:password`; the name does not matter. */
function passwordOf(authorization: string): string | null {
  const [, scheme, value = ''] = /^(Bearer|Basic) (.+)$/i.exec(authorization) ?? [];
  if (scheme?.toLowerCase() !== 'basic') return scheme ? value : null;
  const pair = Buffer.from(value, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

export interface OperatorGuard {
  /** Before a route that is the operator's alone; browsers ask for the password where `asks` says so. */
  guard(perMinute: number, options?: { asks?: boolean }): Guard;
}

/** The operator has a purse of calls for each route, which strangers can't empty; strangers have one for all of them. */
export function createOperatorGuard(app: FastifyInstance, operatorToken: string | null): OperatorGuard {
  const strangers = callLimit(app, STRANGERS_PER_MINUTE);
  return {
    guard(perMinute, { asks = false } = {}) {
      const own = callLimit(app, perMinute, () => 'operator');
      return async (request, reply) => {
        if (isOperator(request, operatorToken)) return own(request, reply);
        await strangers(request, reply);
        if (asks) reply.header('www-authenticate', 'Basic realm="Headrace operator", charset="UTF-8"');
        logRefused(request.log, 'operator', request.ip);
        throw new ApiFailure('unauthenticated', "This is the operator's: send the operator token.");
      };
    },
  };
}
