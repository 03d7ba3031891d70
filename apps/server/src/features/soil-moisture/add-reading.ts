import type { Pool } from 'pg';
import type { BodyOf } from '@headrace/contract/endpoint';
import { RAW_RETENTION_DAYS } from '@headrace/contract/limits';
import { clockTime, parseDay } from '@headrace/contract/rules/farm-time';
import type { addSoilReading } from '@headrace/contract/soil-moisture';
import { ensurePartitions, inTransaction } from '../../db/partitions.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { timeFault } from '../readings/reading-times.ts';
import { writeReadings } from '../readings/reading-writer.ts';
import { createSeriesDirectory } from '../readings/series-directory.ts';
import { EventCollector, type StatusEvent } from '../readings/status-events.ts';
import type { SoilMoistureRepo } from './soil-moisture.repo.ts';

type SeedRecord = BodyOf<typeof addSoilReading>;

export interface AddReadingOptions {
  pool: Pool;
  /** Days that readings are kept; older ones are refused. */
  retentionDays?: number;
  /** After the commit, when a site has something newer to say. */
  onCommitted: (events: StatusEvent[]) => void;
}

const members = {
  temperature: 'temperatureC',
  // Of its own: a gauge that counts knows nothing of what is added.
  rainfall: 'rainTipsAdded',
  swp1: 'swp1Kpa',
  swp2: 'swp2Kpa',
} as const;
const names = ['temperature', 'rainfall', 'swp1', 'swp2'] as const;

/**
 * Stores one record of the tool that seeds a site, as if its device had sent it: history, hours, days and latest value
 * follow. The same site, metric and time twice is stored once. Throws notFound and invalid.
 */
export function createAddReading(soil: SoilMoistureRepo, options: AddReadingOptions) {
  const { pool, retentionDays = RAW_RETENTION_DAYS, onCommitted } = options;
  return async (record: SeedRecord, now: Date): Promise<void> => {
    const { sensorUID } = record;
    if (sensorUID === undefined) throw invalid('Give the site as sensorUID.', 'sensorUID');
    const site = await soil.siteOnAnyFarm(sensorUID.toLowerCase());
    if (!site) throw notFound();
    const at = timeOf(record, site.farm);
    const fault = timeFault(at, now.getTime(), retentionDays);
    if (fault) throw invalid(`date and time: ${fault}.`, 'date');
    const device = { ...knownOf(site), zone: toZone(site.farm) };
    const readings = names.flatMap((name) => {
      const value = record[name];
      return value === undefined ? [] : [{ device, metric: members[name], at, value }];
    });
    if (readings.length === 0) throw invalid(`Give at least one value: ${names.join(', ')}.`, 'temperature');
    const rows = await createSeriesDirectory(pool).assign(readings);
    await ensurePartitions(pool, [at]);
    const written = await inTransaction(pool, (client) => writeReadings(client, rows));
    const events = new EventCollector();
    for (const { at: newest } of written.advanced) events.add(device, 'soil_moisture', newest);
    onCommitted(events.all());
  };
}

/** Of a time that a clock change doubles the first; one that it skips is read on the clock before the change. */
function timeOf({ date, time }: SeedRecord, farm: FarmRow): number {
  const zone = toZone(farm);
  const day = parseDay(zone, date);
  if (day === null) throw invalid('date must be a day that exists, as YYYY-MM-DD.', 'date');
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  if (hour > 23 || minute > 59 || second > 59)
    throw invalid('time must be one of the day, from 00:00 to 23:59.', 'time');
  return clockTime(zone, day, hour * 3600 + minute * 60 + second);
}

function knownOf({ farm, device }: { farm: FarmRow; device: DeviceRow }) {
  const { id, uid, mac, kind, type, serial_number: serialNumber, mapping } = device;
  return {
    farmId: farm.id,
    farmUid: farm.uid,
    id,
    uid,
    mac: mac ?? '',
    kind,
    type,
    serialNumber,
    mapping,
    codec: null,
  };
}
