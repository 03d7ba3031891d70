import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { type LatestValues, readLatest } from '../tanks/latest-values.ts';
import { readSpans } from '../tanks/raw-series.ts';
import type { Range, RollupSeries, Span } from '../tanks/rollup-query.ts';
import { pickSeries, wantedSeries } from '../tanks/series-limits.ts';

export function createSensorMonitorRepo(db: Db) {
  return {
    latest: async ({ farm_id: farmId, id }: DeviceRow): Promise<LatestValues> =>
      (await readLatest(db, farmId, [id])).get(id) ?? new Map(),

    /** Readings, hours or days that start in [from, to) (epoch ms), of what the device has reported. */
    async series(
      device: DeviceRow,
      latest: LatestValues,
      metrics: readonly string[],
      span: Span | 'reading',
      range: Range,
    ): Promise<(metric: string) => RollupSeries> {
      const wanted = wantedSeries(device, latest, metrics);
      return pickSeries(await readSpans(db, span, device, wanted, range), latest);
    },

    /**
     * Since when a state has been `value`, epoch ms: its first reading after the newest other one. The day of that one is found
     * by the days, so that a switch that nobody touches costs no more than one that is used; where its readings are no longer
     * kept, the state is as old as what is. Null: it never was.
     */
    async stateSince(farmId: number, seriesId: number, value: number): Promise<number | null> {
      const { rows } = await sql<{ at: Date | null }>`
        with other as (
          select d.first_at, d.last_at from reading_day d
          where d.farm_id = ${farmId} and d.series_id = ${seriesId} and (d.min <> ${value} or d.max <> ${value})
          order by d.at desc limit 1
        ), last_other as (
          select r.at from reading r, other
          where r.farm_id = ${farmId} and r.series_id = ${seriesId} and r.value <> ${value}
            and r.at between other.first_at and other.last_at
          order by r.at desc limit 1
        )
        select coalesce(
          (select r.at from reading r, last_other
            where r.farm_id = ${farmId} and r.series_id = ${seriesId} and r.value = ${value} and r.at > last_other.at
            order by r.at limit 1),
          (select min(d.first_at) from reading_day d
            where d.farm_id = ${farmId} and d.series_id = ${seriesId}
              and d.at > coalesce((select first_at from other), '-infinity'))
        ) as at`.execute(db);
      return rows[0]?.at?.getTime() ?? null;
    },
  };
}
export type SensorMonitorRepo = ReturnType<typeof createSensorMonitorRepo>;
