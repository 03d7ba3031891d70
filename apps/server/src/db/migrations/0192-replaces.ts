import { type Kysely, sql } from 'kysely';

/** Each look at a sprinkler asks when another unit took its place last: a farm's Replaces are few beside all that was sent to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index command_replace on command (farm_id, id) where type = 7`.execute(db);
}
