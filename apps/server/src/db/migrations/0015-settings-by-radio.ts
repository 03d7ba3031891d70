import { type Kysely, sql } from 'kysely';

const statements = [
  // settings: as people entered them; told: the last message made of them and of the bound tanks, numbered by rev.
  `create table gateway_io (
    farm_id int not null,
    device_id int not null,
    settings jsonb not null,
    told text not null default '',
    rev int not null default 0,
    sent_rev int not null default 0,
    sent_at timestamptz,
    acked_rev int not null default 0,
    primary key (farm_id, device_id),
    foreign key (farm_id, device_id) references device on delete cascade
  )`,
  `alter table config_update add column gateway_id int, add column sent_at timestamptz, add column expires_at timestamptz,
    add column error text`,
  // Nothing sends these: what waits was never on its way.
  "update config_update set expires_at = created_at + interval '1 day'",
  'create index config_update_waiting on config_update (farm_id, gateway_id) where processed_at is null and error is null',
  `create table tlm_lead (
    id int generated always as identity primary key,
    uid text not null unique,
    at timestamptz not null,
    name text not null,
    email text not null,
    country_code int not null,
    mobile text not null,
    farm_name text not null,
    tanks int not null,
    notes text not null default ''
  )`,
  'create index tlm_lead_email on tlm_lead (email, at)',
];

/** What people set on devices: inputs and relays of gateways, and configurations that have a life; and who asked for tank telemetry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
