import { type Kysely, sql } from 'kysely';

/** Which sprinklers must not water, and by whose command; from when a person taps until it is lifted, whatever the unit says. */
const statements = [
  `create table unit_stop (
    farm_id int not null,
    device_id int not null,
    kind text not null check (kind in ('inhibit')),
    since timestamptz not null,
    -- The command that asked for it, which may be forgotten after a year, and whose it was.
    command_id int not null,
    account_id int references account on delete set null,
    -- The command that lets it water again; null: it must not water.
    lifted_by int,
    primary key (farm_id, device_id),
    foreign key (farm_id, device_id) references device on delete cascade
  ) with (fillfactor = 70)`,
  // Of a skipped unit: it must not water.
  'alter table command_unit add column held_back boolean not null default false',
  // Units whose newest word on it is an Inhibit that is under way, or was done and that they still say.
  `insert into unit_stop (farm_id, device_id, kind, since, command_id, account_id)
    select n.farm_id, n.device_id, 'inhibit', n.created_at, n.command_id, n.account_id
    from (select distinct on (u.farm_id, u.device_id) u.farm_id, u.device_id, u.command_id, u.state, c.created_at, c.type,
        c.account_id
      from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
      where c.type in (4, 5, 8, 9) and u.state in ('queued', 'sent', 'accepted', 'done')
        or u.state = 'done' and u.entries <> '[]'
      order by u.farm_id, u.device_id, u.command_id desc) n
    left join device_fact f on f.farm_id = n.farm_id and f.device_id = n.device_id and f.name = 'ipcCrc'
    where n.type in (4, 8) and (n.state <> 'done' or f.value = 'D6:DA')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
