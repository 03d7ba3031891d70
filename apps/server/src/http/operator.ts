import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);
const digest = (text: string) => createHash('sha256').update(text).digest();

/** The operator calls from this machine, or with `Authorization: Bearer <OPERATOR_TOKEN>`. */
export function isOperator(
  request: Pick<FastifyRequest, 'ip' | 'headers'>,
  operatorToken: string | null,
): boolean {
  if (LOOPBACK.has(request.ip)) return true;
  const { authorization } = request.headers;
  if (operatorToken === null || authorization === undefined) return false;
  return timingSafeEqual(digest(authorization), digest(`Bearer ${operatorToken}`));
}
