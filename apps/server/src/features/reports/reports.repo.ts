import type { Db } from '../../db/client.ts';

export const createReportsRepo = (db: Db) => ({
  /** What a person is called. */
  async personName(accountId: number): Promise<string> {
    const { name, email } = await db
      .selectFrom('account')
      .select(['name', 'email'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    return name || email;
  },
});
export type ReportsRepo = ReturnType<typeof createReportsRepo>;
