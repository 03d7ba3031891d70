import type { Db } from '../../db/client.ts';

/** A device's newest values by metric, of those that it has reported. `at` in epoch ms. */
export type LatestValues = ReadonlyMap<string, LatestValue>;
export interface LatestValue {
  seriesId: number;
  at: number;
  /** null: the sensor said that it had no valid value. */
  value: number | null;
}

/** The newest values of these devices of one farm, by device, in one query; a silent one has an empty map. */
export async function readLatest(
  db: Db,
  farmId: number,
  deviceIds: readonly number[],
): Promise<Map<number, LatestValues>> {
  const found = new Map<number, Map<string, LatestValue>>(deviceIds.map((id) => [id, new Map()]));
  if (deviceIds.length === 0) return found;
  const rows = await db
    .selectFrom('series')
    .innerJoin('latest', (join) =>
      join.onRef('latest.farm_id', '=', 'series.farm_id').onRef('latest.series_id', '=', 'series.id'),
    )
    .where('series.farm_id', '=', farmId)
    .where('series.device_id', 'in', [...deviceIds])
    .where('latest.at', 'is not', null)
    .select(['series.device_id', 'series.id', 'series.metric', 'latest.at', 'latest.value'])
    .$narrowType<{ at: Date }>()
    .execute();
  for (const { device_id, id, metric, at, value } of rows)
    found.get(device_id)?.set(metric, { seriesId: id, at: at.getTime(), value });
  return found;
}
