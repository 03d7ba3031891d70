import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { OutboxState, OutboxTable } from '../../db/schema/accounts.ts';
import { PERHAPS_SENT } from './send-failure.ts';

export type Way = 'mail' | 'sms' | 'push';

/** What is to be sent, as it is stored. `subject` is empty for SMS; of a push, `recipient` is the device's uid. */
export type OutboxEntry = Pick<OutboxTable, 'recipient' | 'subject' | 'body'> & {
  way: Way;
  html?: string;
  /** Somebody sits and waits for it. */
  is_awaited?: boolean;
  account_id?: number;
  /** Not stored where a message of this key was stored for this way, recipient and account. */
  dedupe_key?: string | undefined;
  /** Not sent from then on. */
  expires_at?: Date | undefined;
  shown_key_hash?: Buffer;
  unsubscribe?: string;
  thread?: string | null;
};

/** One that is being tried. `tries` counts this one. */
export interface Claimed {
  readonly id: string;
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  readonly html: string;
  readonly at: Date;
  readonly expiresAt: Date | null;
  readonly tries: number;
  readonly unsubscribe?: string;
  readonly thread?: string | null;
}

/** What became of a try: somebody took it, and what they call it. */
export interface Taken {
  readonly providerId?: string | undefined;
}

export interface Pace {
  /** To all in a minute. */
  readonly perMinute: number;
  /** To one recipient in an hour; what is more waits. */
  readonly perRecipientAndHour: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Messages wait here until a job sends them; the operator's page and command show them. */
export function createOutboxRepo(db: Db) {
  return {
    async add(entries: readonly OutboxEntry[], now: Date, trx: Db = db): Promise<void> {
      if (entries.length === 0) return;
      await trx
        .insertInto('outbox')
        .values(entries.map((entry) => ({ at: now, next_try_at: now, ...entry })))
        .onConflict((conflict) =>
          conflict
            .columns(['dedupe_key', 'way', 'recipient', 'account_id'])
            .where('dedupe_key', 'is not', null)
            .doNothing(),
        )
        .execute();
    },

    /** What waits under this key isn't sent any more: to this account, or to anybody. */
    async cancel(dedupeKey: string, accountId: number | undefined, trx: Db = db): Promise<void> {
      await trx
        .updateTable('outbox')
        .set(over('cancelled'))
        .where('dedupe_key', '=', dedupeKey)
        .where('state', '=', 'queued')
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? null))
        .execute();
    },

    /** What came too late to be of use. */
    async expire(now: Date): Promise<void> {
      await db
        .updateTable('outbox')
        .set({ ...over('expired'), error: 'It was not sent in time to be of use.' })
        .where('state', '=', 'queued')
        .where('expires_at', '<=', now)
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

    /** When mails were stored for that address after `since`. */
    async mailsSince(address: string, since: Date, trx: Db = db): Promise<Date[]> {
      const rows = await trx
        .selectFrom('outbox')
        .select('at')
        .where('way', '=', 'mail')
        .where('recipient', '=', address)
        .where('at', '>', since)
        .execute();
      return rows.map(({ at }) => at);
    },

    /**
     * Takes the oldest that is due and within the pace, what somebody waits for first, and counts the try before it is made: should this process die
     * in it, the message is tried again at `retryAt`. Undefined when nothing is to be done.
     */
    claim(way: Way, pace: Pace, now: Date, retryAt: (tries: number) => Date): Promise<Claimed | undefined> {
      return db.transaction().execute(async (trx) => {
        const row = await trx
          .selectFrom('outbox as o')
          .selectAll()
          .where('way', '=', way)
          .where('state', '=', 'queued')
          .where((eb) => eb.or([eb('next_try_at', 'is', null), eb('next_try_at', '<=', now)]))
          .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
          .where(sentSince(way, new Date(now.getTime() - MINUTE)), '<', pace.perMinute)
          .where(sentTo(way, new Date(now.getTime() - HOUR)), '<', pace.perRecipientAndHour)
          .orderBy('is_awaited', 'desc')
          .orderBy('id')
          .limit(1)
          .forUpdate()
          .skipLocked()
          .executeTakeFirst();
        if (!row) return undefined;
        const tries = row.tries + 1;
        await trx
          .updateTable('outbox')
          .set({ tries, next_try_at: retryAt(tries) })
          .where('id', '=', row.id)
          .execute();
        const { id, recipient, subject, body, html, at, expires_at: expiresAt, unsubscribe, thread } = row;
        return { id, recipient, subject, body, html, at, expiresAt, tries, unsubscribe, thread };
      });
    },

    /** Also of one that was cancelled while it went; one that is said to have arrived meanwhile stays so. */
    async setSent(id: string, { providerId }: Taken, now: Date): Promise<void> {
      await db
        .updateTable('outbox')
        .set({ ...over('sent'), state: sentUnlessDelivered, sent_at: now, error: perhapsTwice })
        .set('provider_id', providerId ?? null)
        .where('id', '=', id)
        .execute();
    },

    /** One that was cancelled meanwhile stays so. It is tried again when it is due, and not before `notBefore`. */
    async setError(id: string, error: string, isFinal: boolean, notBefore: Date | null): Promise<void> {
      const later = notBefore && { next_try_at: sql<Date>`greatest(next_try_at, ${notBefore})` };
      await db
        .updateTable('outbox')
        .set(isFinal ? { ...over('failed'), error } : { error, ...later })
        .where('id', '=', id)
        .where('state', '=', 'queued')
        .execute();
    },

    /** Those that waited for a way to be set up until their links were too old. */
    async dropUntriedBefore(way: Way, before: Date): Promise<void> {
      await db
        .updateTable('outbox')
        .set({ ...over('failed'), error: 'It waited for too long: nothing was there to send it.' })
        .where('way', '=', way)
        .where('state', '=', 'queued')
        .where('tries', '=', 0)
        .where('at', '<', before)
        .execute();
    },

    async purge(before: Date): Promise<void> {
      await db.deleteFrom('outbox').where('state', '!=', 'queued').where('at', '<', before).execute();
    },

    newest(limit: number) {
      return db.selectFrom('outbox').selectAll().orderBy('id', 'desc').limit(limit).execute();
    },
  };
}
export type OutboxRepo = ReturnType<typeof createOutboxRepo>;

/** Sent, or never to be: the text goes, since links in it open accounts. */
export const over = <State extends Exclude<OutboxState, 'queued'>>(state: State) => ({
  state,
  body: '',
  html: '',
  unsubscribe: '',
  next_try_at: null,
});

const sentUnlessDelivered = sql<OutboxState>`case when state = 'delivered' then state else 'sent' end`;

/** A try before that has no reason is one in which a process died. */
const perhapsTwice = sql<string>`case when tries > 1 and (error = '' or error like ${`%${PERHAPS_SENT}`})
  then 'Sent again, since the answer to the try before was lost.' else '' end`;

const sentSince = (way: Way, since: Date) =>
  sql<number>`(select count(*)::int from outbox s where s.way = ${way} and s.sent_at > ${since})`;

/** A message is stored before it is sent, and given up after a day. News doesn't use up the room of what is waited for. */
const sentTo = (way: Way, since: Date) =>
  sql<number>`(select count(*)::int from outbox s where s.recipient = o.recipient and s.way = ${way}
    and s.is_awaited = o.is_awaited
    and s.at > ${new Date(since.getTime() - 8 * 24 * HOUR)} and s.sent_at > ${since})`;
