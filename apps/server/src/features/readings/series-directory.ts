import type { Pool, PoolClient } from 'pg';
import { wrapOf } from '@headrace/device/field-mapping';
import { inTransaction } from '../../db/partitions.ts';
import type { KnownDevice } from './device-directory.ts';
import { kindOf, type SeriesReading } from './fold-rollups.ts';
import type { HeldPart } from './uplink.ts';
import { countNewSeries } from './usage-writer.ts';

/** A value of a device before its series is known; `at` in epoch ms. */
export interface DeviceReading {
  readonly device: KnownDevice;
  readonly metric: string;
  readonly at: number;
  readonly value: number | null;
  /** When it was received, epoch ms; absent: not before it was taken. */
  readonly receivedAt?: number;
  /** What said it. */
  readonly held?: HeldPart;
}

export interface SeriesDirectory {
  /**
   * Finds, or makes, the series of these readings and the row of `latest` that each one has, in their order. Readings of series
   * that would be their farm's too many are left out, and handed to `onTooMany`.
   */
  assign(
    readings: readonly DeviceReading[],
    onTooMany?: (reading: DeviceReading) => void,
  ): Promise<SeriesReading[]>;
  /** Some of what is known has been deleted. */
  forgetAll(): void;
}

/** Series of one farm at most, and the clock by whose days new ones are counted. */
export interface SeriesBounds {
  readonly most: number;
  readonly now: () => Date;
}

/** Ids of series never change, so they are remembered as long as the device is there. */
export function createSeriesDirectory(pool: Pool, bounds?: SeriesBounds): SeriesDirectory {
  const ids = new Map<number, Map<string, number>>();

  return {
    async assign(readings, onTooMany) {
      const unknown = readings.filter(isUnknown);
      if (unknown.length > 0) await find(unknown);
      const missing = unknown.filter(isUnknown);
      if (missing.length > 0) await make(missing);
      if (onTooMany) for (const reading of missing) if (isUnknown(reading)) onTooMany(reading);
      const fitting = missing.length > 0 ? readings.filter((one) => !isUnknown(one)) : readings;
      return fitting.map(({ device, metric, at, value, receivedAt }) => ({
        series: {
          farmId: device.farmId,
          id: idOf(device, metric),
          ...kindOf(metric),
          wrapAt: wrapOf(device.mapping, metric),
          zone: device.zone,
        },
        at,
        value,
        ...(receivedAt !== undefined && { receivedAt }),
      }));
    },
    forgetAll: () => ids.clear(),
  };

  function isUnknown({ device, metric }: DeviceReading): boolean {
    return ids.get(device.id)?.get(metric) === undefined;
  }

  function idOf(device: KnownDevice, metric: string): number {
    const id = ids.get(device.id)?.get(metric);
    if (id === undefined) throw new Error(`no series for ${metric}`);
    return id;
  }

  async function find(unknown: readonly DeviceReading[]): Promise<void> {
    const { rows } = await pool.query<FoundSeries>(findSeriesText, valuesOf(distinct(unknown)));
    rows.forEach(remember);
  }

  /** Committed before the batch, so that what is remembered is there even if the batch fails. */
  async function make(missing: readonly DeviceReading[]): Promise<void> {
    const found = await inTransaction(pool, async (client) => {
      const fitting = await withinBounds(client, distinct(missing), bounds);
      const values = valuesOf(fitting);
      await client.query(makeSeriesText, values);
      await client.query(makeLatestText, values);
      if (bounds) await countNewSeries(client, bounds.now(), countByFarm(fitting));
      return client.query<FoundSeries>(findSeriesText, values);
    });
    found.rows.forEach(remember);
  }

  function remember({ id, device_id: deviceId, metric }: FoundSeries): void {
    let ofDevice = ids.get(deviceId);
    if (!ofDevice) ids.set(deviceId, (ofDevice = new Map()));
    ofDevice.set(metric, id);
  }
}

interface FoundSeries {
  id: number;
  device_id: number;
  metric: string;
}

const distinct = (readings: readonly DeviceReading[]): DeviceReading[] => [
  ...new Map(readings.map((one) => [`${one.device.id} ${one.metric}`, one])).values(),
];

const valuesOf = (keys: readonly DeviceReading[]) => [
  keys.map(({ device }) => device.farmId),
  keys.map(({ device }) => device.id),
  keys.map(({ metric }) => metric),
];

function countByFarm(readings: readonly DeviceReading[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { device } of readings) counts.set(device.farmId, (counts.get(device.farmId) ?? 0) + 1);
  return counts;
}

const seriesText = `select farm_id as "farmId", count(*)::int as series from series where farm_id = any($1::int[]) group by 1`;

/** Those that their farms still have room for. */
async function withinBounds(
  client: PoolClient,
  missing: DeviceReading[],
  bounds: SeriesBounds | undefined,
): Promise<DeviceReading[]> {
  if (!bounds) return missing;
  const wanted = countByFarm(missing);
  const { rows } = await client.query<{ farmId: number; series: number }>(seriesText, [[...wanted.keys()]]);
  const room = new Map([...wanted.keys()].map((farmId) => [farmId, bounds.most]));
  for (const { farmId, series } of rows) room.set(farmId, bounds.most - series);
  return missing.filter(({ device }) => {
    const left = room.get(device.farmId) ?? 0;
    room.set(device.farmId, left - 1);
    return left > 0;
  });
}

const wanted = 'unnest($1::int[], $2::int[], $3::text[]) as k (farm_id, device_id, metric)';
const found = `series s join ${wanted} using (farm_id, device_id, metric)`;

const makeSeriesText = `insert into series (farm_id, device_id, metric)
  select farm_id, device_id, metric from ${wanted} order by 1, 2, 3 on conflict do nothing`;
const makeLatestText = `insert into latest (farm_id, series_id)
  select s.farm_id, s.id from ${found} order by 1, 2 on conflict do nothing`;
const findSeriesText = `select s.id, s.device_id, s.metric from ${found}`;
