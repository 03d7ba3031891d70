import type { Pool, PoolClient } from 'pg';
import { lanes } from '@headrace/device/lanes';
import { numberArray } from '../../db/sql-arrays.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import { ofUnits, unitKeyArrays } from '../../db/unit-keys.ts';
import { unitIsLive } from '../../db/under-way.ts';
import type { CommandKey, GatewayAnswer } from './answers.ts';
import { type UnitChange, writeUnits } from './command-writer.ts';
import { pollTypes } from './polls.ts';
import { groupBy } from '../../group-by.ts';
import type { AnsweredUnit } from './settle.ts';

/*
 * A poll of many joins those that are under way: a unit that is being polled already isn't asked a second time while that goes on, and
 * what it answers counts for every poll of it that waits. If the older poll is cancelled or gets no answer in time, the unit's turn in
 * the newer one comes as if there had been none: it only ever waited.
 */

const types = pollTypes.join(', ');
/** Its turn has not come: no gateway was given it. */
const isWaiting = (unit: string) => `${unit}.state = 'queued' and ${unit}.cmd_id is null`;

const partColumns =
  'u.command_id, u.device_id, u.gateway_id, u.lane, c.type, c.name, c.first_finish, c.is_poll';

/**
 * The parts of a farm's commands that are under way, as SQL, each with whether it waits for what an older poll of its unit gets. They are
 * read once and polls compared by unit, never each with each: a send has just added thousands, of which statistics know nothing. Nor are the
 * units of all commands that the farm ever had looked through for them, which is what is done where their commands are joined at once.
 */
export const partsUnderWay = `(
  with u as materialized (select farm_id, command_id, device_id, gateway_id, lane, state, cmd_id from command_unit u
      where farm_id = $1 and ${unitIsLive('u')}),
    c as materialized (select id, type, name, first_finish, type in (${types}) as is_poll from command
      where farm_id = $1 and id = any(array(select distinct command_id from u)))
  select ${partColumns}, false as is_joined from u join c on c.id = u.command_id where not c.is_poll
  union all
  select ${partColumns}, u.lane = ${lanes.many} and ${isWaiting('u')} and u.command_id > min(u.command_id) over (partition by u.device_id)
  from u join c on c.id = u.command_id where c.is_poll)`;

/** True whatever becomes of the poll that it names. */
export const JOINED_NOTE = 'Was being polled already: an answer to that counts here too.';
const ANSWERED_NOTE = 'It answered another poll, so it was not asked again.';
const NO_ANSWER_NOTE = 'It was not asked again: the poll that was under way already failed.';

// With `is true` the units are searched as a hash, whatever is expected of how many there are.
const noteText = `update command_unit u set note = '${JOINED_NOTE}' where u.farm_id = $1 and u.command_id = $2
  and (u.device_id in (select device_id from ${partsUnderWay} p where p.command_id = $2 and p.is_joined)) is true`;

/** Says so of the units of a new poll that are being polled already. */
export async function noteJoined(client: SqlClient, { farmId, commandId }: CommandKey): Promise<void> {
  await client.query({ text: noteText, values: [farmId, commandId] });
}

const polledText = `select device_id as "deviceId", max(command_id) as "commandId" from ${partsUnderWay} p
  where is_poll and not is_joined and (device_id in (select unnest($2::int[]))) is true group by device_id`;

/** The units that a poll is under way for, each with the command that asks it. */
export async function readPolled(
  pool: Pool,
  farmId: number,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const values = [farmId, numberArray(deviceIds)];
  const { rows } = await pool.query<{ deviceId: number; commandId: number }>({
    name: 'polled-units',
    text: polledText,
    values,
  });
  return new Map(rows.map(({ deviceId, commandId }) => [deviceId, commandId]));
}

