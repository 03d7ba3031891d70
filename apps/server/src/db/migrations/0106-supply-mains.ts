import { type Kysely, sql } from 'kysely';

/** Pipes of a farm that give less than its pump, with the groups on them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table farm_supply add column mains jsonb not null default '[]'`.execute(db);
}
