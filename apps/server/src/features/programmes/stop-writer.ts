import { typesThat } from '@headrace/device/commands';
import { numberArray } from '../../db/sql-arrays.ts';
import type { SqlClient } from '../../db/sql-client.ts';

/** Units of a command. */
export interface UnitsOfCommand {
  readonly farmId: number;
  readonly commandId: number;
  readonly deviceIds: readonly number[];
}

// A stop that comes while a start is claimed either waits for it and takes it back, or is seen by it.
const lockName = "hashtext('headrace stops'), $1";
export const lockStops = (client: SqlClient, farmId: number) =>
  client.query({ text: `select pg_advisory_xact_lock(${lockName})`, values: [farmId] });
export const lockStarts = (client: SqlClient, farmId: number) =>
  client.query({ text: `select pg_advisory_xact_lock_shared(${lockName})`, values: [farmId] });

// One that stands keeps its time; it is the newer Inhibit's where its own never went out, so that it can be taken back with that.
const isNew = `(s.lifted_by is not null or exists (select from command_unit u
    where u.farm_id = s.farm_id and u.command_id = s.command_id and u.device_id = s.device_id
      and u.state = 'cancelled' and u.cmd_id is null))`;
// A person's Inhibit makes a hold's stop his, so that the hold's end doesn't lift it.
const stopText = `insert into unit_stop as s (farm_id, device_id, kind, since, command_id, account_id)
  select $1, k.device_id, $6, $4, $2, $5 from unnest($3::int[]) as k (device_id) order by k.device_id
  on conflict (farm_id, device_id) do update set kind = excluded.kind,
    since = case when s.lifted_by is null then s.since else excluded.since end,
    command_id = case when ${isNew} then excluded.command_id else s.command_id end,
    account_id = case when ${isNew} then excluded.account_id else s.account_id end, lifted_by = null
  where ${isNew} or s.kind = 'hold' and excluded.kind = 'inhibit'`;

/** From now on these units must not water; in the transaction of the tap. */
export async function stopUnits(
  client: SqlClient,
  { farmId, commandId, deviceIds }: UnitsOfCommand,
  { at, accountId, isHold }: { at: Date; accountId: number | null; isHold: boolean },
): Promise<void> {
  if (deviceIds.length === 0) return;
  await client.query({
    text: stopText,
    values: [farmId, commandId, numberArray(deviceIds), at, accountId, isHold ? 'hold' : 'inhibit'],
  });
}

const inOrder = 'order by s.device_id for update';
const lockStandingText = `select from unit_stop s
  where s.farm_id = $1 and s.device_id = any($2::int[]) and s.lifted_by is null ${inOrder}`;
const liftText = `update unit_stop set lifted_by = $3
  where farm_id = $1 and device_id = any($2::int[]) and lifted_by is null`;

/** This command lets its units water again; in the transaction of the tap. */
export async function liftStops(
  client: SqlClient,
  { farmId, commandId, deviceIds }: UnitsOfCommand,
): Promise<void> {
  if (deviceIds.length === 0) return;
  const units = [farmId, numberArray(deviceIds)];
  await client.query({ text: lockStandingText, values: units });
  await client.query({ text: liftText, values: [...units, commandId] });
}

const ofCommands = `from unnest($1::int[], $2::int[], $3::int[]) as k (farm_id, command_id, device_id)`;
const lockTouchedText = `select ${ofCommands} join unit_stop s using (farm_id, device_id)
  where k.command_id in (s.command_id, s.lifted_by) ${inOrder}`;
const standAgainText = `update unit_stop s set lifted_by = null ${ofCommands}
  where s.farm_id = k.farm_id and s.device_id = k.device_id and s.lifted_by = k.command_id`;
const takeBackText = `delete from unit_stop s using (select k.* ${ofCommands}) k
  where s.farm_id = k.farm_id and s.device_id = k.device_id and s.command_id = k.command_id and s.lifted_by is null`;

// A person's Inhibit over a hold: the hold stays.
const holdAgainText = `update unit_stop s set kind = 'hold' ${ofCommands}
  join command c on c.farm_id = k.farm_id and c.id = k.command_id and c.type in (${typesThat('inhibits').join(', ')})
  where s.farm_id = k.farm_id and s.device_id = k.device_id and s.kind = 'inhibit' and s.lifted_by is null
    and exists (select from paddock_hold h where h.farm_id = s.farm_id and h.command_id = s.command_id and h.ended_at is null)`;

type OneOfCommand = { readonly farmId: number; readonly commandId: number; readonly deviceId: number };

const valuesOf = (units: readonly OneOfCommand[]) => [
  numberArray(units.map(({ farmId }) => farmId)),
  numberArray(units.map(({ commandId }) => commandId)),
  numberArray(units.map(({ deviceId }) => deviceId)),
];

/** What was to let these units water never went out: they must not, as before it. */
export async function stopAsBefore(client: SqlClient, units: readonly OneOfCommand[]): Promise<void> {
  if (units.length === 0) return;
  for (const text of [lockTouchedText, standAgainText]) await client.query({ text, values: valuesOf(units) });
}

/** A person took these units of a command back before it went out: what it stopped, and what it let water, is as before it. */
export async function takeStopsBack(client: SqlClient, units: readonly OneOfCommand[]): Promise<void> {
  if (units.length === 0) return;
  for (const text of [lockTouchedText, takeBackText, holdAgainText, standAgainText])
    await client.query({ text, values: valuesOf(units) });
}
