import { type Kysely, sql } from 'kysely';

/**
 * Lanes of commands: what stops water is served before what starts it, and sends to many units go out in windows. `lane` as in
 * the device package; `open_by` is the last moment, by this database's clock, at which what lets water run may be sent; `seq`
 * numbers what a gateway is sent, so that it knows a start that is older than a stop.
 */
const statements = [
  'alter table command add column open_by timestamptz, add column request_id text',
  // When it will be done, by gateway: as reckoned last, and as first said.
  `alter table command add column finish jsonb not null default '{}', add column first_finish jsonb`,
  'create unique index command_request on command (farm_id, account_id, request_id) where request_id is not null',
  `alter table command_unit add column lane smallint, add column seq bigint,
    -- Null: when the command does.
    add column expires_at timestamptz,
    -- Of a stop to a gateway that doesn't number what it is sent: when it goes once more.
    add column again_at timestamptz,
    -- Which of its command's messages to the gateway it went out with, from 1; 0: none yet.
    add column sending int not null default 0`,
  'update command_unit set sending = 1 where cmd_id is not null',
  `update command_unit u set lane = case
      when c.type in (3, 4, 8, 31) or c.type = 24 and c.payload->>'set' is distinct from 'true' then 0
      when c.type in (2, 5, 9, 24, 30) then 1
      when c.type in (6, 10, 17, 20, 22, 28, 29) then 3
      else 2 end
    from command c where c.farm_id = u.farm_id and c.id = u.command_id`,
  'alter table command_unit alter column lane set not null',
  'drop index command_unit_live',
  `create index command_unit_live on command_unit (farm_id, gateway_id, lane, command_id, position)
    where state in ('queued', 'sent', 'accepted')`,
  `create index command_unit_device_live on command_unit (farm_id, device_id, lane)
    where state in ('queued', 'sent', 'accepted')`,
  'create index command_unit_again on command_unit (again_at) where again_at is not null',
  `create index command_unit_expires on command_unit (expires_at)
    where state in ('queued', 'sent', 'accepted') and expires_at is not null`,
  `alter table gateway_state add column down_seq bigint not null default 0,
    -- What it said in its hello that it keeps: "seq", "within", "priority", "cycleLen".
    add column supports jsonb not null default '[]',
    -- A stop took back schedules that it holds already: an empty set tells it so.
    add column withdraws_sets boolean not null default false`,
  `create table gateway_pace (
    farm_id int not null,
    gateway_id int not null,
    -- [epoch ms, units that it still had then], the newest hundred, oldest first.
    answers jsonb not null default '[]',
    primary key (farm_id, gateway_id),
    foreign key (farm_id, gateway_id) references device on delete cascade
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
