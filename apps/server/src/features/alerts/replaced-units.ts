import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { Change } from './plan.ts';

/** Of the device `d`: since when it stands in the place of another unit, epoch ms; null: it doesn't. */
export const replacedAt = sql`(select date_part('epoch', max(c.at)) * 1000 from change_log c where c.farm_id = d.farm_id
  and c.uid = d.uid and c.kind = d.kind and c.what <> 'created' and c.fields @> '[{"field": "mac"}]')`;

/**
 * Without what would begin by the words of a unit that another one has replaced: a look may have read them before that was stored. The
 * devices are locked before their episodes, as by who replaces them: that is over by then. Of those that somebody holds, for long while
 * a backup is restored, nothing begins: the rules of the farm wait for nobody, and the next look finds it.
 */
export async function bySameUnits(trx: Db, farmId: number, changes: readonly Change[]): Promise<Change[]> {
  const ids = changes.flatMap(({ before, deviceId }) => (before ? [] : deviceId));
  if (ids.length === 0) return [...changes];
  const units = sql`device d where d.farm_id = ${farmId} and d.id = any(${ids}::int[]) and d.kind in ('sprinkler', 'repeater')`;
  const locked = await sql<{
    id: number;
  }>`select d.id from ${units} order by d.id for share skip locked`.execute(trx);
  const isFree = new Set(locked.rows.map(({ id }) => id));
  // Read once they are locked.
  const { rows } = await sql<{
    id: number;
    at: number | null;
  }>`select d.id, ${replacedAt} as at from ${units}`.execute(trx);
  const replaced = new Map(rows.map(({ id, at }) => [id, at]));
  return changes.filter(({ before, deviceId, life }) => {
    if (before || !replaced.has(deviceId)) return true;
    if (!isFree.has(deviceId)) return false;
    return !life || life.since >= (replaced.get(deviceId) ?? life.since);
  });
}
