import type { Pool } from 'pg';
import { inTransaction } from '../../db/partitions.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import { endCatchUps } from '../programmes/catch-up-writer.ts';
import { takeStopsBack } from '../programmes/stop-writer.ts';
import type { CommandKey } from './answers.ts';
import { lockCommands, writeCommandStates, writeUnits } from './command-writer.ts';
import type { Cancelled } from './commands-options.ts';
import { wantBefore } from './wanted-by-send.ts';

type Unit = CommandKey & { readonly deviceId: number };

const queuedText = `select farm_id as "farmId", command_id as "commandId", device_id as "deviceId" from command_unit
  where farm_id = $1 and command_id = $2 and state = 'queued' and sending = 0 order by position`;

// Those of this send that wait to be heard; and what goes to others by itself with this command, as they were heard.
const waitingText = `select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId", u.is_unheard as "isUnheard"
  from command_unit u join unit_program p on p.farm_id = u.farm_id and p.device_id = u.device_id and p.catch_up_until is not null
  join command c on c.farm_id = u.farm_id and c.id = u.command_id
  where u.farm_id = $1 and u.command_id = $2
    and (p.command_id = u.command_id or c.payload ? 'catchUp' and u.state = 'queued' and u.sending = 0)
  order by u.position`;

const whoText = 'update command set cancelled_by_id = $3 where farm_id = $1 and id = $2';

/**
 * Takes back what waits to be sent, and what was to be sent once its unit is heard; what a gateway was given stays its own.
 * Those that it never went out to are to water by what they were to before. The command says who it was (`accountId`).
 */
export function cancelQueued(pool: Pool, key: CommandKey, accountId: number, at: Date): Promise<Cancelled> {
  return inTransaction(pool, async (client) => {
    await lockCommands(client, [key]);
    const waiting = await read<Unit & { isUnheard: boolean }>(client, waitingText, key);
    const queued = await read<Unit>(client, queuedText, key);
    const unheard = waiting.filter(({ isUnheard }) => isUnheard);
    const takenBack = [...queued, ...unheard];
    await endCatchUps(client, waiting);
    await writeUnits(client, [
      ...queued.map((unit) => cancelled(unit, at, 'Cancelled before it was sent.')),
      ...unheard.map((unit) => cancelled(unit, at, 'Cancelled before it was heard.')),
    ]);
    await takeStopsBack(client, takenBack, at);
    await wantBefore(
      client,
      key,
      takenBack.map(({ deviceId }) => deviceId),
    );
    const units = new Set([...takenBack, ...waiting].map(({ deviceId }) => deviceId));
    if (units.size === 0) return { count: 0, changed: [] };
    await client.query({ text: whoText, values: [key.farmId, key.commandId, accountId] });
    return { count: units.size, changed: await writeCommandStates(client, [key], at) };
  });
}

const cancelled = (unit: Unit, at: Date, note: string) =>
  ({ ...unit, state: 'cancelled', at, note }) as const;

async function read<Row>(client: SqlClient, text: string, { farmId, commandId }: CommandKey): Promise<Row[]> {
  return (await client.query({ text, values: [farmId, commandId] })).rows as Row[];
}
