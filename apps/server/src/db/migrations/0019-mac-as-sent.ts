import { type Kysely, sql } from 'kysely';

/** The MAC that a unit's command was sent to: its device may have another one by the time of the answer. Null: never sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table command_unit add column mac text`.execute(db);
}
