import { type Kysely, sql } from 'kysely';

/** A farm has thousands of sprinklers and a handful of everything else, which is asked for at almost every call. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index device_few on device (farm_id, kind) where kind <> 'sprinkler' and deleted_at is null`.execute(
    db,
  );
}
