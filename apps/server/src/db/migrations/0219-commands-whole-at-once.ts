import { type Kysely, sql } from 'kysely';

/**
 * The parts and the log of a command go with it, and a device's parts with the device, as before: once for all that is deleted by a
 * statement. Keys did that, which are also checked for each row that is added: of a send to 5,000 that was a quarter of its time. What is
 * added needs no check: parts come in the transaction that adds their command, lines of the log while it is locked.
 */
const statements = [
  `alter table command_unit drop constraint command_unit_farm_id_command_id_fkey,
    drop constraint command_unit_farm_id_device_id_fkey`,
  'alter table command_step drop constraint command_step_farm_id_command_id_fkey',
  `create or replace function forget_commands() returns trigger language plpgsql as $$
    begin
      delete from command_step s using gone where s.farm_id = gone.farm_id and s.command_id = gone.id;
      delete from command_unit u using gone where u.farm_id = gone.farm_id and u.command_id = gone.id;
      return null;
    end $$`,
  `create trigger forget_commands after delete on command referencing old table as gone for each statement
    execute function forget_commands()`,
  `create or replace function forget_device_commands() returns trigger language plpgsql as $$
    begin
      delete from command_unit u using gone where u.farm_id = gone.farm_id and u.device_id = gone.id;
      return null;
    end $$`,
  `create trigger forget_device_commands after delete on device referencing old table as gone for each statement
    execute function forget_device_commands()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
