import { type Kysely, sql } from 'kysely';

/**
 * Accounts, farms, devices, readings. Every farm-owned table has farm_id first in its keys, so that the database can
 * be distributed by farm unchanged. Inside, devices and series have integer keys; public ids stay out of history.
 */
const statements = [
  `create table account (
    id int generated always as identity primary key,
    uid text not null unique,
    email text not null unique check (email = lower(email)),
    name text not null,
    type text not null check (type in ('SUBSCRIBER', 'AGENT')),
    password_hash text,
    approved boolean not null default true,
    must_change_password boolean not null default false,
    mobile text,
    country_code int,
    subscription_valid_until timestamptz not null,
    send_sms boolean not null default false,
    send_push boolean not null default false,
    send_email boolean not null default false,
    send_action boolean not null default true,
    is_demo boolean not null default false,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create table session (
    token_hash bytea primary key,
    account_id int not null references account on delete cascade,
    device_uid text not null,
    address text not null,
    user_agent text not null,
    created_at timestamptz not null,
    last_used_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index session_account on session (account_id)',
  `create table known_device (
    account_id int not null references account on delete cascade,
    device_uid text not null,
    last_sign_in_at timestamptz not null,
    primary key (account_id, device_uid)
  )`,
  `create table sign_in_failure (
    id bigint generated always as identity primary key,
    at timestamptz not null,
    email text not null,
    address text not null,
    known_device boolean not null
  )`,
  'create index sign_in_failure_email on sign_in_failure (email, at)',
  'create index sign_in_failure_address on sign_in_failure (address, at)',
  `create table account_settings (
    account_id int primary key references account on delete cascade,
    data jsonb not null,
    version int not null,
    updated_at timestamptz not null default now()
  )`,
  `create table page_view (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    account_id int references account on delete set null,
    device_uid text not null,
    key text not null
  )`,
  `create table farm (
    id int generated always as identity primary key,
    uid text not null unique,
    owner_id int not null references account,
    name text not null,
    description text not null default '',
    icon text not null default 'farm-blue',
    lat double precision not null,
    lng double precision not null,
    size_ha double precision not null default 0,
    boundary jsonb not null default '[]',
    tank_only boolean not null default false,
    v3_site boolean not null default false,
    wal_config jsonb not null,
    time_zone_id text not null,
    raw_offset int not null,
    dst_offset int not null,
    dst_enabled boolean not null,
    is_demo boolean not null default false,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz
  )`,
  'create index farm_owner on farm (owner_id)',
  `create table farm_share (
    farm_id int not null references farm on delete cascade,
    account_id int not null references account on delete cascade,
    template int not null,
    permissions jsonb not null,
    expires_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (farm_id, account_id)
  )`,
  'create index farm_share_account on farm_share (account_id)',
  `create table device (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null,
    kind text not null check (kind in ('gateway', 'sprinkler', 'repeater', 'sensor', 'poi')),
    type int not null default 0,
    name text not null,
    description text not null default '',
    serial_number text not null default '',
    mac text,
    lat double precision,
    lng double precision,
    settings jsonb not null default '{}',
    mapping jsonb,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    deleted_at timestamptz,
    primary key (farm_id, id),
    unique (farm_id, uid)
  )`,
  'create unique index device_mac on device (farm_id, mac) where deleted_at is null and mac is not null',
  'create index device_uid on device (uid)',
  'create index device_any_mac on device (mac) where deleted_at is null',
  'create index device_serial on device (lower(serial_number)) where deleted_at is null',
  `create table gateway_state (
    farm_id int not null,
    device_id int not null,
    online boolean not null default false,
    state_at timestamptz,
    contact_at timestamptz,
    boot_id text,
    list_rev int not null default 1,
    acked_rev int not null default 0,
    settings jsonb not null default '{}',
    info jsonb not null default '{}',
    data jsonb not null default '{}',
    primary key (farm_id, device_id),
    foreign key (farm_id, device_id) references device on delete cascade
  )`,
  `create table gateway_key (
    mac text primary key,
    farm_id int not null,
    device_id int not null,
    key_hash bytea not null,
    created_at timestamptz not null default now(),
    foreign key (farm_id, device_id) references device on delete cascade
  )`,
  `create table integration_key (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null,
    name text not null,
    user_name text not null unique,
    key_hash bytea not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    deleted_at timestamptz,
    primary key (farm_id, id),
    unique (farm_id, uid)
  )`,
  `create table config_update (
    farm_id int not null,
    id int generated always as identity,
    uid text not null,
    device_id int not null,
    type int not null,
    config jsonb not null,
    created_at timestamptz not null default now(),
    processed_at timestamptz,
    primary key (farm_id, id),
    foreign key (farm_id, device_id) references device on delete cascade
  )`,
  `create table series (
    farm_id int not null,
    id int generated always as identity,
    device_id int not null,
    metric text not null,
    primary key (farm_id, id),
    unique (farm_id, device_id, metric),
    foreign key (farm_id, device_id) references device on delete cascade
  )`,
  // value null: the sensor said that it had no valid value. valid_*: the last one that was.
  `create table latest (
    farm_id int not null,
    series_id int not null,
    at timestamptz,
    value double precision,
    valid_at timestamptz,
    valid_value double precision,
    primary key (farm_id, series_id),
    foreign key (farm_id, series_id) references series on delete cascade
  ) with (fillfactor = 50)`,
  `create table reading (
    farm_id int not null,
    series_id int not null,
    at timestamptz not null,
    value double precision,
    primary key (farm_id, series_id, at) include (value)
  ) partition by range (at)`,
  ...['reading_hour', 'reading_day'].map(
    (table) => `create table ${table} (
      farm_id int not null,
      series_id int not null,
      at timestamptz not null,
      n int not null,
      min double precision not null,
      max double precision not null,
      sum double precision not null,
      falls double precision not null,
      rises double precision not null,
      first_at timestamptz not null,
      first_value double precision not null,
      last_at timestamptz not null,
      last_value double precision not null,
      primary key (farm_id, series_id, at)
    ) with (fillfactor = 80)`,
  ),
  `create table dead_letter (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    reason text not null,
    topic text not null,
    sender text not null,
    farm_id int,
    bytes int not null,
    payload bytea not null
  )`,
  'create index dead_letter_at on dead_letter (at)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