// The ids first, by their index; then what waits for each of their units.
const joinedText = `with k as materialized (
    select distinct * from unnest($1::int[], $2::int[], $3::text[]) as k (farm_id, gateway_id, cmd_id)),
  p as materialized (select u.farm_id, u.command_id, u.device_id from k join command_unit u using (farm_id, gateway_id, cmd_id)
    join command c on c.farm_id = u.farm_id and c.id = u.command_id and c.type in (${types}))
  select distinct x.farm_id as "farmId", x.command_id as "commandId"
  from p cross join lateral (select y.* from command_unit y where y.farm_id = p.farm_id and y.device_id = p.device_id
    and ${isWaiting('y')} and y.command_id <> p.command_id offset 0) x
  join command xc on xc.farm_id = x.farm_id and xc.id = x.command_id and xc.type in (${types})`;

/** Polls that may end for some of their units by these answers to others, to be locked. */
export async function pollsJoined(
  client: PoolClient,
  answers: readonly GatewayAnswer[],
): Promise<CommandKey[]> {
  const ends = answers.filter(({ answer }) => answer === 'done' || answer === 'failed');
  if (ends.length === 0) return [];
  const { rows } = await client.query<CommandKey>({
    name: 'polls-joined',
    text: joinedText,
    values: [
      ends.map(({ farmId }) => farmId),
      ends.map(({ gatewayId }) => gatewayId),
      ends.map(({ cmdId }) => cmdId),
    ],
  });
  return rows;
}

/** What a unit's poll came to. */
export interface PollEnd {
  readonly unit: AnsweredUnit;
  readonly isDone: boolean;
  readonly at: Date;
}

interface WaitingPoll extends CommandKey {
  deviceId: number;
  gatewayId: number;
  lane: number;
  createdAt: Date;
}

const waitingText = `select x.farm_id as "farmId", x.command_id as "commandId", x.device_id as "deviceId",
    x.gateway_id as "gatewayId", x.lane, c.created_at as "createdAt"
  from (select distinct * from ${ofUnits}) k
  join command_unit x on x.farm_id = k.farm_id and x.device_id = k.device_id and ${isWaiting('x')}
  join command c on c.farm_id = x.farm_id and c.id = x.command_id and c.type in (${types})`;

/** Ends what waits for these, of commands that are locked. Returns whose commands stand otherwise now. */
export async function endJoined(
  client: PoolClient,
  ends: readonly PollEnd[],
  isLocked: ReadonlySet<number>,
): Promise<CommandKey[]> {
  // What another unit said that stood there before says nothing of this one.
  const here = ends.filter(({ unit }) => unit.isHere);
  if (here.length === 0) return [];
  const { rows } = await client.query<WaitingPoll>({
    name: 'polls-waiting',
    text: waitingText,
    values: unitKeyArrays(here.map(({ unit }) => unit)),
  });
  // Looked up by unit: an answer may be for thousands, and as many wait.
  const byUnit = groupBy(here, ({ unit }) => unit.deviceId);
  const endsOf = new Map(byUnit.map((ofUnit) => [ofUnit[0]?.unit.deviceId, ofUnit]));
  const changes = rows.flatMap((poll) => {
    const change = isLocked.has(poll.commandId) && changeOf(poll, endsOf.get(poll.deviceId) ?? []);
    return change ? [change] : [];
  });
  await writeUnits(client, changes);
  return changes;
}

function changeOf(poll: WaitingPoll, ends: readonly PollEnd[]): UnitChange | null {
  const { farmId, commandId, deviceId } = poll;
  const counting = ends.filter((end) => counts(end, poll));
  const end = counting.find(({ isDone }) => isDone) ?? counting[0];
  if (!end) return null;
  const { isDone, at } = end;
  const said = isDone
    ? ({ state: 'done', note: ANSWERED_NOTE } as const)
    : ({ state: 'failed', note: NO_ANSWER_NOTE } as const);
  return { farmId, commandId, deviceId, at, ...said };
}

/** An answer from after the tap counts for whatever waits; that none came, only for those that waited for it. */
function counts({ unit, isDone, at }: PollEnd, poll: WaitingPoll): boolean {
  if (at < poll.createdAt) return false;
  return (
    isDone ||
    (poll.lane === lanes.many && poll.commandId > unit.commandId && poll.gatewayId === unit.gatewayId)
  );
}
