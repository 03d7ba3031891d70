import type { Db } from '../../db/client.ts';

export function createSettingsRepo(db: Db) {
  return {
    ofAccount(accountId: number) {
      return db
        .selectFrom('account_settings')
        .select(['data', 'version'])
        .where('account_id', '=', accountId)
        .executeTakeFirst();
    },

    async store(accountId: number, data: object, version: number, now: Date): Promise<void> {
      const row = { data: JSON.stringify(data), version, updated_at: now };
      await db
        .insertInto('account_settings')
        .values({ account_id: accountId, ...row })
        .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
        .execute();
    },
  };
}
export type SettingsRepo = ReturnType<typeof createSettingsRepo>;
