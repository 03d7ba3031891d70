import { lanes } from '@headrace/device/lanes';
import type { SqlClient } from '../../db/sql-client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { stopAsBefore } from '../programmes/stop-writer.ts';
import type { CommandKey } from './answers.ts';
import { lockCommands, writeCommandStates, writeUnits } from './command-writer.ts';

interface WaitingUnit extends CommandKey {
  deviceId: number;
  isGivenOut: boolean;
}

const waitingText = `select farm_id as "farmId", command_id as "commandId", device_id as "deviceId",
    sending > 0 as "isGivenOut"
  from command_unit where farm_id = $1 and lane > ${lanes.stop} and ${unitIsLive()}`;

/**
 * Ends what waits on a farm that comes back after it was deleted: nobody expects a start or a schedule of days ago to go
 * out. Stops keep the time that they have.
 */
export async function endWaiting(client: SqlClient, farmId: number, at: Date): Promise<void> {
  const { rows } = await client.query<WaitingUnit>({ text: waitingText, values: [farmId] });
  if (rows.length === 0) return;
  await lockCommands(client, rows);
  await writeUnits(
    client,
    rows.map(({ isGivenOut, ...unit }) => ({
      ...unit,
      at,
      state: isGivenOut ? 'expired' : 'cancelled',
      note: isGivenOut
        ? 'The farm was deleted meanwhile: it is not known whether it was carried out.'
        : 'Not sent: the farm was deleted meanwhile.',
    })),
  );
  await stopAsBefore(
    client,
    rows.filter(({ isGivenOut }) => !isGivenOut),
  );
  await writeCommandStates(client, rows, at);
}
