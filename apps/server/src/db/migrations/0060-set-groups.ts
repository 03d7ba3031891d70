import { type Kysely, sql } from 'kysely';

/** Which group a line of a set is of, by its name at the time; a sprinkler in two groups has a row for each. Of sets from before it isn't known. */
const statements = [
  `alter table schedule_set_unit add column group_uid text not null default '',
    add column group_name text not null default ''`,
  'alter table schedule_set_unit drop constraint schedule_set_unit_pkey',
  'alter table schedule_set_unit add primary key (farm_id, set_id, device_id, group_uid)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
