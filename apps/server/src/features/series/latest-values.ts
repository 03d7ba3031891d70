import { sql } from 'kysely';
import { possibleValue } from '@headrace/contract/rules/metric-limits';
import { soilProbes } from '@headrace/contract/rules/soil-moisture';
import type { Db } from '../../db/client.ts';
import { prepared } from '../../db/prepared.ts';

/** A device's newest values by metric, of those that it has reported. `at` in epoch ms. */
export type LatestValues = ReadonlyMap<string, LatestValue>;
export interface LatestValue {
  seriesId: number;
  at: number;
  /** null: the sensor said that it had no valid value, or it can't be one. */
  value: number | null;
}

/** Who asks for these judges them, and tells what was sent beside it. */
const judgedByReaders: ReadonlySet<string> = new Set([
  'flowLpm',
  ...soilProbes.map((probe) => `${probe}Kpa`),
]);

interface LatestRow {
  device_id: number;
  id: number;
  metric: string;
  at: Date;
  value: number | null;
}

const latestOfDevices = prepared<{ farmId: number; deviceIds: readonly number[] }, LatestRow>(
  'latest-of-devices',
  (db, given) =>
    db
      .selectFrom('series')
      .innerJoin('latest', (join) =>
        join.onRef('latest.farm_id', '=', 'series.farm_id').onRef('latest.series_id', '=', 'series.id'),
      )
      .where('series.farm_id', '=', given('farmId'))
      .where('series.device_id', '=', sql<number>`any(${given('deviceIds')}::int[])`)
      .where('latest.at', 'is not', null)
      .select(['series.device_id', 'series.id', 'series.metric', 'latest.at', 'latest.value'])
      .$narrowType<{ at: Date }>(),
);

/** The newest values of these devices of one farm, by device, in one query; a silent one has an empty map. */
export async function readLatest(
  db: Db,
  farmId: number,
  deviceIds: readonly number[],
): Promise<Map<number, LatestValues>> {
  const found = new Map<number, Map<string, LatestValue>>(deviceIds.map((id) => [id, new Map()]));
  if (deviceIds.length === 0) return found;
  const rows = await latestOfDevices(db, { farmId, deviceIds });
  for (const row of rows) found.get(row.device_id)?.set(row.metric, toLatest(row));
  return found;
}

export const toLatest = ({ id, metric, at, value }: Omit<LatestRow, 'device_id'>): LatestValue => ({
  seriesId: id,
  at: at.getTime(),
  value: judgedByReaders.has(metric) ? value : possibleValue(metric, value),
});

/** When the device was last heard, epoch ms; null = never. */
export function statusTimeOf(latest: LatestValues): number | null {
  const times = [...latest.values()].map(({ at }) => at);
  return times.length === 0 ? null : Math.max(...times);
}
