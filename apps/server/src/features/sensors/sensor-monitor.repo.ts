import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type { LatestValues } from '../series/latest-values.ts';
import { type LevelUse, type LevelUseQuery, levelUses } from '../tanks/level-use.ts';
import type { RollupSeries } from '../series/rollup-query.ts';
import { createSeriesRepo } from '../series/series.repo.ts';
import { wantedSeries } from '../series/series-limits.ts';

export function createSensorMonitorRepo(db: Db) {
  return {
    ...createSeriesRepo(db),

    /** What left a tank by its level, in the same readings, hours or days. */
    async levelUses(
      device: DeviceRow,
      latest: LatestValues,
      level: RollupSeries,
      query: Omit<LevelUseQuery, 'farmId'>,
    ): Promise<LevelUse[]> {
      const wanted = wantedSeries(device, latest, ['levelMm']);
      const rollups = new Map(wanted.map(({ id }) => [id, level]));
      const uses = await levelUses(db, { ...query, farmId: device.farm_id }, wanted, rollups);
      return uses.get(wanted[0]?.id ?? 0) ?? [];
    },

    /**
     * Since when a state has been `value`, epoch ms: its first reading after the newest different one. Daily rollups find the day of
     * that one, so that a switch that nobody touches costs no more than a busy one. If the readings of that day are no longer kept,
     * the oldest kept reading counts. Null: it has never been `value`.
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
