import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { Change } from './plan.ts';

/** Of the device `d`: since when it stands in the place of another unit, epoch ms; null: it doesn't. */
export const replacedAt = sql`(select date_part('epoch', max(c.at)) * 1000 from change_log c where c.farm_id = d.farm_id
  and c.uid = d.uid and c.kind = d.kind and c.what <> 'created' and c.fields @> '[{"field": "mac"}]')`;

/**
 * Without what would begin by the words of a unit that another one has replaced: a look may have read them before that was stored. The
 * devices are locked before their episodes, as by who replaces them: that is over by then, or waits and ends what begins here.
 */
export async function bySameUnits(trx: Db, farmId: number, changes: readonly Change[]): Promise<Change[]> {
  const ids = changes.flatMap(({ before, deviceId }) => (before ? [] : deviceId));
  if (ids.length === 0) return [...changes];
  await sql`select id from device where farm_id = ${farmId} and id = any(${ids}::int[]) and kind in ('sprinkler', 'repeater')
    order by id for share`.execute(trx);
  const { rows } = await sql<{
    id: number;
    at: number;
  }>`select r.id, r.at from (select d.id, ${replacedAt} as at from device d
    where d.farm_id = ${farmId} and d.id = any(${ids}::int[]) and d.kind in ('sprinkler', 'repeater')) r
    where r.at is not null`.execute(trx);
  const replaced = new Map(rows.map(({ id, at }) => [id, at]));
  return changes.filter(
    ({ before, deviceId, life }) => before || !life || life.since >= (replaced.get(deviceId) ?? life.since),
  );
}
