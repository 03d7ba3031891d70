import { type Kysely, sql } from 'kysely';

/** What advice on irrigation rests on: soil and crop as people enter them, and by day the weather, what was given and what was advised. */
const statements = [
  `create table advice_settings (
    farm_id int not null references farm on delete cascade,
    -- '': of the farm, for all groups that have none of their own.
    group_uid text not null default '',
    body jsonb not null,
    version int not null,
    updated_by int references account on delete set null,
    updated_at timestamptz not null,
    primary key (farm_id, group_uid)
  )`,
  `create table weather_day (
    farm_id int not null references farm on delete cascade,
    day date not null,
    -- As the source said on the day itself, the last time.
    et0_mm float8 check (et0_mm >= 0),
    rain_mm float8 check (rain_mm >= 0),
    source text,
    is_demo boolean not null default false,
    noted_at timestamptz,
    -- By a person; it counts instead.
    entered_et0_mm float8 check (entered_et0_mm >= 0),
    entered_rain_mm float8 check (entered_rain_mm >= 0),
    entered_by int references account on delete set null,
    entered_at timestamptz,
    primary key (farm_id, day)
  )`,
  `create table applied_day (
    farm_id int not null references farm on delete cascade,
    group_uid text not null,
    day date not null,
    -- Mean of its sprinklers, by what is believed; and if those that were not heard watered as planned.
    mm float8 not null,
    most_mm float8 not null,
    -- Waterings of which nothing is known.
    not_known int not null,
    noted_at timestamptz not null,
    primary key (farm_id, group_uid, day)
  )`,
  `create table advice_day (
    farm_id int not null references farm on delete cascade,
    group_uid text not null,
    day date not null,
    -- The first advice of the day after six; null: there was none.
    cycles int,
    mm float8,
    is_held_back boolean not null default false,
    made_at timestamptz,
    -- What a person did about it.
    note text not null default '',
    note_by int references account on delete set null,
    note_at timestamptz,
    primary key (farm_id, group_uid, day)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
