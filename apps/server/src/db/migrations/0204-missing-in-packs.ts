import { type Kysely, sql } from 'kysely';

/** What was missing when a pack was made: from when to when each, epoch ms. Null: it isn't made yet, or was made before this was kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table take_pack add column missing jsonb`.execute(db);
}
