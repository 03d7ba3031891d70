import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from './schema.ts';

export type Db = Kysely<Database>;

export interface DatabaseClient {
  db: Db;
  /** For set operations in hand-written SQL and for batches; same connections. */
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Connects lazily. `log` hears of idle connections that broke; the pool replaces them by itself. */
export function connectDatabase(
  url: string,
  options: { max?: number; log?: (error: Error) => void } = {},
): DatabaseClient {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 12,
    application_name: 'headrace',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 60_000,
    // The network to the database may go silent: without these a query would wait until TCP gives up.
    query_timeout: 90_000,
    keepAlive: true,
  });
  // One that breaks between two statements of a transaction belongs to nobody, and its unheard 'error' would end the
  // process: heard here, the next statement fails instead.
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', (error) => options.log?.(error));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}
