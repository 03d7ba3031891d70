import type { Db } from '../../db/client.ts';

export interface Mail {
  to: string;
  subject: string;
  body: string;
}

/** Mail waits here until something sends it; the operator's command shows it. */
export function createOutboxRepo(db: Db) {
  return {
    /** Not when mail with this subject went to that address since `since`: a guesser must not flood the owner. */
    async addOnce(mail: Mail, since: Date, now: Date): Promise<void> {
      const sent = await db
        .selectFrom('outbox')
        .select('id')
        .where('recipient', '=', mail.to)
        .where('subject', '=', mail.subject)
        .where('at', '>', since)
        .executeTakeFirst();
      if (sent) return;
      await db
        .insertInto('outbox')
        .values({ at: now, recipient: mail.to, subject: mail.subject, body: mail.body })
        .execute();
    },

    newest(limit: number) {
      return db.selectFrom('outbox').selectAll().orderBy('id', 'desc').limit(limit).execute();
    },
  };
}
