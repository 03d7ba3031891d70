import { type Kysely, sql } from 'kysely';

/** Sprinklers that are kept from watering until a time, and whether a stop is a person's or a hold's. */
const statements = [
  `create table paddock_hold (
    farm_id int not null references farm on delete cascade,
    id int generated always as identity,
    uid text not null unique,
    -- '': the whole farm.
    group_uid text not null default '',
    name text not null,
    reason text not null default '',
    from_at timestamptz not null,
    until_at timestamptz not null,
    account_id int references account on delete set null,
    -- The Inhibit that it began with, and the last Uninhibit of its end.
    command_id int not null,
    end_command_id int,
    ended_at timestamptz,
    -- Nobody let its sprinklers water again in time.
    is_missed boolean not null default false,
    primary key (farm_id, id),
    check (until_at > from_at)
  )`,
  'create index paddock_hold_due on paddock_hold (until_at) where ended_at is null',
  `create table paddock_hold_unit (
    farm_id int not null,
    hold_id int not null,
    device_id int not null,
    primary key (farm_id, hold_id, device_id),
    foreign key (farm_id, hold_id) references paddock_hold on delete cascade,
    foreign key (farm_id, device_id) references device on delete cascade
  )`,
  'create index paddock_hold_unit_device on paddock_hold_unit (farm_id, device_id)',
  'alter table unit_stop drop constraint unit_stop_kind_check',
  `alter table unit_stop add constraint unit_stop_kind_check check (kind in ('inhibit', 'hold'))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
