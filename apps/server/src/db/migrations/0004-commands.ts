import { type Kysely, sql } from 'kysely';

/**
 * Commands with every step of their life; groups and sets of schedules, which say whom a command is for and what it carries.
 * `cmd_id` is what the gateway answers with: the command's own uid, `list-{rev}` or `set-{rev}`.
 */
const statements = [
  // Whose radio a unit is heard by; null: the farm's first gateway for sprinklers.
  'alter table device add column gateway_id int',
  'alter table gateway_state add column set_rev int not null default 0',
  `create table device_group (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null,
    name text not null,
    description text not null default '',
    is_lateral boolean not null default false,
    wal_config jsonb,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (farm_id, id),
    unique (farm_id, uid)
  )`,
  'create unique index device_group_name on device_group (farm_id, lower(name))',
  `create table device_group_member (
    farm_id int not null,
    group_id int not null,
    device_id int not null,
    primary key (farm_id, group_id, device_id),
    foreign key (farm_id, group_id) references device_group on delete cascade,
    foreign key (farm_id, device_id) references device on delete cascade
  )`,
  'create index device_group_member_device on device_group_member (farm_id, device_id)',
  `create table schedule_set (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null,
    name text not null,
    settings jsonb not null default '{}',
    created_at timestamptz not null default now(),
    primary key (farm_id, id),
    unique (farm_id, uid)
  )`,
  `create table schedule_set_unit (
    farm_id int not null,
    set_id int not null,
    device_id int not null,
    schedule_group text not null default '',
    entries jsonb not null,
    primary key (farm_id, set_id, device_id),
    foreign key (farm_id, set_id) references schedule_set on delete cascade,
    foreign key (farm_id, device_id) references device on delete cascade
  )`,
  'alter table farm add column current_set_id int',
  `create table command (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null,
    account_id int references account on delete set null,
    type int not null check (type between 1 and 31),
    name text not null,
    serial_number text not null,
    payload jsonb not null,
    max_open_minutes int,
    hide_notification boolean not null default false,
    result_message text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    state text not null,
    state_at timestamptz not null,
    -- What the gateway itself counted, where it counts.
    progress_done int,
    progress_total int,
    primary key (farm_id, id),
    unique (farm_id, uid)
  )`,
  `create index command_live on command (expires_at) where state in ('queued', 'sent', 'accepted', 'progress')`,
  `create table command_unit (
    farm_id int not null,
    command_id int not null,
    device_id int not null,
    gateway_id int not null,
    position int not null,
    state text not null,
    at timestamptz not null,
    cmd_id text,
    -- Of a schedule: what the unit is to hold, and its checksum.
    entries jsonb,
    crc text,
    note text not null default '',
    -- Of a valve that was opened.
    opened_at timestamptz,
    closes_by timestamptz,
    closed_at timestamptz,
    closed_why text,
    primary key (farm_id, command_id, device_id),
    foreign key (farm_id, command_id) references command on delete cascade,
    foreign key (farm_id, device_id) references device on delete cascade
  ) with (fillfactor = 70)`,
  `create index command_unit_live on command_unit (farm_id, gateway_id, command_id, position)
    where state in ('queued', 'sent', 'accepted')`,
  'create index command_unit_answer on command_unit (farm_id, gateway_id, cmd_id) where cmd_id is not null',
  'create index command_unit_device on command_unit (farm_id, device_id, at)',
  'create index command_unit_open on command_unit (farm_id, device_id) where opened_at is not null and closed_at is null',
  `create table command_step (
    farm_id int not null,
    command_id int not null,
    id bigint generated always as identity,
    at timestamptz not null,
    state text not null,
    device_id int,
    note text not null default '',
    primary key (farm_id, command_id, id),
    foreign key (farm_id, command_id) references command on delete cascade
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
