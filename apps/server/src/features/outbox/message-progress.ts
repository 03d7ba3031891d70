import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { over } from './outbox.repo.ts';
import type { SmsReceipt } from './sms-providers.ts';

/** How far messages got: what browsers say that they showed, and what is known of each. */
export function createMessageProgress(db: Db) {
  return {
    /** The browser that holds its key showed it; undefined where no message has this key. A second word changes nothing. */
    async setShown(keyHash: Buffer, now: Date): Promise<number | null | undefined> {
      const row = await db
        .updateTable('outbox')
        .set({ ...over('delivered'), error: '' })
        .set('delivered_at', sql`coalesce(delivered_at, ${now})`)
        .set('sent_at', sql`coalesce(sent_at, ${now})`)
        .where('shown_key_hash', '=', keyHash)
        .returning('account_id')
        .executeTakeFirst();
      return row && row.account_id;
    },

    /**
     * Its provider says what became of an SMS, by what it calls it. What was said to have arrived stays so, however late another word
     * comes; whose it was, or undefined where none is called so.
     */
    async setReceipt({ id, state, reason }: SmsReceipt, now: Date): Promise<number | null | undefined> {
      const row = await db
        .updateTable('outbox')
        .set(
          state === 'delivered'
            ? { ...over('delivered'), error: '', delivered_at: now }
            : { ...over('failed'), error: `The SMS provider says that it did not arrive. ${reason}`.trim() },
        )
        .where('way', '=', 'sms')
        .where('provider_id', '=', id)
        .where('state', 'in', ['sent', 'failed'])
        .returning('account_id')
        .executeTakeFirst();
      return row && row.account_id;
    },

    /** How far the messages of one key got, by way and recipient. */
    ofKey(accountId: number, dedupeKey: string) {
      return db
        .selectFrom('outbox')
        .select([
          'way',
          'recipient',
          'state',
          'at',
          'tries',
          'next_try_at',
          'sent_at',
          'delivered_at',
          'error',
        ])
        .where('account_id', '=', accountId)
        .where('dedupe_key', '=', dedupeKey)
        .orderBy('id')
        .execute();
    },
  };
}
export type MessageProgress = ReturnType<typeof createMessageProgress>;
