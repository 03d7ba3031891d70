import { type Kysely, sql } from 'kysely';

/** When a server wrote the operator's act into its log; null: it waits for that. Former ones are not written later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table audit add column logged_at timestamptz').execute(db);
  await sql.raw('update audit set logged_at = at').execute(db);
  await sql.raw('create index audit_to_log on audit (id) where logged_at is null').execute(db);
}
