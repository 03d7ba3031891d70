import { type Kysely, sql } from 'kysely';

/** Consents to take water, the meters that measure them, and what people read off these or note about them. */
const statements = [
  `create table water_take (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null unique,
    consent_no text not null,
    holder text not null default '',
    council text not null default '',
    source text not null default '',
    -- Null: the consent says nothing of it.
    max_l_s float8 check (max_l_s >= 0),
    max_m3_day float8 check (max_m3_day >= 0),
    max_m3_7day float8 check (max_m3_7day >= 0),
    max_m3_year float8 check (max_m3_year >= 0),
    -- Days of standard time, YYYY-MM-DD.
    valid_from text,
    valid_to text,
    restriction_note text not null default '',
    restrictions jsonb not null default '[]',
    version int not null default 1,
    updated_at timestamptz not null,
    primary key (farm_id, id)
  )`,
  `create table take_meter (
    farm_id int not null,
    id int generated always as identity,
    uid text not null unique,
    take_id int not null,
    device_id int not null,
    -- Which of its series counts.
    metric text not null,
    council_site text not null,
    measure_name text not null,
    starts_at timestamptz not null,
    ends_at timestamptz check (ends_at > starts_at),
    verified_on text,
    next_verification text,
    pipe text not null check (pipe in ('full', 'open')),
    m3_per_unit float8 not null check (m3_per_unit > 0),
    is_by_volume boolean not null default false,
    primary key (farm_id, id),
    foreign key (farm_id, take_id) references water_take on delete cascade,
    foreign key (farm_id, device_id) references device on delete cascade
  )`,
  'create index take_meter_take on take_meter (farm_id, take_id)',
  'create index take_meter_device on take_meter (farm_id, device_id)',
  `create table take_reading (
    farm_id int not null,
    id int generated always as identity,
    uid text not null unique,
    meter_id int not null,
    at timestamptz not null,
    -- What the meter itself shows, m³.
    register float8 not null,
    note text not null default '',
    account_id int references account on delete set null,
    primary key (farm_id, id),
    foreign key (farm_id, meter_id) references take_meter on delete cascade
  )`,
  'create index take_reading_meter on take_reading (farm_id, meter_id, at)',
  `create table take_note (
    farm_id int not null,
    take_id int not null,
    from_at timestamptz not null,
    to_at timestamptz not null check (to_at > from_at),
    note text not null,
    account_id int references account on delete set null,
    primary key (farm_id, take_id, from_at),
    foreign key (farm_id, take_id) references water_take on delete cascade
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
