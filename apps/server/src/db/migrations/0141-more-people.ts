import { type Kysely, sql } from 'kysely';

/** Who is told first and who if nobody answers, pauses, what was held back, and the digest. */
const statements = [
  `alter table alert_rule
    -- Empty: everybody who is told of the farm.
    add column people int[] not null default '{}',
    -- Null: nobody else is told where nobody answers.
    add column escalate_min int, add column escalate_people int[] not null default '{}',
    -- Since when it has watched, whatever was changed of it.
    add column on_since timestamptz`,
  'update alert_rule set on_since = updated_at',
  'alter table alert_rule alter column on_since set not null',
  'alter table alert_incident add column escalate_at timestamptz, add column escalated_at timestamptz',
  'create index alert_incident_escalate on alert_incident (escalate_at) where escalate_at is not null',
  // Why it did not go by a way that its person wants.
  'alter table alert_notice add column held_back text',
  `create table alert_pause (
    farm_id int not null references farm on delete cascade,
    -- 0: all of the farm's alerts.
    rule_id int not null default 0,
    until timestamptz not null,
    by_account int references account on delete set null,
    at timestamptz not null,
    primary key (farm_id, rule_id)
  )`,
  `create table alert_digest (
    farm_id int primary key references farm on delete cascade,
    -- By the farm's clock.
    told_on date not null
  )`,
  'alter table alert_preference add column digest boolean not null default true',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
