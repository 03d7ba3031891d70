import { commandName, commandTitles, commandTypes } from '@headrace/contract/command-types';
import type { Db } from '../../db/client.ts';

/** What gateways were given for units of a farm and have not done, by the units' ids: the newest of each, as people call it. */
export async function commandsOnTheWay(db: Db, farmId: number): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('command_unit as u')
    .innerJoin('command as c', (join) =>
      join.onRef('c.farm_id', '=', 'u.farm_id').onRef('c.id', '=', 'u.command_id'),
    )
    .select(['u.device_id as deviceId', 'c.type'])
    .where('u.farm_id', '=', farmId)
    .where('u.state', 'in', ['sent', 'accepted'])
    .where('c.type', '<>', commandTypes.Ping)
    .orderBy('u.command_id')
    .execute();
  return new Map(rows.map(({ deviceId, type }) => [deviceId, titleOf(type)]));
}

function titleOf(type: number): string {
  const name = commandName(type);
  return name ? commandTitles[name] : 'A command';
}
