import { type Kysely, sql } from 'kysely';

/** A hold may end with several commands: what a unit is to water by by now, by length of cycle, and the Uninhibit of the others. */
const statements = [
  `alter table paddock_hold add column end_command_ids int[] not null default '{}'`,
  'update paddock_hold set end_command_ids = array[end_command_id] where end_command_id is not null',
  'alter table paddock_hold drop column end_command_id',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
