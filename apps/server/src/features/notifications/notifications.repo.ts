import { sql } from 'kysely';
import type { NotificationPreferences } from '@headrace/contract/notifications';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import { accountOfUnsubscribeKey } from './unsubscribe-key.ts';

/** Kept of one account, and shown at once. */
const KEPT = 500;
const SHOWN = 50;

export interface NewNotification {
  readonly title: string;
  readonly message: string;
  readonly link: string;
  readonly dedupe_key?: string | undefined;
}

export function createNotificationsRepo(db: Db) {
  return {
    /** Undefined where one of its key is there. */
    async add(accountId: number, note: NewNotification, now: Date, trx: Db = db) {
      const row = await trx
        .insertInto('notification')
        .values({ account_id: accountId, uid: newUid(now), at: now, ...note })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'dedupe_key']).where('dedupe_key', 'is not', null).doNothing(),
        )
        .returning('uid')
        .executeTakeFirst();
      if (!row) return undefined;
      await trx
        .deleteFrom('notification')
        .where('account_id', '=', accountId)
        .where('id', '<=', (oldest) =>
          oldest
            .selectFrom('notification')
            .select('id')
            .where('account_id', '=', accountId)
            .orderBy('id', 'desc')
            .offset(KEPT)
            .limit(1),
        )
        .execute();
      return row;
    },

    newest(accountId: number) {
      return db
        .selectFrom('notification')
        .select(['uid', 'at', 'title', 'message', 'link', 'is_read'])
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .limit(SHOWN)
        .execute();
    },

    async unread(accountId: number): Promise<number> {
      const { count } = await db
        .selectFrom('notification')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('account_id', '=', accountId)
        .where('is_read', '=', false)
        .executeTakeFirstOrThrow();
      return count;
    },

    async countSince(accountId: number, since: Date, trx: Db = db): Promise<number> {
      const { count } = await trx
        .selectFrom('notification')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('account_id', '=', accountId)
        .where('at', '>', since)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** False when the account has no such notification. */
    async read(accountId: number, uid: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('notification')
        .set({ is_read: true })
        .where('account_id', '=', accountId)
        .where('uid', '=', uid)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async readAll(accountId: number): Promise<void> {
      await db
        .updateTable('notification')
        .set({ is_read: true })
        .where('account_id', '=', accountId)
        .where('is_read', '=', false)
        .execute();
    },

    /** How the account wants to hear, and where it can be reached. Undefined when it is gone. */
    recipient(accountId: number, trx: Db = db) {
      return trx
        .selectFrom('account')
        .select(['name', 'email', 'email_confirmed_at', 'mobile', 'country_code'])
        .select(['send_sms', 'send_push', 'send_email', 'send_action'])
        .where('id', '=', accountId)
        .executeTakeFirst();
    },

    accountOfUnsubscribeKey: (key: string) => accountOfUnsubscribeKey(db, key),

    /** Without a zone that one stays which is known. */
    async setPreferences(
      accountId: number,
      wanted: NotificationPreferences & { zone?: string },
      now: Date,
    ): Promise<void> {
      await db
        .updateTable('account')
        .set({
          send_sms: wanted.sendSms,
          send_push: wanted.sendPush,
          send_email: wanted.sendEmail,
          send_action: wanted.sendAction,
          ...(wanted.zone !== undefined && { zone: wanted.zone }),
          updated_at: now,
        })
        .where('id', '=', accountId)
        .execute();
    },
  };
}
export type NotificationsRepo = ReturnType<typeof createNotificationsRepo>;
