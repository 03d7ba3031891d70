import { sql } from 'kysely';
import type { Rollup } from './rollup-query.ts';

/** Epoch seconds. */
const TIMES = { at: 'starts', first_at: 'first_at', last_at: 'last_at' } as const;
const VALUES = [
  'n',
  'min',
  'max',
  'sum',
  'falls',
  'rises',
  'first_value',
  'last_value',
  'area',
  'covered_min',
  'fastest',
] as const;

/** PostgreSQL writes what is no number in JSON as a text. */
type JsonNumber = number | 'NaN' | 'Infinity' | '-Infinity';

/** A series' rollups, oldest first, one array for each column. */
export interface RollupColumns
  extends Record<(typeof TIMES)[keyof typeof TIMES], readonly number[]>,
    Record<(typeof VALUES)[number], readonly (JsonNumber | null)[]> {
  series_id: number;
}

const jsonOf = (value: string, name: string) => `array_to_json(array_agg(${value})) as ${name}`;
const columnsAsJson = sql.raw(
  [
    ...Object.entries(TIMES).map(([column, name]) => jsonOf(`date_part('epoch', ${column})`, name)),
    ...VALUES.map((column) => jsonOf(column, column)),
  ].join(', '),
);
/** As many nulls as a series has columns, for a union. */
export const NO_COLUMNS = [...Object.keys(TIMES), ...VALUES].map(() => 'null').join(', ');

/**
 * Rows of rollups as one row a series, with `at` null. A month has 720 hours of fifteen columns: the driver takes twice as long to make
 * objects of their fields as to read fourteen arrays of JSON. They are sorted by series first: then they are grouped as they come, in the
 * order of their time, which a sort for the groups would lose.
 */
export const inColumns = (rows: ReturnType<typeof sql>) => sql<RollupColumns>`
  select series_id, null::timestamptz as at, ${columnsAsJson}
  from (${rows} order by series_id, at) as rollup group by series_id`;

export function rollupsOf(columns: RollupColumns): Rollup[] {
  return columns.starts.map((start, row) => ({
    at: epochMs(start),
    n: numberAt(columns.n, row),
    min: numberAt(columns.min, row),
    max: numberAt(columns.max, row),
    sum: numberAt(columns.sum, row),
    falls: numberAt(columns.falls, row),
    rises: numberAt(columns.rises, row),
    firstAt: epochMs(columns.first_at[row]),
    firstValue: numberAt(columns.first_value, row),
    lastAt: epochMs(columns.last_at[row]),
    lastValue: numberAt(columns.last_value, row),
    area: numberOrNull(columns.area, row),
    coveredMin: numberOrNull(columns.covered_min, row),
    fastest: numberOrNull(columns.fastest, row),
  }));
}

type Column = readonly (JsonNumber | null)[];

/** Cut to milliseconds, as times of single rows are; the half microsecond makes good what the fraction lost. */
const epochMs = (seconds = Number.NaN) => Math.floor(seconds * 1000 + 0.0005);

const numberAt = (column: Column, row: number) => Number(column[row] ?? Number.NaN);

function numberOrNull(column: Column, row: number): number | null {
  const value = column[row] ?? null;
  return value === null ? null : Number(value);
}
