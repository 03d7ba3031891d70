import { sql } from 'kysely';
import type { MeterReading } from '@headrace/contract/rules/water-take/volume';
import type { TakeMetric } from '@headrace/contract/water-takes';
import type { Db } from '../../db/client.ts';
import { readingPages } from '../series/reading-pages.ts';
import type { Range } from '../series/rollup-query.ts';
import { canBeOf } from '../series/series-limits.ts';
import type { DeviceRow } from '../../db/schema.ts';

const DAY_MS = 86_400_000;
/** What is read of a meter besides a range on either side of it: enough to see where a step that lies in it began. */
const BESIDE_MS = DAY_MS;

/**
 * A meter's readings of one of its metrics as they came, those of a range (epoch ms) and of a day to either side, with the next ones
 * beyond, oldest first. What the meter called invalid, or what can't be, is none. Page by page: no statement is long.
 */
export async function takeReadings(
  db: Db,
  device: Pick<DeviceRow, 'farm_id' | 'id' | 'settings'>,
  metric: TakeMetric,
  range: Range,
): Promise<MeterReading[]> {
  const series = await db
    .selectFrom('series')
    .select('id')
    .where('farm_id', '=', device.farm_id)
    .where('device_id', '=', device.id)
    .where('metric', '=', metric)
    .executeTakeFirst();
  if (!series) return [];
  const canBe = canBeOf(device, metric);
  const wide = { from: range.from - BESIDE_MS, to: range.to + BESIDE_MS };
  const found: MeterReading[] = [];
  const add = (rows: readonly { at: Date; value: number | null }[]) => {
    for (const { at, value } of rows)
      if (value !== null && canBe(value)) found.push({ at: at.getTime(), value });
  };
  add(await beyond(db, device.farm_id, series.id, wide.from, 'before'));
  for await (const { rows } of readingPages(db, device.farm_id, [series.id], wide)) add(rows);
  add(await beyond(db, device.farm_id, series.id, wide.to, 'after'));
  return found;
}

async function beyond(db: Db, farmId: number, id: number, at: number, side: 'before' | 'after') {
  const isBefore = side === 'before';
  const { rows } = await sql<{ at: Date; value: number }>`
    select at, value from reading where farm_id = ${farmId} and series_id = ${id} and value is not null
      and at ${sql.raw(isBefore ? '<' : '>=')} ${new Date(at)} order by at ${sql.raw(isBefore ? 'desc' : '')} limit 1`.execute(
    db,
  );
  return rows;
}
