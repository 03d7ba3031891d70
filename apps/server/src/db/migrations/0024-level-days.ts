import { type Kysely, sql } from 'kysely';

/** What left each tank and came into it on each day, by its level and beside its noise: counted from raw readings by a job. */
const statements = [
  `create table level_day (
    farm_id int not null,
    series_id int not null,
    at timestamptz not null,
    stored int not null,
    n int not null,
    most double precision not null,
    fall double precision not null,
    rise double precision not null,
    memory jsonb,
    primary key (farm_id, series_id, at),
    foreign key (farm_id, series_id) references series on delete cascade
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
