import { type Kysely, sql } from 'kysely';

/** Who has seen how a command ended. What ended badly is found without a look at all that went well. */
const statements = [
  `create table command_seen (
    farm_id int not null,
    account_id int not null references account on delete cascade,
    command_id int not null,
    at timestamptz not null,
    primary key (farm_id, account_id, command_id),
    foreign key (farm_id, command_id) references command on delete cascade
  )`,
  'create index command_seen_command on command_seen (farm_id, command_id)',
  'create index command_seen_account on command_seen (account_id)',
  `create index command_failed on command (farm_id, state_at) where state in ('failed', 'expired')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
