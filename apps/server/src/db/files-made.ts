import { type SqlBool, sql } from 'kysely';
import { FILES_A_DAY } from '@headrace/contract/limits';
import type { Db } from './client.ts';

const DAY_MS = 86_400_000;

const dayOf = (now: Date) => now.toISOString().slice(0, 10);
/** When days are counted anew: the next midnight, UTC. */
export const nextDay = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS);

/** The files that accounts have made of what is kept: each costs the work of a thousand pages. docs/decisions/0063 */
export function createFilesMade(db: Db) {
  return {
    /** Counts one more; false where the account has had as many today as it may. */
    async take(accountId: number, now: Date): Promise<boolean> {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('files_made')
        .values({ account_id: accountId, day: dayOf(now), files: 1 })
        .onConflict((conflict) =>
          conflict
            .column('account_id')
            .doUpdateSet({
              day: sql`excluded.day`,
              files: sql<number>`case when files_made.day = excluded.day then files_made.files else 0 end + 1`,
            })
            .where(sql<SqlBool>`files_made.day <> excluded.day or files_made.files < ${FILES_A_DAY}`),
        )
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    async today(accountId: number, now: Date): Promise<number> {
      const row = await db
        .selectFrom('files_made')
        .select('files')
        .where('account_id', '=', accountId)
        .where('day', '=', dayOf(now))
        .executeTakeFirst();
      return row?.files ?? 0;
    },
  };
}
export type FilesMade = ReturnType<typeof createFilesMade>;
