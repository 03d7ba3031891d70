import { sensorTypes } from '@headrace/contract/sensor-types';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { readLatest } from '../tanks/latest-values.ts';
import { readSpans } from '../tanks/raw-series.ts';
import { emptySeries, type Range, type Span } from '../tanks/rollup-query.ts';
import { limitsOf } from '../tanks/series-limits.ts';
import type { SoilSeries } from './soil-points.ts';
import { type SoilMetric, soilMetrics } from './soil-site.ts';

export function createSoilMoistureRepo(db: Db) {
  return {
    /** The farm's sites, or the one with this public id. */
    sites(farmId: number, uid?: string): Promise<DeviceRow[]> {
      return db
        .selectFrom('device')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('kind', '=', 'sensor')
        .where('type', '=', sensorTypes.SOIL_MOISTURE)
        .where('deleted_at', 'is', null)
        .$if(uid !== undefined, (query) => query.where('uid', '=', uid ?? ''))
        .execute();
    },

    /** The site with this public id, on whichever farm it is. */
    async siteOnAnyFarm(uid: string): Promise<{ farm: FarmRow; device: DeviceRow } | null> {
      const device = await db
        .selectFrom('device')
        .selectAll()
        .where('uid', '=', uid)
        .where('kind', '=', 'sensor')
        .where('type', '=', sensorTypes.SOIL_MOISTURE)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      const farm =
        device &&
        (await db
          .selectFrom('farm')
          .selectAll()
          .where('id', '=', device.farm_id)
          .where('deleted_at', 'is', null)
          .executeTakeFirst());
      return farm ? { farm, device } : null;
    },

    latest: (farmId: number, deviceIds: readonly number[]) => readLatest(db, farmId, deviceIds),

    /** Readings, hours or days that start in [from, to) (epoch ms) of these metrics, as far as the site has them. */
    async series(
      device: DeviceRow,
      span: Span | 'reading',
      range: Range,
      metrics: readonly SoilMetric[] = soilMetrics,
    ): Promise<SoilSeries> {
      const known = await db
        .selectFrom('series')
        .select(['id', 'metric'])
        .where('farm_id', '=', device.farm_id)
        .where('device_id', '=', device.id)
        .where('metric', 'in', [...metrics])
        .execute();
      const wanted = known.map(({ id, metric }) => ({ id, metric, limits: limitsOf(device, metric) }));
      const found = await readSpans(db, span, device, wanted, range);
      const byMetric = new Map(known.map(({ id, metric }) => [metric, found.get(id) ?? emptySeries]));
      return (metric) => byMetric.get(metric) ?? null;
    },
  };
}
export type SoilMoistureRepo = ReturnType<typeof createSoilMoistureRepo>;
