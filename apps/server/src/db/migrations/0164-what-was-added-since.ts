import { type Kysely, sql } from 'kysely';

/** Codes are counted by the browser that tries them, and an authenticator app says since when it is there. */
const statements = [
  `alter table sign_in_ticket add column device_uid text not null default ''`,
  'alter table authenticator add column confirmed_at timestamptz',
  `update authenticator set confirmed_at = account.second_step_since from account
    where account.id = authenticator.account_id and authenticator.secret is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
