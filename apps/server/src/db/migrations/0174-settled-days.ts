import { type Kysely, sql } from 'kysely';

/** Days of meters of water takes that were reckoned once. */
const statements = [
  `create table take_meter_day (
    farm_id int not null,
    meter_id int not null,
    -- Start of a day of UTC.
    day timestamptz not null,
    -- What it rests on: where that is another one now, it is reckoned anew.
    print text not null,
    stretches bytea not null,
    primary key (farm_id, meter_id, day),
    foreign key (farm_id, meter_id) references take_meter on delete cascade
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
