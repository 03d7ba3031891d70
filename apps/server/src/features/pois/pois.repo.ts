import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

export type PoiRow = DeviceRow & { groups: string[] };

export function createPoisRepo(db: Db) {
  const pois = (farmId: number) =>
    db
      .selectFrom('device as d')
      .selectAll('d')
      .select(
        sql<string[]>`array(select g.uid from device_group_member m
          join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
          where m.farm_id = d.farm_id and m.device_id = d.id order by g.name)`.as('groups'),
      )
      .where('d.farm_id', '=', farmId)
      .where('d.kind', '=', 'poi')
      .where('d.deleted_at', 'is', null);

  return {
    list: (farmId: number): Promise<PoiRow[]> => pois(farmId).orderBy('d.name').orderBy('d.id').execute(),
    one: (farmId: number, id: number): Promise<PoiRow | undefined> =>
      pois(farmId).where('d.id', '=', id).executeTakeFirst(),
  };
}
export type PoisRepo = ReturnType<typeof createPoisRepo>;
