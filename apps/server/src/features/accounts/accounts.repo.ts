import type { Insertable, Updateable } from 'kysely';
import { EMAIL_TAKEN_TEXT } from '@headrace/contract/rules/account-form';
import type { Db } from '../../db/client.ts';
import type { AccountTable } from '../../db/schema/accounts.ts';
import type { AccountRow } from '../../db/schema.ts';
import { conflict, unauthenticated } from '../../http/errors.ts';

/** Accounts themselves. Addresses are kept in small letters. Within a transaction where `trx` is given. */
export function createAccountsRepo(db: Db) {
  return {
    byEmail(email: string, trx: Db = db): Promise<AccountRow | undefined> {
      const address = email.trim().toLowerCase();
      return trx.selectFrom('account').selectAll().where('email', '=', address).executeTakeFirst();
    },

    /** Throws where the account was closed a moment ago. */
    byId: (id: number): Promise<AccountRow> =>
      db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow(unauthenticated),

    /** The names of the farms that the account owns. */
    async farmNames(ownerId: number): Promise<string[]> {
      const rows = await db
        .selectFrom('farm')
        .select('name')
        .where('owner_id', '=', ownerId)
        .where('deleted_at', 'is', null)
        .execute();
      return rows.map(({ name }) => name);
    },

    lock: (id: number, trx: Db): Promise<AccountRow> =>
      trx
        .selectFrom('account')
        .selectAll()
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow(unauthenticated),

    /** Throws a conflict that names `email` when another account has the address, also one that is made right now. */
    add: (values: Insertable<AccountTable>, trx: Db): Promise<AccountRow> =>
      unlessTaken(trx.insertInto('account').values(values).returningAll().executeTakeFirstOrThrow()),

    /** Throws like `add`. */
    change: (id: number, values: Updateable<AccountTable>, now: Date, trx: Db = db): Promise<AccountRow> =>
      unlessTaken(
        trx
          .updateTable('account')
          .set({ ...values, updated_at: now })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow(),
      ),
  };
}
export type AccountsRepo = ReturnType<typeof createAccountsRepo>;

async function unlessTaken<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isTaken(error)) throw emailTaken();
    throw error;
  }
}

export const emailTaken = () => conflict(EMAIL_TAKEN_TEXT, 'email');

/** PostgreSQL's unique_violation, of the address. */
function isTaken(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'account_email_key';
}
