import { sql } from 'kysely';
import { NUMBERS_A_READING, type ReadingNumbers } from '@headrace/contract/rules/reading-numbers';
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
): AsyncGenerator<ReadingNumbers> {
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
  yield valid(await beyond(db, device.farm_id, series.id, wide.from, 'before'), canBe);
  for await (const { numbers } of readingPages(db, device.farm_id, [series.id], wide))
    yield valid(numbers, canBe);
  yield valid(await beyond(db, device.farm_id, series.id, wide.to, 'after'), canBe);
}

function valid(numbers: ReadingNumbers, canBe: (value: number) => boolean): ReadingNumbers {
  let count = 0;
  for (let nth = 0; nth < numbers.length; nth += NUMBERS_A_READING) {
    const [at = NaN, value = NaN] = [numbers[nth], numbers[nth + 1]];
    if (!canBe(value)) continue;
    numbers[count] = at;
    numbers[count + 1] = value;
    count += NUMBERS_A_READING;
  }
  return count === numbers.length ? numbers : numbers.slice(0, count);
}

/** Of these pages the readings in a range, with the one before it and the one after. */
export async function* restingOn(
  pages: AsyncIterable<ReadingNumbers>,
  { from, to }: Range,
): AsyncGenerator<ReadingNumbers> {
  let before: ReadingNumbers = new Float64Array();
  let isOver = false;
  for await (const page of pages) {
    if (isOver) continue;
    const start = firstOf(page, (at) => at > from) ?? page.length;
    if (start > 0) before = page.slice(start - NUMBERS_A_READING, start);
    const next = firstOf(page, (at) => at >= to);
    isOver = next !== null;
    const within = page.subarray(start, next === null ? page.length : next + NUMBERS_A_READING);
    if (within.length === 0) continue;
    yield together(before, within);
    before = new Float64Array();
  }
  if (before.length > 0) yield before;
}

/** Where its numbers are; null: there is none. */
function firstOf(numbers: ReadingNumbers, holds: (at: number) => boolean): number | null {
  for (let nth = 0; nth < numbers.length; nth += NUMBERS_A_READING)
    if (holds(numbers[nth] ?? NaN)) return nth;
  return null;
}

function together(one: ReadingNumbers, other: ReadingNumbers): ReadingNumbers {
  const both = new Float64Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

async function beyond(
  db: Db,
  farmId: number,
  id: number,
  at: number,
  side: 'before' | 'after',
): Promise<ReadingNumbers> {
  const isBefore = side === 'before';
  const { rows } = await sql<{ at: Date; value: number }>`
    select at, value from reading where farm_id = ${farmId} and series_id = ${id} and value is not null
      and at ${sql.raw(isBefore ? '<' : '>=')} ${new Date(at)} order by at ${sql.raw(isBefore ? 'desc' : '')} limit 1`.execute(
    db,
  );
  return Float64Array.from(rows.flatMap((row) => [row.at.getTime(), row.value]));
}
