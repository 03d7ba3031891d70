import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Db } from '../db/client.ts';

/**
 * What is begun while nobody can read these tables, and waits for them when `happens` has happened: it goes on after that. The promise
 * that it is stands in a list, so that nobody waits for it before.
 */
export function whileLocked<Result>(
  db: Db,
  tables: readonly string[],
  begin: () => Promise<Result>,
  happens: () => Promise<unknown>,
): Promise<[Promise<Result>]> {
  return db.transaction().execute(async (trx) => {
    const names = sql.join(tables.map((table) => sql.table(table)));
    await sql`lock table ${names} in access exclusive mode`.execute(trx);
    const begun = begin();
    // It may fail before anybody waits for it.
    begun.catch(() => undefined);
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        expect(rows).not.toEqual([]);
      },
      { timeout: 10_000 },
    );
    await happens();
    return [begun];
  });
}
