import { type Kysely, sql } from 'kysely';

/** When valves were open, by what units reported and answered. A swap keeps them: they belong to the place. */
const statements = [
  `create table watering_run (
    farm_id int not null,
    device_id int not null,
    id bigint generated always as identity,
    opened_at timestamptz not null,
    opened_how text not null check (opened_how in ('said', 'answered', 'logged')),
    open_until timestamptz not null,
    closed_at timestamptz,
    closed_how text check (closed_how in ('said', 'answered', 'logged')),
    primary key (farm_id, device_id, opened_at),
    foreign key (farm_id, device_id) references device on delete cascade,
    check ((closed_at is null) = (closed_how is null)),
    check (open_until >= opened_at and (closed_at is null or closed_at >= open_until))
  ) with (fillfactor = 80)`,
  'create unique index watering_run_id on watering_run (farm_id, id)',
  'create index watering_run_open on watering_run (farm_id) where closed_at is null',
  'create index watering_run_closed on watering_run (farm_id, closed_at) where closed_at is not null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
