import { type Kysely, sql } from 'kysely';

/** A sprinkler that a send didn't reach gets its schedule once it is heard, for a while. */
const statements = [
  `alter table unit_program
    -- Until when it gets this schedule by itself once it is heard; null: it does not.
    add column catch_up_until timestamptz,
    -- It has to be heard after this.
    add column catch_up_from timestamptz,
    add column catch_up_tries int not null default 0,
    -- Another unit has taken the place: it need not be heard first.
    add column is_new_unit boolean not null default false,
    -- Where it was when it was sent.
    add column lat float8,
    add column lng float8`,
  'create index unit_program_catch_up on unit_program (farm_id, command_id) where catch_up_until is not null',
  // Of a unit that was left out: it had not been heard for long.
  'alter table command_unit add column is_unheard boolean not null default false',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
