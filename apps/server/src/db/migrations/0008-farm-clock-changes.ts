import { type Kysely, sql } from 'kysely';

/** Farms whose clock was changed: their hours and days are made anew, series by series, also after a restart. */
const statements = [
  `create table farm_clock_change (
    farm_id int primary key references farm on delete cascade,
    at timestamptz not null,
    series_done int not null default 0
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
