import { type Kysely, sql } from 'kysely';

/**
 * What network servers sent, whole, stored before it is acknowledged; what still has to be decoded of it; and how much a farm keeps.
 * Uplinks are only added and deleted: that one waits is a row elsewhere, so that nothing of its size is written twice.
 */
const statements = [
  `create table uplink (
    farm_id int not null,
    id bigint generated always as identity,
    device_id int not null,
    at timestamptz not null,
    received_at timestamptz not null,
    topic text not null,
    key_id int,
    digest bytea not null,
    payload bytea not null,
    primary key (farm_id, id),
    unique (farm_id, device_id, at, digest),
    foreign key (farm_id, device_id) references device on delete cascade
  ) with (toast_tuple_target = 256, autovacuum_vacuum_insert_scale_factor = 0.02)`,
  // Compressed where it stands: some hundred bytes are left of a message.
  'alter table uplink alter column payload set storage main',
  'create index uplink_received on uplink (received_at)',
  `create table uplink_due (
    farm_id int not null,
    anew boolean not null,
    uplink_id bigint not null,
    device_id int not null,
    run int not null default 0,
    primary key (farm_id, anew, uplink_id),
    foreign key (farm_id, device_id) references device on delete cascade
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  'create index uplink_due_device on uplink_due (farm_id, device_id)',
  `create table uplink_count (
    farm_id int primary key references farm on delete cascade,
    kept int not null default 0,
    kept_bytes bigint not null default 0,
    waiting int not null default 0,
    waiting_bytes bigint not null default 0
  ) with (fillfactor = 50)`,
  `create table decode_anew (
    farm_id int not null,
    device_id int not null,
    run int not null,
    since timestamptz not null,
    asked_at timestamptz not null,
    total int not null,
    done int not null default 0,
    changed int not null default 0,
    failed int not null default 0,
    problem text,
    finished_at timestamptz,
    primary key (farm_id, device_id),
    foreign key (farm_id, device_id) references device on delete cascade
  )`,
  'alter table last_uplink add column took_ms int',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
