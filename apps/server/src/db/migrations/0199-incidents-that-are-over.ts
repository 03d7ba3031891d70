import { type Kysely, sql } from 'kysely';

/**
 * What is over for years, and what one person answered, is found without a look at all that is kept; and what readings that came late show
 * to have been so is written down.
 */
const statements = [
  'alter table alert_incident add column seen_late_at timestamptz',
  'create index alert_incident_ended on alert_incident (ended_at) where ended_at is not null',
  'create index alert_step_by on alert_step (by_account) where by_account is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
