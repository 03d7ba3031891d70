import type { Timezone } from '@headrace/contract/farms';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { lanes } from '@headrace/device/lanes';
import type { SqlClient } from '../../db/sql-client.ts';
import { reportedStoppedSince, stoppedSince } from '../programmes/must-not-water.ts';
import type { CommandKey } from './answers.ts';
import { type CommandProgress, writeCommandStates, writeUnits } from './command-writer.ts';
import type { LiveUnit } from './waiting-units.ts';

/**
 * Since when unit `u` of command `c` must not get it, as it would let it water: a person stopped it. A schedule is also kept
 * from who says itself that it was stopped: it would start it again. Not where the person chose inhibited units too, unless
 * they were stopped after that.
 */
export const heldBackSince = `(case
  when u.lane <> ${lanes.start} and coalesce(jsonb_array_length(u.entries), 0) = 0 then null
  when coalesce((c.payload->>'alsoInhibited')::boolean, false) then
    (select since from (select ${stoppedSince} as since) s where since > c.created_at)
  when u.lane = ${lanes.start} then ${stoppedSince}
  else coalesce(${stoppedSince}, ${reportedStoppedSince}) end)`;

/** Unit `u` of command `c` was to get by it what a send had not brought it, and is not to get that any more. */
export const isUnwanted = `(c.payload ? 'catchUp' and not exists (select from unit_program p
  where p.farm_id = u.farm_id and p.device_id = u.device_id and p.crc = u.crc
    and p.cycle_days = (c.payload->>'cycleLen')::int and p.catch_up_until is not null))`;

const isShelved = `(coalesce((g.settings->>'outOfService')::boolean, false) or coalesce((g.settings->>'isSpareUnit')::boolean, false))`;
/**
 * Unit `u` left the farm while its part of a command waited, or was made a spare or put out of service since: it would water, or
 * hold a schedule, where nobody looks for that. Who was one when it was sent is meant.
 */
export const isGone = `((u.lane = ${lanes.start} or coalesce(jsonb_array_length(u.entries), 0) > 0) and exists (select from device g
  where g.farm_id = u.farm_id and g.id = u.device_id and (g.deleted_at is not null or ${isShelved} and not u.was_shelved)))`;

export const letsWater = ({ lane, entries }: Pick<LiveUnit, 'lane' | 'entries'>) =>
  lane === lanes.start || (entries?.length ?? 0) > 0;

const heldBackText = `select * from (select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId",
    ${heldBackSince} as since
  from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
  where u.farm_id = $1 and u.command_id = $2 and u.device_id = any($3) and u.state = 'queued' and u.cmd_id is null) k
  where since is not null`;
const markText = `update command_unit set held_back = true
  where farm_id = $1 and command_id = $2 and device_id = any($3)`;

/** Ends units of one command that must not get it, in the transaction of the claim that left them out. */
export async function skipHeldBack(
  client: SqlClient,
  units: readonly (CommandKey & { readonly deviceId: number })[],
  { zone, now }: { zone: Timezone; now: Date },
): Promise<{ count: number; changed: CommandProgress[] }> {
  const [first] = units;
  if (!first) return { count: 0, changed: [] };
  const key = [first.farmId, first.commandId];
  const { rows } = await client.query<CommandKey & { deviceId: number; since: Date }>({
    text: heldBackText,
    values: [...key, units.map(({ deviceId }) => deviceId)],
  });
  if (rows.length === 0) return { count: 0, changed: [] };
  await client.query({ text: markText, values: [...key, rows.map(({ deviceId }) => deviceId)] });
  await writeUnits(
    client,
    rows.map(({ since, ...unit }) => ({
      ...unit,
      state: 'skipped',
      at: now,
      note: heldBackNote(since, zone),
    })),
  );
  return { count: rows.length, changed: await writeCommandStates(client, rows, now) };
}

/** Of a part that ended so. */
export const GONE_NOTE = 'Not sent: it left the farm meanwhile, or is spare or out of service by now.';

const unwantedText = `select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId", ${isGone} as "isGone"
  from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
  where u.farm_id = $1 and u.command_id = $2 and u.device_id = any($3) and u.state = 'queued' and u.cmd_id is null and (${isUnwanted} or ${isGone})`;

/** Ends units of one command that are to hold something else by now, or have left the farm, in the transaction of the claim that left them out. */
export async function dropUnwanted(
  client: SqlClient,
  units: readonly (CommandKey & { readonly deviceId: number })[],
  now: Date,
): Promise<{ count: number; changed: CommandProgress[] }> {
  const [first] = units;
  if (!first) return { count: 0, changed: [] };
  const { rows } = await client.query<CommandKey & { deviceId: number; isGone: boolean }>({
    text: unwantedText,
    values: [first.farmId, first.commandId, units.map(({ deviceId }) => deviceId)],
  });
  await writeUnits(
    client,
    rows.map(({ isGone: hasLeft, ...unit }) => ({
      ...unit,
      state: 'cancelled',
      at: now,
      note: hasLeft
        ? GONE_NOTE
        : 'Not sent: another schedule was sent to it meanwhile, or this one was taken back.',
    })),
  );
  return { count: rows.length, changed: await writeCommandStates(client, rows, now) };
}

/** By the farm's clock. */
export const heldBackNote = (since: Date, zone: Timezone) =>
  `Skipped: inhibited since ${momentOf(since, zone)}.`;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** "10:00 on 21 Nov" */
export function momentOf(at: Date, zone: Timezone): string {
  const local = new Date(at.getTime() + farmOffsetSeconds(zone, at.getTime()) * 1000);
  return `${local.toISOString().slice(11, 16)} on ${local.getUTCDate()} ${months[local.getUTCMonth()]}`;
}
