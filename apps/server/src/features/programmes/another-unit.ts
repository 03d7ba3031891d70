import type { SqlClient } from '../../db/sql-client.ts';
import { numberArray } from '../../db/sql-arrays.ts';
import { endCatchUps } from './catch-up-writer.ts';
import { endHeld } from './save-held.ts';

interface Records {
  readonly farmId: number;
  readonly deviceIds: readonly number[];
}

/**
 * Other units stand at these places, or none yet: nobody has heard how they are, what they hold, or that they are to get what
 * waited for the ones before. What waits for a unit that was never heard goes on waiting: only its MAC was corrected.
 */
export async function standForOthers(client: SqlClient, records: Records, at: Date): Promise<void> {
  if (records.deviceIds.length === 0) return;
  const heard = await forgetUnits(client, records, at);
  await endCatchUps(
    client,
    heard.map((deviceId) => ({ farmId: records.farmId, deviceId })),
  );
}

const factsText = `delete from device_fact where farm_id = $1 and device_id = any($2::int[])
  and name in ('ipcCrc', 'mode', 'openSince', 'valveOff') returning device_id as id`;

const readingsText = `update latest l set value = null, valid_at = null, valid_value = null from series s
  where s.farm_id = $1 and s.device_id = any($2::int[]) and l.farm_id = s.farm_id and l.series_id = s.id
  returning s.device_id as id`;

/** What alerts told of the ones before is over; they look at it with their next turn. Locked by id, as by all. */
const alertsText = `with told as materialized (select id from alert_episode
    where farm_id = $1 and device_id = any($2::int[]) and state <> 'ended' order by id for no key update)
  update alert_episode e set other_unit_at = $3 from told where e.farm_id = $1 and e.id = told.id`;

/**
 * What the units said of themselves went with them: nobody has heard yet how the one at each place is now. The times of the
 * last readings stay, since what is stored goes on from there. Whose words there were.
 */
export async function forgetUnits(
  client: SqlClient,
  { farmId, deviceIds }: Records,
  at: Date,
): Promise<number[]> {
  const heard = new Set<number>();
  for (const text of [factsText, readingsText]) {
    const { rows } = await client.query<{ id: number }>({ text, values: [farmId, numberArray(deviceIds)] });
    for (const { id } of rows) heard.add(id);
  }
  await client.query({ text: alertsText, values: [farmId, numberArray(deviceIds), at] });
  await endHeld(
    client,
    deviceIds.map((deviceId) => ({ farmId, deviceId, at: at.getTime() })),
  );
  return [...heard].toSorted((one, other) => one - other);
}
