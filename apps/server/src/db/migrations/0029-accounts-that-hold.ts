import { type Kysely, sql } from 'kysely';

/** An address that waits to be confirmed, and the way back to the former one. */
const statements = [
  'alter table account add column pending_email text',
  'alter table account_key drop constraint account_key_purpose_check',
  `alter table account_key add constraint account_key_purpose_check
    check (purpose in ('confirm-email', 'reset-password', 'passwordless', 'change-email', 'undo-email'))`,
  // Whose an address still is, while its change can be undone.
  `create index account_key_undo on account_key (email) where purpose = 'undo-email'`,
  // A message that will not be sent any more keeps no link.
  `update outbox set body = '', html = '' where state <> 'waiting'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
