import { sensorTypes } from '@headrace/contract/sensor-types';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { readDevice } from '../series/device-series.ts';
import { readLatest } from '../series/latest-values.ts';
import type { Range, Span } from '../series/rollup-query.ts';
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
      const { series, has } = await readDevice(db, device, metrics, span, range);
      return (metric) => (has(metric) ? series(metric) : null);
    },
  };
}
export type SoilMoistureRepo = ReturnType<typeof createSoilMoistureRepo>;
