import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { UnitRecord } from './farm-units.ts';

/**
 * Ids of those of the farm's spares whose serial number another unit in use has, here or elsewhere. One out of service, such as a
 * placeholder or another spare, isn't: its number doesn't count as in use.
 */
export async function twinsOf(
  db: Db,
  farmId: number,
  spares: readonly UnitRecord[],
): Promise<ReadonlySet<number>> {
  if (spares.length === 0) return new Set();
  const ids = spares.map(({ id }) => id);
  const serials = spares.map(({ serial_number }) => serial_number);
  const { rows } = await sql<{
    id: number;
  }>`select s.id from unnest(${ids}::int[], ${serials}::text[]) s (id, serial)
    where exists (select from device o where lower(o.serial_number) = lower(s.serial) and o.deleted_at is null
      and o.kind in ('sprinkler', 'repeater') and not (o.settings @> '{"isSpareUnit": true}' or o.settings @> '{"outOfService": true}')
      and (o.farm_id, o.id) <> (${farmId}::int, s.id))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
