import { type Kysely, sql } from 'kysely';

/** Whether a unit was spare or out of service when a command was sent to it: who became one since isn't meant any more. */
const statements = [
  'alter table command_unit add column was_shelved boolean not null default false',
  `update command_unit u set was_shelved = true from device d
    where d.farm_id = u.farm_id and d.id = u.device_id and u.state in ('queued', 'sent', 'accepted')
      and (coalesce((d.settings->>'outOfService')::boolean, false) or coalesce((d.settings->>'isSpareUnit')::boolean, false))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
