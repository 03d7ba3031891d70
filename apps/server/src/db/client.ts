import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { DatabaseFault } from './database-fault.ts';
import { FairPool } from './fair-pool.ts';
import { fairSocket } from './fair-socket.ts';
import type { Database } from './schema.ts';
import { type DatabaseShare, shares } from './shares.ts';
import { types } from './timestamps.ts';

export type Db = Kysely<Database>;

/** Over a network that has gone silent nothing is heard of a connection's end, ms. */
const CLOSE_WITHIN_MS = 3000;
/** What the network may add to the longest statement before its connection is given up, ms. */
const NETWORK_MS = 3000;
/** A process that was suspended in a transaction holds its locks no longer than this, ms. */
const IDLE_IN_TRANSACTION_MS = 60_000;

export interface DatabaseClient {
  db: Db;
  /** For set operations in hand-written SQL and for batches; same connections. */
  pool: pg.Pool;
  close(): Promise<void>;
}

/**
 * Connects lazily. `log` hears of idle connections that broke; the pool replaces them by itself. Closed means that PostgreSQL has let go
 * of every connection: `pool.end` has only asked for it, and a database that is stopped then cuts off who is still there with an error.
 */
export function connectDatabase(
  url: string,
  options: {
    share?: DatabaseShare;
    log?: (error: Error) => void;
    onFault?: (fault: DatabaseFault) => void;
  } = {},
): DatabaseClient {
  const { max, connectMs, statementMs, lockMs } = options.share ?? shares.alone;
  const pool = new FairPool({
    connectionString: url,
    max,
    application_name: 'headrace',
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    // The network to the database may go silent, or the database itself: without it a query would wait until TCP gives up.
    query_timeout: statementMs && statementMs + NETWORK_MS,
    keepAlive: true,
    stream: fairSocket,
    types,
  });
  if (options.onFault) pool.onFault = options.onFault;
  // One that breaks between two statements of a transaction belongs to nobody, and its unheard 'error' would end the
  // process: heard here, the next statement fails instead.
  pool.on('connect', (client) => client.on('error', () => {}));
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => open.add(client));
  pool.on('remove', (client) => open.delete(client));
  let isClosing = false;
  pool.on('error', (error) => {
    // The whole connection hangs on it, with all its settings: pages of it in the log say nothing.
    Object.defineProperty(error, 'client', { enumerable: false });
    if (!isClosing) options.log?.(error);
  });
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const allGone = () =>
    new Promise<void>((resolve) => {
      const look = () => open.size === 0 && resolve();
      pool.on('remove', look);
      look();
    });
  return {
    db,
    pool,
    async close() {
      isClosing = true;
      await db.destroy();
      // Nobody has asked anything by Kysely: it leaves the pool alone.
      if (!pool.ending) await pool.end();
      await Promise.race([allGone(), sleep(CLOSE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
