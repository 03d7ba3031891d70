import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { unitIsLive } from '../../db/under-way.ts';

const NONE: ReadonlySet<number> = new Set();

const isLive = sql<boolean>`entries is not null and ${sql.raw(unitIsLive())}`;

interface Known {
  readonly ids: string;
  readonly devices: ReadonlySet<number>;
}

/**
 * The sprinklers of a farm that a schedule is being sent to; the same set as before as long as it is the same ones. It comes as one text:
 * during a send of thousands it is compared with the one before and seldom read.
 */
export function createSchedulesSent(db: Db) {
  const kept = new Map<number, Known>();

  return async (farmId: number): Promise<ReadonlySet<number>> => {
    const { rows } = await sql<{ ids: string | null }>`
      select string_agg(device_id::text, ',' order by device_id) as ids from command_unit
      where farm_id = ${farmId} and ${isLive}`.execute(db);
    const ids = rows[0]?.ids ?? null;
    if (ids === null) {
      kept.delete(farmId);
      return NONE;
    }
    const before = kept.get(farmId);
    if (before?.ids === ids) return before.devices;
    const devices = new Set(ids.split(',').map(Number));
    kept.set(farmId, { ids, devices });
    return devices;
  };
}

/** Their uids. As one text, too: thousands of rows take longer to hand over. */
export async function readSentTo(db: Db, farmId: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ uids: string | null }>`
    select string_agg(d.uid, ',') as uids from device d
    where d.farm_id = ${farmId} and d.id in (select device_id from command_unit where farm_id = ${farmId} and ${isLive})`.execute(
    db,
  );
  return new Set(rows[0]?.uids?.split(','));
}

/** The same of one sprinkler. */
export async function isSendingTo(db: Db, farmId: number, deviceId: number): Promise<boolean> {
  const { rows } = await sql`select from command_unit
    where farm_id = ${farmId} and device_id = ${deviceId} and ${isLive} limit 1`.execute(db);
  return rows.length > 0;
}
