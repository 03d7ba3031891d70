import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';

export interface NewSession {
  tokenHash: Buffer;
  accountId: number;
  deviceUid: string;
  address: string;
  userAgent: string;
  at: Date;
  expiresAt: Date;
}

/** Failed sign-ins since `since`, by each of the limits' keys. */
export interface FailureCounts {
  emailAndAddress: number;
  address: number;
  /** Over all addresses, but for devices that signed in before. */
  emailFromStrangers: number;
}

export function createAccountsRepo(db: Db) {
  return {
    accountByEmail(email: string): Promise<AccountRow | undefined> {
      return db.selectFrom('account').selectAll().where('email', '=', email.toLowerCase()).executeTakeFirst();
    },

    async addSession(session: NewSession): Promise<void> {
      await db
        .insertInto('session')
        .values({
          token_hash: session.tokenHash,
          account_id: session.accountId,
          device_uid: session.deviceUid,
          address: session.address,
          user_agent: session.userAgent,
          created_at: session.at,
          last_used_at: session.at,
          expires_at: session.expiresAt,
        })
        .execute();
      await db
        .insertInto('known_device')
        .values({ account_id: session.accountId, device_uid: session.deviceUid, last_sign_in_at: session.at })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'device_uid']).doUpdateSet({ last_sign_in_at: session.at }),
        )
        .execute();
    },

    sessionByHash(tokenHash: Buffer, now: Date) {
      return db
        .selectFrom('session')
        .innerJoin('account', 'account.id', 'session.account_id')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .where('account.approved', '=', true)
        .select([
          'account.id',
          'account.uid',
          'account.type',
          'account.is_staff',
          'account.must_change_password',
          'account.subscription_valid_until',
          'session.last_used_at',
        ])
        .executeTakeFirst();
    },

    async touchSession(tokenHash: Buffer, now: Date, expiresAt: Date): Promise<void> {
      await db
        .updateTable('session')
        .set({ last_used_at: now, expires_at: expiresAt })
        .where('token_hash', '=', tokenHash)
        .execute();
    },

    async endSession(tokenHash: Buffer): Promise<void> {
      await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute();
    },

    async isKnownDevice(accountId: number, deviceUid: string): Promise<boolean> {
      const row = await db
        .selectFrom('known_device')
        .select('device_uid')
        .where('account_id', '=', accountId)
        .where('device_uid', '=', deviceUid)
        .executeTakeFirst();
      return row !== undefined;
    },

    async failures(email: string, address: string, since: Date): Promise<FailureCounts> {
      const { rows } = await sql<FailureCounts>`
        select
          count(*) filter (where email = ${email} and address = ${address})::int as "emailAndAddress",
          count(*) filter (where address = ${address})::int as "address",
          count(*) filter (where email = ${email} and not known_device)::int as "emailFromStrangers"
        from sign_in_failure where at > ${since} and (email = ${email} or address = ${address})`.execute(db);
      return rows[0] ?? { emailAndAddress: 0, address: 0, emailFromStrangers: 0 };
    },

    async addFailure(failure: {
      at: Date;
      email: string;
      address: string;
      known_device: boolean;
    }): Promise<void> {
      await db.insertInto('sign_in_failure').values(failure).execute();
    },

    async addPageView(view: { accountId: number | null; deviceUid: string; key: string }): Promise<void> {
      await db
        .insertInto('page_view')
        .values({ account_id: view.accountId, device_uid: view.deviceUid, key: view.key })
        .execute();
    },
  };
}
export type AccountsRepo = ReturnType<typeof createAccountsRepo>;
