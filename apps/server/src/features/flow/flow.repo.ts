import { sql } from 'kysely';
import { meterTypes, sensorConfigTypes } from '@headrace/contract/sensor-types';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { readDevice } from '../series/device-series.ts';
import { type LatestValues, readLatest } from '../series/latest-values.ts';
import { readSpans } from '../series/raw-series.ts';
import { readRollups } from '../series/read-rollups.ts';
import type { Range, RollupQuery, Span } from '../series/rollup-query.ts';
import { pickSeries, wantedSeries } from '../series/series-limits.ts';
import { type EarlierReading, meterMetrics, type MeterSeries } from './meter.ts';

export function createFlowRepo(db: Db) {
  return {
    meters(farmId: number): Promise<DeviceRow[]> {
      return db
        .selectFrom('device')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('kind', '=', 'sensor')
        .where('type', 'in', [...meterTypes])
        .where('deleted_at', 'is', null)
        .execute();
    },

    latest: (farmId: number, deviceIds: readonly number[]) => readLatest(db, farmId, deviceIds),

    /** By series, the valid reading before the one at the given time (epoch ms), from the week before it. */
    async earlier(
      farmId: number,
      series: readonly { seriesId: number; at: number }[],
    ): Promise<Map<number, EarlierReading>> {
      if (series.length === 0) return new Map();
      const { rows } = await sql<{ series_id: number; at: Date; value: number }>`
        select wanted.id as series_id, earlier.at, earlier.value
        from unnest(${series.map(({ seriesId }) => seriesId)}::int[],
                    ${series.map(({ at }) => new Date(at))}::timestamptz[]) as wanted(id, at)
        cross join lateral (
          select at, value from reading
          where farm_id = ${farmId} and series_id = wanted.id and value is not null
            and at < wanted.at and at >= wanted.at - interval '7 days'
          order by at desc limit 1
        ) as earlier`.execute(db);
      return new Map(rows.map((row) => [row.series_id, { at: row.at.getTime(), value: row.value }]));
    },

    /** Hours or days of several meters' series, in one query. */
    rollups: (query: RollupQuery, meters: readonly DeviceRow[], latest: ReadonlyMap<number, LatestValues>) =>
      readRollups(
        db,
        query,
        meters.flatMap((meter) => wantedSeries(meter, latest.get(meter.id), meterMetrics)),
      ),

    /** The same of one meter, with nothing read before. */
    device: async (device: DeviceRow, span: Span, range: Range): Promise<MeterSeries> =>
      (await readDevice(db, device, meterMetrics, span, range)).series,

    /** Readings, hours or days of what a meter reports, that start in [from, to) (epoch ms). */
    async series(
      device: DeviceRow,
      latest: LatestValues,
      span: Span | 'reading',
      range: Range,
    ): Promise<MeterSeries> {
      const wanted = wantedSeries(device, latest, meterMetrics);
      return pickSeries(await readSpans(db, span, device, wanted, range), latest);
    },

    /** When the device last confirmed that it has zeroed its accumulated flow, epoch ms. */
    async lastReset(device: DeviceRow): Promise<number | null> {
      const row = await db
        .selectFrom('config_update')
        .select((eb) => eb.fn.max('processed_at').as('at'))
        .where('farm_id', '=', device.farm_id)
        .where('device_id', '=', device.id)
        .where('type', '=', sensorConfigTypes.D100_FlowReset)
        .executeTakeFirst();
      return row?.at?.getTime() ?? null;
    },
  };
}
export type FlowRepo = ReturnType<typeof createFlowRepo>;
