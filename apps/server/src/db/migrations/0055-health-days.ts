import { type Kysely, sql } from 'kysely';

/** How a farm's sprinklers were at the end of each of its days, and from when until when each was of a kind. */
const statements = [
  `create table health_day (
    farm_id int not null references farm on delete cascade,
    day date not null,
    in_contact int not null,
    clock_ok int not null,
    battery_ok int not null,
    schedule_ok int not null,
    primary key (farm_id, day)
  )`,
  // A row for each change instead of one for each unit and day: 5,000 units of a quiet farm write nothing.
  `create table unit_span (
    farm_id int not null,
    kind smallint not null,
    device_id int not null,
    since date not null,
    -- The first day on which it no longer was; null: it still is.
    until date,
    primary key (farm_id, kind, device_id, since),
    foreign key (farm_id, device_id) references device on delete cascade,
    check (until is null or until > since)
  )`,
  'create unique index unit_span_now on unit_span (farm_id, kind, device_id) where until is null',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
