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
      and u.state = 'cancelled' and u.sending = 0))`;
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
const lockStandingText = `select s.device_id as "deviceId" from unit_stop s
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

// A person's Inhibit, or a hold that goes on, came before a hold's end could let these water.
const stoppedOtherwiseText = `select k.device_id as "deviceId" from unnest($2::int[]) as k (device_id)
  where exists (select from unit_stop s where s.farm_id = $1 and s.device_id = k.device_id and s.lifted_by is null and s.kind <> 'hold')
    or exists (select from paddock_hold_unit m join paddock_hold h on h.farm_id = m.farm_id and h.id = m.hold_id
      where m.farm_id = $1 and m.device_id = k.device_id and h.ended_at is null)`;

/** Those that the end of a hold must not let water; wants `lockStops`. */
export async function stoppedOtherwise(
  client: SqlClient,
  farmId: number,
  deviceIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const values = [farmId, numberArray(deviceIds)];
  const { rows } = await client.query<{ deviceId: number }>({ text: stoppedOtherwiseText, values });
  return new Set(rows.map(({ deviceId }) => deviceId));
}

const ofCommands = `from unnest($1::int[], $2::int[], $3::int[]) as k (farm_id, command_id, device_id)`;
const lockTouchedText = `select ${ofCommands} join unit_stop s using (farm_id, device_id)
  where k.command_id in (s.command_id, s.lifted_by) ${inOrder}`;
const standAgainText = `update unit_stop s set lifted_by = null ${ofCommands}
  where s.farm_id = k.farm_id and s.device_id = k.device_id and s.lifted_by = k.command_id returning s.device_id`;
const takeBackText = `delete from unit_stop s using (select k.* ${ofCommands}) k
  where s.farm_id = k.farm_id and s.device_id = k.device_id and s.command_id = k.command_id and s.lifted_by is null`;

// What it stopped in place of a hold's own Inhibit, which never went out: the hold keeps it.
const keepForHoldText = `update unit_stop s set kind = 'hold', command_id = h.command_id, account_id = h.account_id
  from (select k.* ${ofCommands}) k
  join paddock_hold_unit m on m.farm_id = k.farm_id and m.device_id = k.device_id
  join paddock_hold h on h.farm_id = m.farm_id and h.id = m.hold_id and h.ended_at is null and h.command_id <> k.command_id
  where s.farm_id = k.farm_id and s.device_id = k.device_id and s.command_id = k.command_id and s.lifted_by is null`;

// A hold none of whose Inhibit went out is over with it.
const endHoldText = `update paddock_hold h set ended_at = $4
  from (select distinct k.farm_id, k.command_id ${ofCommands}) k
  where h.farm_id = k.farm_id and h.command_id = k.command_id and h.ended_at is null
    and not exists (select from command_unit u where u.farm_id = h.farm_id and u.command_id = h.command_id
      and not (u.state = 'cancelled' and u.sending = 0))`;

const inhibiting = `(${typesThat('inhibits').join(', ')})`;
const isPersonsInhibit = `xc.type in ${inhibiting} and xc.account_id is not null and xc.undone_at is null and not (x.state = 'cancelled' and x.sending = 0)
  and not exists (select from paddock_hold o where o.farm_id = xc.farm_id and o.command_id = xc.id)`;

// A person inhibited it too while this stop stood, which did not touch the row: the stop is the next one's.
const handOnText = `update unit_stop s set command_id = n.id, account_id = n.account_id
  from (select k.* ${ofCommands}) k cross join lateral (select xc.id, xc.account_id
    from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
    where x.farm_id = k.farm_id and x.device_id = k.device_id and x.command_id > k.command_id and ${isPersonsInhibit}
    order by xc.id limit 1) n
  where s.farm_id = k.farm_id and s.device_id = k.device_id and s.command_id = k.command_id
    and s.kind = 'inhibit' and s.lifted_by is null`;

// It stands over a hold that has ended since, and no other of a person does: the stop is its own.
const takeFromHoldText = `update unit_stop s set command_id = k.command_id ${ofCommands}
  where s.farm_id = k.farm_id and s.device_id = k.device_id and s.kind = 'inhibit' and s.lifted_by is null and s.command_id < k.command_id
    and exists (select from paddock_hold h where h.farm_id = s.farm_id and h.command_id = s.command_id and h.ended_at is not null)
    and not exists (select from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
      where x.farm_id = s.farm_id and x.device_id = s.device_id and x.command_id > s.command_id and x.command_id <> k.command_id
        and ${isPersonsInhibit})`;

