import { type Kysely, sql } from 'kysely';

/** A farm's history has what was done as one once: which change is the newest of its batch, and how many there are, is asked for each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index change_log_batch on change_log (farm_id, batch_id, id) where batch_id is not null`.execute(
    db,
  );
}
