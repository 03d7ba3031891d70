import { type Kysely, sql } from 'kysely';

/** What nobody answers is told again; people have nights, and say by which ways they want to hear what. */
const statements = [
  `alter table alert_incident add column repeated int not null default 0, add column next_step_at timestamptz,
    add column snoozed_until timestamptz, add column snoozed_by int references account on delete set null`,
  'create index alert_incident_step on alert_incident (next_step_at) where next_step_at is not null',
  'alter table alert_notice add column held_until timestamptz',
  'create index alert_notice_held on alert_notice (held_until) where held_until is not null',
  `create table alert_preference (
    account_id int primary key references account on delete cascade,
    -- Minutes after midnight by the clock of the zone; null: no night.
    quiet_from int check (quiet_from between 0 and 1439),
    quiet_to int check (quiet_to between 0 and 1439),
    quiet_zone text,
    -- By class; null: as usual.
    ways jsonb,
    updated_at timestamptz not null
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
