import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import { moveSubscription } from './move-subscription.ts';

const DEVICES_PER_ACCOUNT = 20;

export interface Subscription {
  readonly endpoint: string;
  readonly expiresAt: Date | null;
  readonly p256dh: string;
  readonly auth: string;
}

/** The browser that a subscription came from. */
export interface Browser {
  readonly deviceUid: string;
  readonly address: string;
  readonly userAgent: string;
}

export function createPushDevicesRepo(db: Db) {
  return {
    /**
     * One row for each endpoint: it goes to the account that subscribes last. What the same browser had before is
     * replaced, and beyond 20 the account's oldest goes. `former` are the accounts that lost it.
     */
    add(
      accountId: number,
      subscription: Subscription,
      browser: Browser,
      now: Date,
    ): Promise<{ uid: string; former: number[] }> {
      const { endpoint, expiresAt, p256dh, auth } = subscription;
      const row = {
        uid: newUid(now),
        account_id: accountId,
        device_uid: browser.deviceUid,
        expires_at: expiresAt,
        p256dh,
        auth,
        address: browser.address,
        user_agent: browser.userAgent,
        created_at: now,
      };
      return db.transaction().execute(async (trx) => {
        if (browser.deviceUid) {
          await trx
            .deleteFrom('push_device')
            .where('account_id', '=', accountId)
            .where('device_uid', '=', browser.deviceUid)
            .where('endpoint', '!=', endpoint)
            .execute();
        }
        const former = await trx
          .selectFrom('push_device')
          .select('account_id')
          .where('endpoint', '=', endpoint)
          .where('account_id', '!=', accountId)
          .execute();
        const { uid } = await trx
          .insertInto('push_device')
          .values({ endpoint, ...row })
          .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(row))
          .returning('uid')
          .executeTakeFirstOrThrow();
        await trx
          .deleteFrom('push_device')
          .where('id', 'in', (oldest) =>
            oldest
              .selectFrom('push_device')
              .select('id')
              .where('account_id', '=', accountId)
              .orderBy('created_at', 'desc')
              .orderBy('id', 'desc')
              .offset(DEVICES_PER_ACCOUNT),
          )
          .execute();
        return { uid, former: former.map((row) => row.account_id) };
      });
    },

    ofAccount(accountId: number) {
      return db
        .selectFrom('push_device')
        .select(['uid', 'device_uid', 'address', 'user_agent', 'created_at', 'endpoint'])
        .where('account_id', '=', accountId)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
    },

    byUid(uid: string) {
      return db
        .selectFrom('push_device')
        .select(['account_id', 'endpoint', 'p256dh', 'auth', 'expires_at'])
        .where('uid', '=', uid)
        .executeTakeFirst();
    },

    move: (before: Pick<Subscription, 'endpoint' | 'auth'>, now: Subscription) =>
      moveSubscription(db, before, now),

    /** False when the account has no such device. */
    async remove(accountId: number, uid: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('push_device')
        .where('account_id', '=', accountId)
        .where('uid', '=', uid)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** The push service says that it is gone, or it can't be reached any more. */
    async forget(uid: string): Promise<void> {
      await db.deleteFrom('push_device').where('uid', '=', uid).execute();
    },

    /** Null where this browser takes no push messages for the account. */
    async idOfBrowser(accountId: number, deviceUid: string): Promise<string | null> {
      if (!deviceUid) return null;
      const row = await db
        .selectFrom('push_device')
        .select('uid')
        .where('account_id', '=', accountId)
        .where('device_uid', '=', deviceUid)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.uid ?? null;
    },

    async deviceUidOfSession(tokenHash: Buffer): Promise<string> {
      const row = await db
        .selectFrom('session')
        .select('device_uid')
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst();
      return row?.device_uid ?? '';
    },
  };
}
export type PushDevicesRepo = ReturnType<typeof createPushDevicesRepo>;
