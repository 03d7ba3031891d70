import { type Kysely, sql } from 'kysely';

/** What could not be done again and again: a farm's nightly backup, or the trial of a backup. */
const statements = [
  `create table farm_backup_failure (
    farm_id int not null references farm on delete cascade,
    -- 'night', or the uid of a backup.
    what text not null,
    since timestamptz not null,
    at timestamptz not null,
    tries int not null,
    reason text not null,
    primary key (farm_id, what)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
