import { ensurePartitions, inTransaction } from '../db/partitions.ts';
import type { DeviceRow, FarmRow } from '../db/schema.ts';
import { toZone } from '../features/farm-clock/farm-zone.ts';
import { writeReadings } from '../features/readings/reading-writer.ts';
import { createSeriesDirectory } from '../features/readings/series-directory.ts';
import type { TestDatabase } from './test-database.ts';

/** Values by metric as a device sends them, null for invalid ones. */
export interface Report {
  at: string;
  values: Record<string, number | null>;
  /** When the server heard it; unless said not before `at`. */
  receivedAt?: string;
}

/** Stores what a device reported, by the writer of ingest: raw history, latest values, hours and days. */
export async function recordReadings(
  { pool }: TestDatabase,
  farm: FarmRow,
  device: DeviceRow,
  reports: readonly Report[],
): Promise<void> {
  const known = {
    farmId: farm.id,
    farmUid: farm.uid,
    zone: toZone(farm),
    id: device.id,
    uid: device.uid,
    mac: device.mac ?? '',
    kind: device.kind,
    type: device.type,
    serialNumber: device.serial_number,
    mapping: device.mapping,
    codec: null,
  };
  const readings = reports.flatMap(({ at, values, receivedAt = at }) =>
    Object.entries(values).map(([metric, value]) => ({
      device: known,
      metric,
      at: Date.parse(at),
      value,
      receivedAt: Date.parse(receivedAt),
    })),
  );
  const assigned = await createSeriesDirectory(pool).assign(readings);
  await ensurePartitions(
    pool,
    readings.map(({ at }) => at),
  );
  await inTransaction(pool, (client) => writeReadings(client, assigned));
}

/** The same report every `minutes` from `from` on, `count` times; `values` by the report's number from 0. */
export function everyMinutes(
  minutes: number,
  from: string,
  count: number,
  values: (index: number) => Record<string, number | null>,
): Report[] {
  return Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.parse(from) + index * minutes * 60_000).toISOString(),
    values: values(index),
  }));
}
