import { type Kysely, sql } from 'kysely';

/**
 * A send to all changes what each unit is to water by where it stands: an index that names the send that asked for it, also of units
 * that aren't in it, made each of these changes write all indexes anew.
 */
const statements = [
  'drop index unit_program_catch_up',
  'create index unit_program_catch_up on unit_program (farm_id, device_id) where catch_up_until is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
