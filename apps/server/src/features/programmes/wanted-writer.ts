import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import { distinct } from '../../db/distinct.ts';
import { jsonText } from '../../db/shared-json.ts';
import { numberArray } from '../../db/sql-arrays.ts';
import type { SqlClient } from '../../db/sql-client.ts';

/** A send of schedules, as far as what its units are to water by goes. */
export interface WantedBy {
  readonly farmId: number;
  /** Null: it was not sent by a command. */
  readonly commandId: number | null;
  /** Null: of several sets, or of none. */
  readonly setId: number | null;
  readonly cycleDays: number;
  readonly at: Date;
}

/** What a sprinkler is to hold, as a unit keeps it. */
export interface WantedUnit {
  readonly deviceId: number;
  readonly entries: readonly ScheduleEntry[];
  readonly crc: string;
  readonly scheduleGroup: string;
}

// The row before is kept without the one before that. What an earlier send wanted and never handed out was never anything: its own
// row before stands. Which those are is found for all units at once: each by itself takes as long as all the rest.
const wantText = `with never as materialized (select u.device_id, u.command_id from command_unit u
    where u.farm_id = $1 and u.state = 'cancelled' and u.sending = 0 and u.command_id = any(array(
      select distinct o.command_id from unit_program o where o.farm_id = $1 and o.device_id = any($6::int[]) and o.command_id is not null))),
  s as materialized (select schedule_group, crc, entries::jsonb, n
    from unnest($8::text[], $9::text[], $10::text[]) with ordinality as s (schedule_group, crc, entries, n))
  insert into unit_program as p
    (farm_id, device_id, set_id, schedule_group, crc, entries, cycle_days, wanted_at, command_id, lat, lng)
  select $1, k.device_id, $2, s.schedule_group, s.crc, s.entries, $3, $4, $5, d.lat, d.lng
  from unnest($6::int[], $7::int[]) as k (device_id, schedule)
  join s on s.n = k.schedule
  join device d on d.farm_id = $1 and d.id = k.device_id
  order by k.device_id
  on conflict (farm_id, device_id) do update set set_id = excluded.set_id, schedule_group = excluded.schedule_group,
    crc = excluded.crc, entries = excluded.entries, cycle_days = excluded.cycle_days, wanted_at = excluded.wanted_at,
    command_id = excluded.command_id, lat = excluded.lat, lng = excluded.lng, catch_up_until = null, is_new_unit = false,
    before = case when (p.device_id, p.command_id) in (select n.device_id, n.command_id from never n)
      then p.before else to_jsonb(p) - 'before' end`;

/** Keeps what these units are to water by from now on, with what it was before; in the transaction of the send. */
export async function wantProgrammes(
  client: SqlClient,
  { farmId, commandId, setId, cycleDays, at }: WantedBy,
  units: readonly WantedUnit[],
): Promise<void> {
  if (units.length === 0) return;
  const [places, schedules] = distinct(
    units,
    ({ scheduleGroup, entries, crc }) => `${crc}/${jsonText(entries)}/${scheduleGroup}`,
  );
  await client.query({
    text: wantText,
    values: [
      farmId,
      setId,
      cycleDays,
      at,
      commandId,
      numberArray(units.map(({ deviceId }) => deviceId)),
      numberArray(places),
      schedules.map(({ scheduleGroup }) => scheduleGroup),
      schedules.map(({ crc }) => crc),
      schedules.map(({ entries }) => jsonText(entries)),
    ],
  });
}

const ofCommand = 'p.farm_id = $1 and p.command_id = $2 and p.device_id = any($3::int[])';
const lockText = `select p.device_id from unit_program p where ${ofCommand} order by p.device_id for update`;
const forgetText = `delete from unit_program p where ${ofCommand} and p.before is null`;
const restoreText = `update unit_program p set set_id = b.set_id, schedule_group = b.schedule_group, crc = b.crc,
    entries = b.entries, cycle_days = b.cycle_days, wanted_at = b.wanted_at, command_id = b.command_id, before = null,
    lat = b.lat, lng = b.lng, catch_up_until = b.catch_up_until, catch_up_from = b.catch_up_from,
    catch_up_tries = coalesce(b.catch_up_tries, 0), is_new_unit = coalesce(b.is_new_unit, false)
  from unit_program o cross join lateral jsonb_populate_record(null::unit_program, o.before) b
  where ${ofCommand} and o.farm_id = p.farm_id and o.device_id = p.device_id`;

/** Of units that a send was taken back for: they are to water by what they were to before, unless something newer was sent. */
export async function wantAsBefore(
  client: SqlClient,
  { farmId, commandId }: Pick<WantedBy, 'farmId' | 'commandId'>,
  deviceIds: readonly number[],
): Promise<void> {
  if (deviceIds.length === 0) return;
  const values = [farmId, commandId, numberArray(deviceIds)];
  for (const text of [lockText, forgetText, restoreText]) await client.query({ text, values });
}