// A person's Inhibit over a hold: the hold stays, unless another Inhibit of a person went out since.
const holdAgainText = `update unit_stop s set kind = 'hold' ${ofCommands}
  join command c on c.farm_id = k.farm_id and c.id = k.command_id and c.type in ${inhibiting}
  where s.farm_id = k.farm_id and s.device_id = k.device_id and s.kind = 'inhibit' and s.lifted_by is null
    and exists (select from paddock_hold h where h.farm_id = s.farm_id and h.command_id = s.command_id and h.ended_at is null)
    and not exists (select from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
      where x.farm_id = s.farm_id and x.device_id = s.device_id and x.command_id > s.command_id and x.command_id <> k.command_id
        and ${isPersonsInhibit})`;

type OneOfCommand = { readonly farmId: number; readonly commandId: number; readonly deviceId: number };

const valuesOf = (units: readonly OneOfCommand[]) => [
  numberArray(units.map(({ farmId }) => farmId)),
  numberArray(units.map(({ commandId }) => commandId)),
  numberArray(units.map(({ deviceId }) => deviceId)),
];

/** What was to let these units water never went out: they must not, as before it. Resolves to whether that is true of any. */
export async function stopAsBefore(client: SqlClient, units: readonly OneOfCommand[]): Promise<boolean> {
  if (units.length === 0) return false;
  const rowsOf = async (text: string) => (await client.query({ text, values: valuesOf(units) })).rows;
  if ((await rowsOf(lockTouchedText)).length === 0) return false;
  return (await rowsOf(standAgainText)).length > 0;
}

/**
 * A send that let these units water is gone back on: whoever a person had stopped is stopped as before it, the others by this
 * command; in the transaction of the tap.
 */
export async function stopAgain(
  client: SqlClient,
  units: UnitsOfCommand,
  sendId: number,
  by: { at: Date; accountId: number | null; isHold: boolean },
): Promise<void> {
  const { farmId, deviceIds } = units;
  await stopAsBefore(
    client,
    deviceIds.map((deviceId) => ({ farmId, commandId: sendId, deviceId })),
  );
  const values = [farmId, numberArray(deviceIds)];
  const { rows } = await client.query<{ deviceId: number }>({ text: lockStandingText, values });
  const standing = new Set(rows.map(({ deviceId }) => deviceId));
  await stopUnits(client, { ...units, deviceIds: deviceIds.filter((id) => !standing.has(id)) }, by);
}

/** A person took these units of a command back before it went out: what it stopped, and what it let water, is as before it. */
export async function takeStopsBack(
  client: SqlClient,
  units: readonly OneOfCommand[],
  at: Date,
): Promise<void> {
  if (units.length === 0) return;
  for (const text of [lockTouchedText, keepForHoldText, takeBackText, holdAgainText, standAgainText])
    await client.query({ text, values: valuesOf(units) });
  await client.query({ text: endHoldText, values: [...valuesOf(units), at] });
}

// They said so themselves before anybody stopped them: taken back, it leaves them as inhibited as they were.
const reportedBeforeText = `select k.device_id as "deviceId" ${ofCommands}
  join unit_stop s on s.farm_id = k.farm_id and s.device_id = k.device_id and s.command_id = k.command_id and s.lifted_by is null
  join unit_held h on h.farm_id = k.farm_id and h.device_id = k.device_id and h.until is null and h.stopped_at < s.since
  where not exists (select from command_unit x join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id
    where x.farm_id = k.farm_id and x.device_id = k.device_id and x.at between h.stopped_at and s.since and x.state = 'done'
      and xc.type in (${typesThat('uninhibits').join(', ')}))`;
const stoppedByText = `select s.device_id as "deviceId" ${ofCommands}
  join unit_stop s on s.farm_id = k.farm_id and s.device_id = k.device_id and s.command_id = k.command_id
  where s.lifted_by is null and s.kind = 'inhibit' order by s.device_id`;

/**
 * A person undoes an Inhibit that went out to these units, and is marked as undone. Resolves to those that it alone keeps from watering: they are to be
 * uninhibited. Whom a person inhibited after it stays so by that, until that is undone too; a hold has its stop back; who said before anybody
 * stopped it that it was inhibited is no longer stopped by anybody, and stays so.
 */
export async function undoStops(
  client: SqlClient,
  farmId: number,
  units: readonly OneOfCommand[],
): Promise<number[]> {
  if (units.length === 0) return [];
  await lockStops(client, farmId);
  const read = async (text: string) =>
    (await client.query<{ deviceId: number }>({ text, values: valuesOf(units) })).rows;
  await client.query({
    text: lockStandingText,
    values: [farmId, numberArray(units.map(({ deviceId }) => deviceId))],
  });
  for (const text of [handOnText, takeFromHoldText, keepForHoldText, holdAgainText]) await read(text);
  const reported = new Set((await read(reportedBeforeText)).map(({ deviceId }) => deviceId));
  const reportedUnits = units.filter(({ deviceId }) => reported.has(deviceId));
  await client.query({ text: takeBackText, values: valuesOf(reportedUnits) });
  return (await read(stoppedByText)).map(({ deviceId }) => deviceId);
}
