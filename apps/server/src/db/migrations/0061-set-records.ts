import { type Kysely, sql } from 'kysely';

/** Sets are records: who made each, from what, and which one it takes the place of. Of those from before it isn't known. */
const statements = [
  `alter table schedule_set
    add column template_id int,
    add column template_version int,
    add column is_by_hand boolean not null default false,
    -- As it was computed; null: not known.
    add column design jsonb,
    add column figures jsonb,
    add column findings jsonb not null default '[]',
    add column created_by int references account on delete set null,
    -- The set of the same template that it takes the place of in lists.
    add column replaces int,
    -- It can be restored for 30 days; after that its name alone is left, for what was planned by it.
    add column deleted_at timestamptz`,
  'create index schedule_set_replaces on schedule_set (farm_id, replaces) where replaces is not null',
  'create index unit_program_set on unit_program (farm_id, set_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
