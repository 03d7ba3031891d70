import { type Kysely, sql } from 'kysely';

/** When the newest reading was received, where that was before its own time: null where it wasn't ahead of the clock. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table latest add column heard_at timestamptz`.execute(db);
}
