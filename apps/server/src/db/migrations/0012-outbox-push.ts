import { type Kysely, sql } from 'kysely';

/** Push messages wait like mail; a mail that is waited for is found by its way and time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox drop constraint outbox_way_check,
    add constraint outbox_way_check check (way in ('mail', 'sms', 'push'))`.execute(db);
  await sql`create index outbox_sent on outbox (way, sent_at) where state = 'sent'`.execute(db);
}
