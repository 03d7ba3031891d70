import { type Kysely, sql } from 'kysely';

/**
 * What devices say in words (schedule checksum, mode) stands beside their numbers: the newest of each fact, like `latest`.
 * A gateway's status carries its own time, so that one that was late never replaces a newer one.
 */
const statements = [
  `create table device_fact (
    farm_id int not null,
    device_id int not null,
    name text not null,
    at timestamptz not null,
    value text not null,
    primary key (farm_id, device_id, name),
    foreign key (farm_id, device_id) references device on delete cascade
  ) with (fillfactor = 70)`,
  'alter table gateway_state add column status_at timestamptz',
  'create index config_update_uid on config_update (farm_id, uid)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
