import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { givenList, prepared } from '../../db/prepared.ts';
import type { Range } from './rollup-query.ts';

/** What is held of a series at a time. */
const PAGE_ROWS = 4000;
/** Of short ranges: many series in one statement, and of each no more than this. */
const FIRST_ROWS = 100;
const SERIES_AT_ONCE = 40;

export interface Said {
  readonly at: Date;
  readonly value: number | null;
}

const firstRows = prepared<
  { farmId: number; ids: readonly number[]; from: Date; to: Date },
  Said & { series_id: number }
>(
  'readings-of-many',
  (_db, given) => sql<Said & { series_id: number }>`
    select wanted.id as series_id, said.at, said.value from unnest(${givenList(given('ids'), 'int')}) as wanted (id)
    cross join lateral (
      select at, value from reading
      where farm_id = ${given('farmId')} and series_id = wanted.id and at >= ${given('from')} and at < ${given('to')}
      order by at limit ${sql.lit(FIRST_ROWS)}
    ) as said
    order by wanted.id, said.at`,
);

const nextRows = prepared<{ farmId: number; id: number; after: Date; to: Date }, Said>(
  'readings-of-one',
  (_db, given) => sql<Said>`
    select at, value from reading
    where farm_id = ${given('farmId')} and series_id = ${given('id')} and at > ${given('after')} and at < ${given('to')}
    order by at limit ${sql.lit(PAGE_ROWS)}`,
);

/**
 * Readings of these series as they came, the series in the order given, a page at a time: however much there is, no more than a page is
 * held, and each page is a short statement.
 */
export async function* readingPages(
  db: Db,
  farmId: number,
  ids: readonly number[],
  range: Range,
): AsyncGenerator<{ id: number; rows: readonly Said[] }> {
  const to = new Date(range.to);
  for (let at = 0; at < ids.length; at += SERIES_AT_ONCE) {
    const some = ids.slice(at, at + SERIES_AT_ONCE);
    const found = new Map<number, Said[]>(some.map((id) => [id, []]));
    const first = await firstRows(db, { farmId, ids: some, from: new Date(range.from), to });
    for (const { series_id: id, ...row } of first) found.get(id)?.push(row);
    for (const id of some) {
      let rows: readonly Said[] = found.get(id) ?? [];
      let isFull = rows.length === FIRST_ROWS;
      if (rows.length > 0) yield { id, rows };
      for (let last = rows.at(-1); isFull && last; last = rows.at(-1)) {
        rows = await nextRows(db, { farmId, id, after: last.at, to });
        isFull = rows.length === PAGE_ROWS;
        if (rows.length > 0) yield { id, rows };
      }
    }
  }
}
