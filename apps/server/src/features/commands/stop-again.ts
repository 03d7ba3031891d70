import type { Pool } from 'pg';
import { lanes } from '@headrace/device/lanes';
import { inTransaction } from '../../db/partitions.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import type { CommandKey, GatewayKey } from './answers.ts';
import { type CommandProgress, lockCommands, writeCommandStates, writeUnits } from './command-writer.ts';

/**
 * A gateway that doesn't number what it is sent may carry out a start after the stop that should have ended it. The stop goes
 * to it once more, when the start has been answered or its last moment is over, and isn't done before.
 */
export const AGAIN_NOTE = 'It goes once more: its gateway may have carried out an earlier start after it.';

type Unit = CommandKey & { readonly deviceId: number };

const dueText = `select farm_id as "farmId", command_id as "commandId", device_id as "deviceId" from command_unit
  where again_at <= $1 and ${unitIsLive()} order by farm_id, command_id, position limit 500`;
const takeText = `update command_unit u set again_at = null, cmd_id = null, seq = null
  from unnest($1::int[], $2::int[], $3::int[]) as k (farm_id, command_id, device_id)
  where u.farm_id = k.farm_id and u.command_id = k.command_id and u.device_id = k.device_id and u.again_at <= $4
    and ${unitIsLive('u')}
  returning u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId"`;

/** Queues the stops whose time has come. */
export function queueStopsAgain(pool: Pool, now: Date): Promise<CommandProgress[]> {
  return inTransaction(pool, async (client) => {
    const { rows: due } = await client.query<Unit>(dueText, [now]);
    if (due.length === 0) return [];
    await lockCommands(client, due);
    const { rows } = await client.query<Unit>(takeText, [
      due.map(({ farmId }) => farmId),
      due.map(({ commandId }) => commandId),
      due.map(({ deviceId }) => deviceId),
      now,
    ]);
    await writeUnits(
      client,
      rows.map((row) => ({ ...row, state: 'queued', at: now, note: AGAIN_NOTE })),
    );
    return writeCommandStates(client, rows, now);
  });
}

const answeredText = `update command_unit s set again_at = $4 from (
    select distinct k.farm_id, k.device_id from unnest($1::int[], $2::int[], $3::int[]) as k (farm_id, command_id, device_id)
      join command_unit u using (farm_id, command_id, device_id)
      where u.lane = ${lanes.start} or u.entries is not null) a
  where s.farm_id = a.farm_id and s.device_id = a.device_id and s.lane = ${lanes.stop} and s.again_at > $4
    and ${unitIsLive('s')}`;

/** Starts have had their answer: the stops after them need not wait any longer. */
export async function noteStartsAnswered(
  client: SqlClient,
  answered: readonly (Unit & GatewayKey)[],
  now: Date,
): Promise<void> {
  if (answered.length === 0) return;
  await client.query({
    name: 'starts-answered',
    text: answeredText,
    values: [
      answered.map(({ farmId }) => farmId),
      answered.map(({ commandId }) => commandId),
      answered.map(({ deviceId }) => deviceId),
      now,
    ],
  });
}
