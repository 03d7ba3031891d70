import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

/** A sprinkler or repeater with its battery. Times in epoch ms. */
export interface BatteryRow
  extends Pick<DeviceRow, 'uid' | 'name' | 'serial_number' | 'lat' | 'lng' | 'settings' | 'gateway_id'> {
  readonly kind: 'sprinkler' | 'repeater';
  readonly charge: number | null;
  readonly charge_at: number | null;
  /** When its battery last became another, as far as is known of these days; null: it didn't. */
  readonly changed_at: number | null;
  /** Start and lowest charge of each day in the range. */
  readonly days: [at: number, lowest: number][];
}

export function createWalkListRepo(db: Db) {
  return {
    /** Of all of a farm's units, with the days that begin in the range, in one query. */
    async batteries(farmId: number, range: { from: number; to: number }): Promise<BatteryRow[]> {
      const [from, to] = [new Date(range.from), new Date(range.to)];
      const { rows } = await sql<BatteryRow>`
        with changed as (
          select uid, kind, max(at) as at from change_log
          where farm_id = ${farmId} and at >= ${from} and what <> 'created' and kind in ('sprinkler', 'repeater')
            and (what = 'replaced battery' or fields @> '[{"field": "mac"}]')
          group by uid, kind
        ), days as (
          select s.device_id,
            json_agg(json_build_array(floor(extract(epoch from r.at) * 1000), r.min) order by r.at) as days
          from series s join reading_day r on r.farm_id = s.farm_id and r.series_id = s.id
          where s.farm_id = ${farmId} and s.metric = 'charge' and r.at >= ${from} and r.at < ${to}
          group by s.device_id
        )
        select d.uid, d.kind, d.name, d.serial_number, d.lat, d.lng, d.settings, d.gateway_id,
          l.valid_value as charge, (extract(epoch from l.valid_at) * 1000)::float8 as charge_at,
          (extract(epoch from c.at) * 1000)::float8 as changed_at, coalesce(days.days, '[]') as days
        from device d
        left join series s on s.farm_id = d.farm_id and s.device_id = d.id and s.metric = 'charge'
        left join latest l on l.farm_id = s.farm_id and l.series_id = s.id
        left join changed c on c.uid = d.uid and c.kind = d.kind
        left join days on days.device_id = d.id
        where d.farm_id = ${farmId} and d.kind in ('sprinkler', 'repeater') and d.deleted_at is null
        order by d.id`.execute(db);
      return rows;
    },
  };
}
export type WalkListRepo = ReturnType<typeof createWalkListRepo>;
