import { type Kysely, sql } from 'kysely';

/**
 * Payload codecs of a farm, every version kept; a sensor uses the newest one or the one it is pinned to, or a built-in
 * codec by its name. The newest uplink of each sensor is kept whole, so that its mapping can be tried on it.
 */
const statements = [
  `create table codec (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null,
    name text not null,
    version int not null,
    off_at timestamptz,
    off_reason text,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (farm_id, id),
    unique (farm_id, uid)
  )`,
  'create unique index codec_name on codec (farm_id, lower(name))',
  `create table codec_version (
    farm_id int not null,
    codec_id int not null,
    version int not null,
    script text not null,
    created_at timestamptz not null,
    primary key (farm_id, codec_id, version),
    foreign key (farm_id, codec_id) references codec on delete cascade
  )`,
  `alter table device add column builtin_codec text, add column codec_id int, add column codec_version int,
    add foreign key (farm_id, codec_id) references codec on delete set null (codec_id)`,
  'create index device_codec on device (farm_id, codec_id) where codec_id is not null',
  // json and not jsonb: what a network server decoded may hold a NUL, which jsonb refuses.
  `create table last_uplink (
    farm_id int not null,
    device_id int not null,
    at timestamptz not null,
    f_port int not null,
    f_cnt bigint not null,
    bytes bytea,
    object json,
    codec text,
    warnings json not null default '[]',
    problems json not null default '[]',
    primary key (farm_id, device_id),
    foreign key (farm_id, device_id) references device on delete cascade
  ) with (fillfactor = 70)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
