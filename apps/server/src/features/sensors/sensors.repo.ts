import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

/** A sensor with when it last said something, epoch ms. */
export type SensorRow = DeviceRow & { gateway_uid: string | null; status_at: number | null };

export interface SensorFilter {
  readonly types?: readonly number[];
  /** Part of the name or of the serial number, in either case. */
  readonly text?: string;
}

export function createSensorsRepo(db: Db) {
  const sensors = (farmId: number) =>
    db
      .selectFrom('device as d')
      .leftJoin('device as g', (join) =>
        join
          .onRef('g.farm_id', '=', 'd.farm_id')
          .onRef('g.id', '=', 'd.gateway_id')
          .on('g.deleted_at', 'is', null),
      )
      .selectAll('d')
      .select([
        'g.uid as gateway_uid',
        sql<number | null>`(select date_part('epoch', max(l.at)) * 1000 from series s
          join latest l on l.farm_id = s.farm_id and l.series_id = s.id
          where s.farm_id = d.farm_id and s.device_id = d.id)`.as('status_at'),
      ])
      .where('d.farm_id', '=', farmId)
      .where('d.kind', '=', 'sensor')
      .where('d.deleted_at', 'is', null);

  return {
    list: (farmId: number): Promise<SensorRow[]> =>
      sensors(farmId).orderBy('d.name').orderBy('d.id').execute(),

    one: (farmId: number, id: number): Promise<SensorRow | undefined> =>
      sensors(farmId).where('d.id', '=', id).executeTakeFirst(),

    find(
      farmId: number,
      { types, text }: SensorFilter,
    ): Promise<Pick<DeviceRow, 'uid' | 'name' | 'serial_number' | 'type'>[]> {
      return db
        .selectFrom('device')
        .select(['uid', 'name', 'serial_number', 'type'])
        .where('farm_id', '=', farmId)
        .where('kind', '=', 'sensor')
        .where('deleted_at', 'is', null)
        .$if(types !== undefined, (query) => query.where(sql<boolean>`type = any(${types})`))
        .$if(text !== undefined, (query) =>
          query.where(
            sql<boolean>`(position(lower(${text}) in lower(name)) > 0 or position(lower(${text}) in lower(serial_number)) > 0)`,
          ),
        )
        .orderBy('name')
        .orderBy('id')
        .execute();
    },
  };
}
export type SensorsRepo = ReturnType<typeof createSensorsRepo>;
