import type { Pool } from 'pg';
import { wrapOf } from '@headrace/device/field-mapping';
import { metricInfo } from '@headrace/device/metrics';
import { inTransaction } from '../../db/partitions.ts';
import type { KnownDevice } from './device-directory.ts';
import type { SeriesReading } from './fold-rollups.ts';

/** A value of a device before its series is known; `at` in epoch ms. */
export interface DeviceReading {
  readonly device: KnownDevice;
  readonly metric: string;
  readonly at: number;
  readonly value: number | null;
}

export interface SeriesDirectory {
  /** Finds, or makes, the series of these readings and the row of `latest` that each one has. */
  assign(readings: readonly DeviceReading[]): Promise<SeriesReading[]>;
  /** Some of what is known has been deleted. */
  forgetAll(): void;
}

/** Ids of series never change, so they are remembered as long as the device is there. */
export function createSeriesDirectory(pool: Pool): SeriesDirectory {
  const ids = new Map<number, Map<string, number>>();

  return {
    async assign(readings) {
      const missing = readings.filter(({ device, metric }) => ids.get(device.id)?.get(metric) === undefined);
      if (missing.length > 0) await findOrMake(missing);
      return readings.map(({ device, metric, at, value }) => ({
        series: {
          farmId: device.farmId,
          id: idOf(device, metric),
          isCounter: metricInfo(metric)?.kind === 'counter',
          wrapAt: wrapOf(device.mapping, metric),
          zone: device.zone,
        },
        at,
        value,
      }));
    },
    forgetAll: () => ids.clear(),
  };

  function idOf(device: KnownDevice, metric: string): number {
    const id = ids.get(device.id)?.get(metric);
    if (id === undefined) throw new Error(`no series for ${metric}`);
    return id;
  }

  /** Committed before the batch, so that what is remembered is there even if the batch fails. */
  async function findOrMake(missing: readonly DeviceReading[]): Promise<void> {
    const wanted = new Map(missing.map((one) => [`${one.device.id} ${one.metric}`, one]));
    const keys = [...wanted.values()];
    const values = [
      keys.map(({ device }) => device.farmId),
      keys.map(({ device }) => device.id),
      keys.map(({ metric }) => metric),
    ];
    const found = await inTransaction(pool, async (client) => {
      await client.query(makeSeriesText, values);
      await client.query(makeLatestText, values);
      return client.query<{ id: number; device_id: number; metric: string }>(findSeriesText, values);
    });
    for (const { id, device_id: deviceId, metric } of found.rows) {
      let ofDevice = ids.get(deviceId);
      if (!ofDevice) ids.set(deviceId, (ofDevice = new Map()));
      ofDevice.set(metric, id);
    }
  }
}

const wanted = 'unnest($1::int[], $2::int[], $3::text[]) as k (farm_id, device_id, metric)';
const found = `series s join ${wanted} using (farm_id, device_id, metric)`;

const makeSeriesText = `insert into series (farm_id, device_id, metric)
  select farm_id, device_id, metric from ${wanted} order by 1, 2, 3 on conflict do nothing`;
const makeLatestText = `insert into latest (farm_id, series_id)
  select s.farm_id, s.id from ${found} order by 1, 2 on conflict do nothing`;
const findSeriesText = `select s.id, s.device_id, s.metric from ${found}`;
