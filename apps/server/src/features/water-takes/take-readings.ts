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
 * beyond, oldest first. What the meter called invalid, or what can't be, is none. A page at a time: no statement is long, and who needs
 * no more holds no more.
 */
export async function* takeReadingPages(
  db: Db,
  device: Pick<DeviceRow, 'farm_id' | 'id' | 'settings'>,
  metric: TakeMetric,
  range: Range,
): AsyncGenerator<readonly MeterReading[]> {
  const series = await db
    .selectFrom('series')
    .select('id')
    .where('farm_id', '=', device.farm_id)
    .where('device_id', '=', device.id)
    .where('metric', '=', metric)
    .executeTakeFirst();
  if (!series) return;
  const canBe = canBeOf(device, metric);
  const wide = { from: range.from - BESIDE_MS, to: range.to + BESIDE_MS };
  const valid = (rows: readonly { at: Date; value: number | null }[]) =>
    rows.flatMap(({ at, value }) => (value !== null && canBe(value) ? [{ at: at.getTime(), value }] : []));
  yield valid(await beyond(db, device.farm_id, series.id, wide.from, 'before'));
  for await (const { rows } of readingPages(db, device.farm_id, [series.id], wide)) yield valid(rows);
  yield valid(await beyond(db, device.farm_id, series.id, wide.to, 'after'));
}

/** All of them. */
export async function takeReadings(...asked: Parameters<typeof takeReadingPages>): Promise<MeterReading[]> {
  const found: MeterReading[] = [];
  for await (const page of takeReadingPages(...asked)) for (const reading of page) found.push(reading);
  return found;
}

/** Of these pages the readings in a range, with the one before it and the one after. */
export async function* restingOn(
  pages: AsyncIterable<readonly MeterReading[]>,
  { from, to }: Range,
): AsyncGenerator<readonly MeterReading[]> {
  let before: MeterReading | undefined;
  let isOver = false;
  for await (const page of pages) {
    if (isOver) continue;
    const last = page.findLast(({ at }) => at <= from);
    before = last ?? before;
    const end = page.findIndex(({ at }) => at >= to);
    isOver = end >= 0;
    const within = page.slice(last ? page.indexOf(last) + 1 : 0, isOver ? end + 1 : undefined);
    if (within.length === 0) continue;
    yield before ? [before, ...within] : within;
    before = undefined;
  }
  if (before) yield [before];
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
