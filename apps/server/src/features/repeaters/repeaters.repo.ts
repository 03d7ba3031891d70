import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

/** A repeater with what it last said. Times in epoch ms; null: it has not said. */
export type RepeaterRow = DeviceRow & {
  gateway_uid: string | null;
  status_at: number | null;
  charge: number | null;
  charge_at: number | null;
};

export interface UnitOfGroups {
  uid: string;
  name: string;
  serial_number: string;
  groups: string[];
}

export function createRepeatersRepo(db: Db) {
  async function read(farmId: number, deviceId?: number): Promise<RepeaterRow[]> {
    const { rows } =
      await sql<RepeaterRow>`select d.*, g.uid as gateway_uid, v.status_at, v.charge, v.charge_at
      from device d
      left join device g on g.farm_id = d.farm_id and g.id = d.gateway_id and g.deleted_at is null
      left join lateral (select date_part('epoch', max(l.at)) * 1000 as status_at,
          max(l.value) filter (where s.metric = 'charge') as charge,
          date_part('epoch', max(l.at) filter (where s.metric = 'charge')) * 1000 as charge_at
        from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
        where s.farm_id = d.farm_id and s.device_id = d.id) v on true
      where d.farm_id = ${farmId} and d.kind = 'repeater' and d.deleted_at is null
        and ${deviceId === undefined ? sql`true` : sql`d.id = ${deviceId}`}
      order by d.name, d.id`.execute(db);
    return rows;
  }

  return {
    list: (farmId: number) => read(farmId),
    one: async (farmId: number, deviceId: number) => (await read(farmId, deviceId))[0],

    groups(farmId: number): Promise<{ uid: string; name: string }[]> {
      return db
        .selectFrom('device_group')
        .select(['uid', 'name'])
        .where('farm_id', '=', farmId)
        .orderBy(sql`lower(name)`)
        .execute();
    },

    async sprinklers(farmId: number): Promise<UnitOfGroups[]> {
      const { rows } = await sql<UnitOfGroups>`select d.uid, d.name, d.serial_number,
          coalesce(array_agg(g.uid order by g.name) filter (where g.uid is not null), '{}') as groups
        from device d
        left join device_group_member m on m.farm_id = d.farm_id and m.device_id = d.id
        left join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
        where d.farm_id = ${farmId} and d.kind = 'sprinkler' and d.deleted_at is null
        group by d.farm_id, d.id order by d.name, d.id`.execute(db);
      return rows;
    },
  };
}
export type RepeatersRepo = ReturnType<typeof createRepeatersRepo>;
