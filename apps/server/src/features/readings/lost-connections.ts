import type { Pool, PoolClient } from 'pg';

const watched = new WeakSet<Pool>();

/**
 * The pool hears of connections that break while they lie idle. One that breaks between two statements of a transaction
 * belongs to nobody, and the driver's unheard 'error' would end the process: here it is heard, and the next statement fails.
 */
export function surviveLostConnections(pool: Pool): void {
  if (watched.has(pool)) return;
  watched.add(pool);
  const heard = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('error', () => {});
  });
}
