import { type Kysely, sql } from 'kysely';

/** Which farms somebody deleted is asked on every home page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index change_batch_deleted_farm on change_batch (account_id) where act = 'delete farm'`.execute(
    db,
  );
}
