import { type Kysely, sql } from 'kysely';

/** What is known of one device can be paused, while the others are watched on. */
const statements = [
  // 0: of all devices.
  'alter table alert_pause add column device_id int not null default 0',
  'alter table alert_pause drop constraint alert_pause_pkey',
  'alter table alert_pause add primary key (farm_id, rule_id, device_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
