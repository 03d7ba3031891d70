import { type Kysely, sql } from 'kysely';

/** A message says how far it got: who took it and as what, and whether anybody said that it arrived. */
const statements = [
  'alter table outbox drop constraint outbox_state_check',
  "update outbox set state = 'queued' where state = 'waiting'",
  `alter table outbox alter column state set default 'queued',
    add constraint outbox_state_check
      check (state in ('queued', 'sent', 'delivered', 'failed', 'expired', 'cancelled')),
    add column provider_id text, add column delivered_at timestamptz, add column shown_key_hash bytea`,
  'drop index outbox_waiting, outbox_sent, outbox_expiring',
  `create index outbox_queued on outbox (next_try_at) where state = 'queued'`,
  `create index outbox_sent on outbox (way, sent_at) where sent_at is not null`,
  `create index outbox_expiring on outbox (expires_at) where state = 'queued' and expires_at is not null`,
  'create unique index outbox_shown on outbox (shown_key_hash) where shown_key_hash is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
