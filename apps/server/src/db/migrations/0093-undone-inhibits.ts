import { type Kysely, sql } from 'kysely';

/** When a person undid an Inhibit: it keeps nobody from watering any more, whatever else of it is found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table command add column undone_at timestamptz`.execute(db);
}
