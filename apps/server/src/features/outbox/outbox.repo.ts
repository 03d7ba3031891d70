import type { Db } from '../../db/client.ts';
import type { OutboxTable } from '../../db/schema.ts';

/** What is to be sent, as it is stored. `subject` is empty for SMS; of a push, `recipient` is the device's uid. */
export type OutboxEntry = Pick<OutboxTable, 'recipient' | 'subject' | 'body'> & {
  way: 'mail' | 'sms' | 'push';
  html?: string;
};

/** Messages wait here until a job sends them; the operator's page and command show them. */
export function createOutboxRepo(db: Db) {
  return {
    async add(entries: readonly OutboxEntry[], now: Date, trx: Db = db): Promise<void> {
      if (entries.length === 0) return;
      await trx
        .insertInto('outbox')
        .values(entries.map((entry) => ({ at: now, next_try_at: now, ...entry })))
        .execute();
    },

    /** Whether mail with this subject went to that address after `since`. */
    async hasSince(mail: { to: string; subject: string }, since: Date, trx: Db = db): Promise<boolean> {
      const found = await trx
        .selectFrom('outbox')
        .select('id')
        .where('way', '=', 'mail')
        .where('recipient', '=', mail.to)
        .where('subject', '=', mail.subject)
        .where('at', '>', since)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },

    newest(limit: number) {
      return db.selectFrom('outbox').selectAll().orderBy('id', 'desc').limit(limit).execute();
    },
  };
}
export type OutboxRepo = ReturnType<typeof createOutboxRepo>;
