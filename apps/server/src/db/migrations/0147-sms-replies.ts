import { type Kysely, sql } from 'kysely';

/** What was replied by SMS, each once, and until when a digest waits. */
const statements = [
  `create table sms_reply (
    provider text not null,
    -- What the provider calls it.
    id text not null,
    at timestamptz not null,
    -- The SMS that it answers.
    outbox_id bigint,
    primary key (provider, id)
  )`,
  'create index sms_reply_at on sms_reply (at)',
  // When the first of those has woken for whom it waits.
  'alter table alert_digest add column held_until timestamptz',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
