import { NUMBERS_A_READING, type ReadingNumbers } from '@headrace/contract/rules/reading-numbers';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { givenList, prepared } from '../../db/prepared.ts';
import { epochMs } from './packed-rollups.ts';
import type { Range } from './rollup-query.ts';

/** What is held of a series at a time. */
const PAGE_ROWS = 4000;
/** Of short ranges: many series in one statement, and of each no more than this. */
const FIRST_ROWS = 100;
const SERIES_AT_ONCE = 40;

/** As PostgreSQL sends them, big-endian; null: there are none. */
interface Packed {
  readonly said: Buffer | null;
}
const BYTES_A_READING = 16;

/** As one row: to write times and values as text, and to read that again, takes longer than to read them. */
const packed = (rows: RawBuilder<unknown>) => sql`
  select string_agg(timestamptz_send(at) || float8send(coalesce(value, 'NaN')), ''::bytea order by at) as said
  from (${rows}) as reading`;

const firstRows = prepared<
  { farmId: number; ids: readonly number[]; from: Date; to: Date },
  Packed & { id: number }
>(
  'readings-of-many',
  (_db, given) => sql<Packed & { id: number }>`
    select wanted.id, first.said from unnest(${givenList(given('ids'), 'int')}) as wanted (id)
    cross join lateral (${packed(sql`
      select at, value from reading
      where farm_id = ${given('farmId')} and series_id = wanted.id and at >= ${given('from')} and at < ${given('to')}
      order by at limit ${sql.lit(FIRST_ROWS)}`)}) as first`,
);

const nextRows = prepared<{ farmId: number; id: number; after: Date; to: Date }, Packed>(
  'readings-of-one',
  (_db, given) =>
    sql<Packed>`${packed(sql`
    select at, value from reading
    where farm_id = ${given('farmId')} and series_id = ${given('id')} and at > ${given('after')} and at < ${given('to')}
    order by at limit ${sql.lit(PAGE_ROWS)}`)}`,
);

function numbersOf({ said }: Packed): ReadingNumbers {
  if (!said) return new Float64Array();
  const view = new DataView(said.buffer, said.byteOffset, said.byteLength);
  const numbers = new Float64Array((said.byteLength / BYTES_A_READING) * NUMBERS_A_READING);
  for (let nth = 0; nth < numbers.length; nth += NUMBERS_A_READING) {
    const start = (nth / NUMBERS_A_READING) * BYTES_A_READING;
    numbers[nth] = epochMs(view, start);
    numbers[nth + 1] = view.getFloat64(start + BYTES_A_READING / 2);
  }
  return numbers;
}

/**
 * Readings of these series as they came, the series in the order given, a page at a time: however much there is, no more than a page is
 * held, and each page is a short statement. Each page is the caller's own.
 */
export async function* readingPages(
  db: Db,
  farmId: number,
  ids: readonly number[],
  range: Range,
): AsyncGenerator<{ id: number; numbers: ReadingNumbers }> {
  const to = new Date(range.to);
  for (let at = 0; at < ids.length; at += SERIES_AT_ONCE) {
    const some = ids.slice(at, at + SERIES_AT_ONCE);
    const ofMany = await firstRows(db, { farmId, ids: some, from: new Date(range.from), to });
    const found = new Map(ofMany.map(({ id, ...row }) => [id, numbersOf(row)]));
    for (const id of some) {
      const first = found.get(id) ?? new Float64Array();
      // Read before who asked has the page: it may hand it over to a thread.
      let after = lastOfFull(first, FIRST_ROWS);
      if (first.length > 0) yield { id, numbers: first };
      while (after) {
        const [row] = await nextRows(db, { farmId, id, after, to });
        const numbers = numbersOf(row ?? { said: null });
        after = lastOfFull(numbers, PAGE_ROWS);
        if (numbers.length > 0) yield { id, numbers };
      }
    }
  }
}

/** When the last of a full page was said: more may follow. */
const lastOfFull = (numbers: ReadingNumbers, rows: number): Date | null =>
  numbers.length < rows * NUMBERS_A_READING ? null : new Date(numbers.at(-NUMBERS_A_READING) ?? NaN);
