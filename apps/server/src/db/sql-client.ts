import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import type { PoolClient } from 'pg';
import type { Db } from './client.ts';
import type { Database } from './schema.ts';

/** A connection for hand-written SQL: one of the pool's, or a transaction of Kysely's. */
export type SqlClient = Pick<PoolClient, 'query'>;

/** Hand-written SQL, given as `{ text, values }`, within a transaction that Kysely began. */
export function sqlClient(trx: Db): SqlClient {
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    const { rows, numAffectedRows } = await trx.executeQuery(CompiledQuery.raw(text, values));
    return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
  };
  return { query } as unknown as SqlClient;
}

/** Kysely within a transaction that was begun on a connection by hand; it ends with that one. */
export function kyselyOn(client: PoolClient): Db {
  const borrowed = { query: client.query.bind(client), release() {} } as unknown as PoolClient;
  const pool = { connect: () => Promise.resolve(borrowed), end: () => Promise.resolve() };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
