import { numberArray } from '../../db/sql-arrays.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import { catchUpAtOnce } from '../programmes/catch-up-writer.ts';
import type { UnitKey } from '../programmes/save-held.ts';
import type { CommandKey } from './answers.ts';
import { lockCommands, writeCommandStates, writeUnits } from './command-writer.ts';

type Clear = CommandKey & { readonly deviceId: number; readonly isOut: boolean };

// What the server sent of its own accord, since they were to hold nothing any more.
const clearsText = `select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId",
    not (u.state = 'queued' and u.cmd_id is null) as "isOut"
  from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
  join unnest($1::int[], $2::int[]) as k (farm_id, device_id) on k.farm_id = u.farm_id and k.device_id = u.device_id
  where c.account_id is null and u.entries = '[]' and c.created_at >= $3
    and not (u.state = 'cancelled' and u.cmd_id is null)
  order by u.farm_id, u.device_id`;

/**
 * Sprinklers whose being spare, out of service or deleted since then was undone: what was to clear them and waits is taken back, and
 * who was cleared, or may have been, is sent what it is to water by, without having been heard first.
 */
export async function giveBackSchedules(
  client: SqlClient,
  units: readonly UnitKey[],
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  if (units.length === 0) return;
  const read = () =>
    client.query<Clear>({
      text: clearsText,
      values: [
        numberArray(units.map(({ farmId }) => farmId)),
        numberArray(units.map(({ deviceId }) => deviceId)),
        since,
      ],
    });
  await lockCommands(client, (await read()).rows);
  const { rows: clears } = await read();
  const waiting = clears.filter(({ isOut }) => !isOut);
  await writeUnits(
    client,
    waiting.map(({ isOut: _none, ...unit }) => ({
      ...unit,
      at: now,
      state: 'cancelled',
      note: 'Not sent: it is in service again.',
    })),
  );
  await writeCommandStates(client, waiting, now);
  const cleared = new Map(clears.filter(({ isOut }) => isOut).map((unit) => [unit.deviceId, unit]));
  for (const { farmId, deviceId } of cleared.values()) await catchUpAtOnce(client, { farmId, deviceId }, now);
}
