import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { readDevice } from './device-series.ts';
import { type LatestValues, readLatest } from './latest-values.ts';
import type { Pieces } from '../../http/raw-reply.ts';
import { type ReadingsFile, readingsFile } from './readings-file.ts';
import { readSpans } from './raw-series.ts';
import type { Range, RollupSeries, Span } from './rollup-query.ts';
import { pickSeries, wantedSeries } from './series-limits.ts';

export function createSeriesRepo(db: Db) {
  return {
    /** What sensors of the farm have ever reported, with their names and mappings. */
    reported: (farmId: number) =>
      db
        .selectFrom('series')
        .innerJoin('latest', (join) =>
          join.onRef('latest.farm_id', '=', 'series.farm_id').onRef('latest.series_id', '=', 'series.id'),
        )
        .innerJoin('device', (join) =>
          join.onRef('device.farm_id', '=', 'series.farm_id').onRef('device.id', '=', 'series.device_id'),
        )
        .where('series.farm_id', '=', farmId)
        .where('latest.at', 'is not', null)
        .where('device.kind', '=', 'sensor')
        .where('device.deleted_at', 'is', null)
        .select(['device.uid', 'device.name', 'device.mapping', 'series.metric'])
        .execute(),

    latest: async ({ farm_id: farmId, id }: DeviceRow): Promise<LatestValues> =>
      (await readLatest(db, farmId, [id])).get(id) ?? new Map(),

    device: (device: DeviceRow, metrics: readonly string[], span: Span | 'reading', range: Range) =>
      readDevice(db, device, metrics, span, range),

    file: (of: ReadingsFile): Pieces => readingsFile(db, of),

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
  };
}
export type SeriesRepo = ReturnType<typeof createSeriesRepo>;
