import { type Kysely, sql } from 'kysely';

/** By which clocks a farm went before a person changed it: `until` in epoch ms, and its zone as the rules take it; oldest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table farm add column clock_before jsonb not null default '[]'`).execute(db);
}
