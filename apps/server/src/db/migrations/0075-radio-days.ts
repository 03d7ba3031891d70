import { type Kysely, sql } from 'kysely';

/** What a gateway's radio did on each of a farm's days, kept for ever: 365 short rows a year for each gateway. */
const statements = [
  `create table radio_day (
    farm_id int not null,
    gateway_id int not null,
    day date not null,
    -- Units whose answer it brought, and those that it gave up.
    answered int not null default 0,
    silent int not null default 0,
    -- Of those of which the gateway said how often it asked.
    tried_units int not null default 0,
    tries int not null default 0,
    -- Between answers, while others waited.
    busy_s real not null default 0,
    busy_units int not null default 0,
    -- At the end of the day, over units in service: how many said it, and their sum.
    hops_units int not null default 0,
    hops real not null default 0,
    primary key (farm_id, gateway_id, day),
    foreign key (farm_id, gateway_id) references device on delete cascade
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
