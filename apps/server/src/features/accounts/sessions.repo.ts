import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { prepared } from '../../db/prepared.ts';
import type { SessionAccount } from '../../http/access-gate.ts';
import { endSessions } from './end-sessions.ts';
import { forgetSignedOut } from './second-step/tickets.repo.ts';

export interface NewSession {
  tokenHash: Buffer;
  accountId: number;
  deviceUid: string;
  address: string;
  userAgent: string;
  at: Date;
  expiresAt: Date;
  endsAt: Date;
}

const sessionByHash = prepared<{ tokenHash: Buffer; now: Date }, SessionAccount>(
  'session-by-hash',
  (db, given) =>
    db
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account_id')
      .where('token_hash', '=', given('tokenHash'))
      .where('expires_at', '>', given('now'))
      .where('account.approved', '=', true)
      .select([
        'account.id',
        'account.uid',
        'account.type',
        'account.is_staff',
        'account.must_change_password',
        'account.subscription_valid_until',
        'session.last_used_at',
        'session.expires_at',
        'session.ends_at',
      ]),
);

export function createSessionsRepo(db: Db) {
  return {
    async add(session: NewSession, trx: Db): Promise<void> {
      await trx
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
          ends_at: session.endsAt,
        })
        .execute();
      await trx
        .insertInto('known_device')
        .values({ account_id: session.accountId, device_uid: session.deviceUid, last_sign_in_at: session.at })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'device_uid']).doUpdateSet({ last_sign_in_at: session.at }),
        )
        .execute();
    },

    /**
     * Hashes of the ended sessions' tokens: the one that the browser sent when it signed in, and those of the account that it opened
     * before. A browser that doesn't name itself is not known again.
     */
    endEarlier(
      { tokenHash, accountId, deviceUid }: Pick<NewSession, 'tokenHash' | 'accountId' | 'deviceUid'>,
      sent: Buffer | null,
      trx: Db,
    ): Promise<Buffer[]> {
      return endSessions(trx, (some) =>
        some.where('token_hash', '!=', tokenHash).where(({ and, eb, or }) => {
          const ofBrowser = and([eb('account_id', '=', accountId), eb('device_uid', '=', deviceUid)]);
          const isSent = eb('token_hash', '=', sent ?? Buffer.alloc(0));
          return deviceUid === '' ? isSent : or([isSent, ofBrowser]);
        }),
      );
    },

    /** A browser that doesn't name itself is nobody's: leaving the name away must be no way around the limits. */
    async isKnownDevice(accountId: number, deviceUid: string): Promise<boolean> {
      if (deviceUid === '') return false;
      const row = await db
        .selectFrom('known_device')
        .select('device_uid')
        .where('account_id', '=', accountId)
        .where('device_uid', '=', deviceUid)
        .executeTakeFirst();
      return row !== undefined;
    },

    async byHash(tokenHash: Buffer, now: Date): Promise<SessionAccount | undefined> {
      const [session] = await sessionByHash(db, { tokenHash, now });
      return session;
    },

    async touch(tokenHash: Buffer, now: Date, expiresAt: Date): Promise<void> {
      await db
        .updateTable('session')
        .set({ last_used_at: now, expires_at: expiresAt })
        .where('token_hash', '=', tokenHash)
        .execute();
    },

    ofAccount: (accountId: number, now: Date) =>
      db
        .selectFrom('session')
        .selectAll()
        .select(
          sql<boolean>`exists (select from push_device p where p.account_id = session.account_id and p.device_uid = session.device_uid)`.as(
            'has_push',
          ),
        )
        .where('account_id', '=', accountId)
        .where('expires_at', '>', now)
        .orderBy('last_used_at', 'desc')
        .orderBy('uid')
        .execute(),

    /** The hashes of the ended sessions' tokens; none of those that the account doesn't have. */
    async endByUids(accountId: number, uids: readonly string[]): Promise<Buffer[]> {
      if (uids.length === 0) return [];
      return db.transaction().execute(async (trx) => {
        const ended = await endSessions(trx, (some) =>
          some.where('account_id', '=', accountId).where('uid', 'in', uids),
        );
        await forgetSignedOut(trx, accountId);
        return ended;
      });
    },

    async end(tokenHash: Buffer): Promise<void> {
      await endSessions(db, (some) => some.where('token_hash', '=', tokenHash));
    },

    /** Hashes of the ended sessions' tokens: all of the account's, but for the one that is kept. */
    async endAll(accountId: number, kept: Buffer | null, trx: Db): Promise<Buffer[]> {
      const ended = await endSessions(trx, (some) =>
        some.where('account_id', '=', accountId).where('token_hash', '!=', kept ?? Buffer.alloc(0)),
      );
      await forgetSignedOut(trx, accountId);
      return ended;
    },

    /** False when the session ended meanwhile. */
    async replaceToken(
      before: Buffer,
      after: { tokenHash: Buffer; expiresAt?: Date; endsAt?: Date },
      trx: Db,
    ): Promise<boolean> {
      const row = await trx
        .updateTable('session')
        .set({ token_hash: after.tokenHash, expires_at: after.expiresAt, ends_at: after.endsAt })
        .where('token_hash', '=', before)
        .returning('uid')
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
