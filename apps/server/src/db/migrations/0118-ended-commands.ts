import { type Kysely, sql } from 'kysely';

/** Alerts ask every few seconds which commands have ended and did not reach all. */
const statements = [
  `create index command_ended on command (farm_id, state_at) where state in ('done', 'failed', 'expired')`,
  `create index command_unit_failed on command_unit (farm_id, command_id) where state in ('failed', 'expired')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
