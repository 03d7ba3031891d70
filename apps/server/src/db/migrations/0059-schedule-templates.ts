import { type Kysely, sql } from 'kysely';

/** Designs of schedules, which sets are computed from. */
const statements = [
  `create table schedule_template (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null unique,
    name text not null,
    body jsonb not null,
    version int not null default 1,
    created_by int references account on delete set null,
    updated_by int references account on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    -- It can be restored for 30 days.
    deleted_at timestamptz,
    primary key (farm_id, id)
  )`,
  'create unique index schedule_template_name on schedule_template (farm_id, lower(name)) where deleted_at is null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
