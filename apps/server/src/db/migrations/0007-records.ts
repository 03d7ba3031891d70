import { type Kysely, sql } from 'kysely';

/**
 * What people enter of farms, devices and groups: versions, so that nobody writes over another's change unseen; who changed
 * what; and the registry that knows the MAC of a serial number.
 */
const statements = [
  `alter table farm add column address jsonb not null default '{}', add column supplier text not null default '',
    add column irrigation_area_ha double precision not null default 0, add column version int not null default 1`,
  'alter table device add column version int not null default 1',
  'alter table device_group add column version int not null default 1',
  `create table change_log (
    farm_id int not null references farm on delete cascade,
    id bigint generated always as identity,
    at timestamptz not null,
    account_id int references account on delete set null,
    kind text not null,
    uid text not null,
    name text not null,
    what text not null,
    fields jsonb not null default '[]',
    primary key (farm_id, id)
  )`,
  'create index change_log_uid on change_log (farm_id, uid, id)',
  `create table registry (
    serial_number text not null,
    mac text not null,
    kind text not null check (kind in ('ipc', 'repeater', 'gateway', 'sensor')),
    type int not null default 0,
    channel int not null default 1,
    spfactor int not null default 10
  )`,
  'create index device_group_uid on device_group (uid)',
  'create unique index registry_serial on registry (lower(serial_number) text_pattern_ops, kind)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
