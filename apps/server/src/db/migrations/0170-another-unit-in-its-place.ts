import { type Kysely, sql } from 'kysely';

/** What was told of a unit is over once another one stands in its place. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table alert_episode add column other_unit_at timestamptz').execute(db);
}
