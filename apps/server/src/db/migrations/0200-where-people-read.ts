import { type Kysely, sql } from 'kysely';

/** The zone of somebody's browser, as they last chose how they want to hear; null: nobody knows. */
const statements = [
  'alter table account add column zone text',
  `update account a set zone = p.quiet_zone from alert_preference p where p.account_id = a.id and p.quiet_zone is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
