import { meterTypes, sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { readLatest } from '../series/latest-values.ts';
import { readRollups } from '../series/read-rollups.ts';
import { type LevelUseQuery, levelUses } from '../tanks/level-use.ts';
import type { RollupQuery, RollupSeries } from '../series/rollup-query.ts';
import type { WantedSeries } from '../series/series-limits.ts';

export function createInsightsRepo(db: Db) {
  return {
    /** What readings are looked back on: the farm's tanks, meters and soil sites, and the gateways with their relays. */
    devices(farmId: number): Promise<DeviceRow[]> {
      const types = [...tankTypes, ...meterTypes, sensorTypes.SOIL_MOISTURE];
      return db
        .selectFrom('device')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('deleted_at', 'is', null)
        .where((eb) =>
          eb.or([eb('kind', '=', 'gateway'), eb.and([eb('kind', '=', 'sensor'), eb('type', 'in', types)])]),
        )
        .execute();
    },

    latest: (farmId: number, deviceIds: readonly number[]) => readLatest(db, farmId, deviceIds),

    rollups: (query: RollupQuery, series: readonly WantedSeries[]) => readRollups(db, query, series),

    levelUses: (
      query: LevelUseQuery,
      series: readonly WantedSeries[],
      rollups: ReadonlyMap<number, RollupSeries>,
    ) =>
      levelUses(
        db,
        query,
        series.filter(({ metric }) => metric === 'levelMm'),
        rollups,
      ),
  };
}
export type InsightsRepo = ReturnType<typeof createInsightsRepo>;
