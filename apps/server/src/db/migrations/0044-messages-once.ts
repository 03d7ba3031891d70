import { type Kysely, sql } from 'kysely';

/**
 * What is told once however often it is asked for, is of use for a time only, or is called off before it goes. A message knows
 * whose it is: with the account go its messages.
 */
const statements = [
  'alter table notification add column dedupe_key text',
  `create unique index notification_once on notification (account_id, dedupe_key) where dedupe_key is not null`,
  `alter table outbox add column account_id int references account on delete cascade,
    add column dedupe_key text, add column expires_at timestamptz,
    drop constraint outbox_state_check,
    add constraint outbox_state_check check (state in ('waiting', 'sent', 'failed', 'expired', 'cancelled'))`,
  `create unique index outbox_once on outbox (dedupe_key, way, recipient, account_id) nulls not distinct
    where dedupe_key is not null`,
  'create index outbox_account on outbox (account_id) where account_id is not null',
  `create index outbox_expiring on outbox (expires_at) where state = 'waiting' and expires_at is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
