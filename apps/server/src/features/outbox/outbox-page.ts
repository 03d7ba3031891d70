import type { FastifyInstance } from 'fastify';
import type { OperatorGuard } from '../../http/operator.ts';
import { logOpened } from '../../http/refused-log.ts';
import { escapeHtml } from '../../http/escape-html.ts';
import type { OutboxRepo } from './outbox.repo.ts';

const SHOWN = 100;
const PER_MINUTE = 30;

/** A file of its own: our policy allows no style within a page. */
const STYLE_PATH = '/operator/outbox.css';
const STYLE = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
article { border-top: 1px solid; padding: 0.5rem 0; }
h2 { font-size: 1rem; margin: 0; }
p, pre { overflow-wrap: anywhere; }
pre { white-space: pre-wrap; }
`;

/**
 * `GET /operator/outbox`: what waits and what did not go, for the operator's browser. Its mails hold links that open
 * accounts: the operator's token is asked for, as the password or as `Bearer`.
 */
export function registerOutboxPage(
  app: FastifyInstance,
  outbox: Pick<OutboxRepo, 'newest'>,
  operators: OperatorGuard,
): void {
  const onRequest = operators.guard(PER_MINUTE, { asks: true });
  app.get(STYLE_PATH, { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(STYLE),
  );
  app.get('/operator/outbox', { schema: { hide: true }, onRequest }, async (request, reply) => {
    const rows = await outbox.newest(SHOWN);
    logOpened(request.log, 'outbox', request.ip);
    reply.header('cache-control', 'no-store');
    if (request.headers.accept?.includes('application/json')) return reply.send(rows.map(present));
    return reply.type('text/html; charset=utf-8').send(page(rows));
  });
}

type Row = Awaited<ReturnType<OutboxRepo['newest']>>[number];

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
<link rel="stylesheet" href="${STYLE_PATH}">
</head><body><h1>Outbox</h1>
${rows.map(article).join('\n') || '<p>The outbox is empty.</p>'}
</body></html>`;
}

function article(row: Row): string {
  const next = row.state === 'queued' && row.tries > 0 && row.next_try_at;
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
