import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOperator } from '../../http/operator.ts';
import { escapeHtml } from '../messages/render-mail.ts';
import type { OutboxRepo } from './outbox.repo.ts';

const SHOWN = 100;
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'x-real-ip', 'via'] as const;

/**
 * `GET /operator/outbox`: what waits and what did not go, for the operator's browser. Its mails hold links that open
 * accounts, so this machine alone is not enough where a proxy may stand before us: then the operator's token is needed,
 * as `Bearer`, or as the password that a browser asks for.
 */
export function registerOutboxPage(
  app: FastifyInstance,
  outbox: Pick<OutboxRepo, 'newest'>,
  operatorToken: string | null,
): void {
  const limit = { max: 30, timeWindow: '1 minute' };
  app.get(
    '/operator/outbox',
    { schema: { hide: true }, config: { rateLimit: limit } },
    async (request, reply) => {
      if (!mayLook(request, operatorToken)) return refuse(reply, operatorToken);
      const rows = await outbox.newest(SHOWN);
      reply.header('cache-control', 'no-store');
      if (request.headers.accept?.includes('application/json')) return reply.send(rows.map(present));
      return reply.type('text/html; charset=utf-8').send(page(rows));
    },
  );
}

type Row = Awaited<ReturnType<OutboxRepo['newest']>>[number];

function mayLook({ ip, headers, host }: FastifyRequest, token: string | null): boolean {
  const isDirect = FORWARDED.every((name) => headers[name] === undefined);
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
  if (isDirect && isHere && isOperator({ ip, headers: {} }, null)) return true;
  const authorization = bearerOf(headers.authorization);
  return token !== null && isOperator({ ip: '', headers: { authorization } }, token);
}

/** A browser sends what was typed as `Basic name:password`; the name does not matter. */
function bearerOf(authorization = ''): string {
  const [, basic] = /^Basic (.+)$/i.exec(authorization) ?? [];
  if (basic === undefined) return authorization;
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  return `Bearer ${pair.slice(pair.indexOf(':') + 1)}`;
}

function refuse(reply: FastifyReply, token: string | null): FastifyReply {
  if (token === null) return reply.status(404).send({ errorMessage: 'Not found.' });
  return reply
    .status(401)
    .header('www-authenticate', 'Basic realm="Headrace operator", charset="UTF-8"')
    .send({ errorMessage: 'Give the operator token as the password.' });
}

const present = ({
  id,
  at,
  way,
  recipient,
  subject,
  body,
  state,
  tries,
  next_try_at,
  sent_at,
  error,
}: Row) => ({
  id,
  at,
  way,
  recipient,
  subject,
  body,
  state,
  tries,
  error,
  nextTryAt: next_try_at,
  sentAt: sent_at,
});

function page(rows: readonly Row[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Outbox</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
article{border-top:1px solid;padding:.5rem 0}h2{font-size:1rem;margin:0}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>
</head><body><h1>Outbox</h1>
${rows.map(article).join('\n') || '<p>The outbox is empty.</p>'}
</body></html>`;
}

function article(row: Row): string {
  const next = row.state === 'waiting' && row.tries > 0 && row.next_try_at;
  const facts = [
    row.at.toISOString(),
    row.way,
    row.recipient,
    row.state,
    row.tries > 0 ? `tried ${row.tries} times` : '',
    next ? `next ${next.toISOString()}` : '',
  ].filter((fact) => fact !== '');
  return `<article><h2>${escapeHtml(row.subject || row.way)}</h2><p>${escapeHtml(facts.join(' · '))}</p>
${row.error ? `<p><strong>Error:</strong> ${escapeHtml(row.error)}</p>` : ''}
${row.body ? `<pre>${escapeHtml(row.body)}</pre>` : ''}</article>`;
}
