import { type Kysely, sql } from 'kysely';

/** By how many seconds the farm's clock is ahead of UTC, as the gateway was told last; null: not since its last hello. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table gateway_state add column told_offset_s integer').execute(db);
}
