import type { SqlClient } from '../../db/sql-client.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { endAllCatchUps } from '../programmes/catch-up-writer.ts';
import type { CommandKey } from './answers.ts';
import { lockCommands, writeCommandStates, writeUnits } from './command-writer.ts';

const liveText = `select farm_id as "farmId", command_id as "commandId", device_id as "deviceId" from command_unit
  where ${unitIsLive()}`;

/**
 * The database was put back to an older state: what was under way then was done or forgotten long ago, and newer sends aren't
 * known. Nothing of it goes out, and no schedule goes to a unit by itself. Who must not water still must not.
 */
export async function afterRestore(client: SqlClient, at: Date): Promise<void> {
  await endAllCatchUps(client);
  const { rows } = await client.query<CommandKey & { deviceId: number }>({ text: liveText, values: [] });
  await lockCommands(client, rows);
  const note = 'Ended: it was under way when the backup was made that the database was restored from.';
  await writeUnits(
    client,
    rows.map((unit) => ({ ...unit, at, state: 'expired', note })),
  );
  await writeCommandStates(client, rows, at);
}
