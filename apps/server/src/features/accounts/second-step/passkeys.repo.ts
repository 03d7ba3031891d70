import type { Db } from '../../../db/client.ts';
import type { PasskeyTable } from '../../../db/schema/accounts.ts';

export type PasskeyRow = Omit<PasskeyTable, 'uid' | 'created_at' | 'last_used_at' | 'counter'> & {
  uid: string;
  counter: string;
  created_at: Date;
  last_used_at: Date | null;
};

export function createPasskeysRepo(db: Db) {
  async function passkeysOf(accountId: number, trx: Db = db): Promise<PasskeyRow[]> {
    const rows = await trx
      .selectFrom('passkey')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('uid')
      .execute();
    return rows as PasskeyRow[];
  }

  return {
    passkeysOf,

    async addPasskey(row: Omit<PasskeyRow, 'uid' | 'last_used_at'>, trx: Db): Promise<boolean> {
      const added = await trx
        .insertInto('passkey')
        .values(row)
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning('uid')
        .executeTakeFirst();
      return added !== undefined;
    },

    async passkeyOf(credentialId: string): Promise<PasskeyRow | undefined> {
      const row = await db
        .selectFrom('passkey')
        .selectAll()
        .where('credential_id', '=', credentialId)
        .executeTakeFirst();
      return row as PasskeyRow | undefined;
    },

    async passkeyUsed(uid: string, counter: number, now: Date): Promise<void> {
      await db.updateTable('passkey').set({ counter, last_used_at: now }).where('uid', '=', uid).execute();
    },

    async renamePasskey(accountId: number, uid: string, name: string): Promise<void> {
      await db
        .updateTable('passkey')
        .set({ name })
        .where('account_id', '=', accountId)
        .where('uid', '=', uid)
        .execute();
    },

    async removePasskey(accountId: number, uid: string, trx: Db): Promise<void> {
      await trx.deleteFrom('passkey').where('account_id', '=', accountId).where('uid', '=', uid).execute();
    },
  };
}
