import { sql } from 'kysely';
import type { Rollup } from './rollup-query.ts';

const TIMES = ['at', 'first_at', 'last_at'];
const VALUES = ['min', 'max', 'sum', 'falls', 'rises', 'first_value', 'last_value'];
/** Null where they were not kept: NaN on the way. */
const LATER_VALUES = ['area', 'covered_min', 'fastest'];

const INT_BYTES = 4;
const LONG_BYTES = 8;
const ROW_BYTES = INT_BYTES + LONG_BYTES * (TIMES.length + VALUES.length + LATER_VALUES.length);

/** A series' rollups, oldest first, as PostgreSQL sends them: big-endian, ROW_BYTES each; null: of a row about something else. */
export interface PackedRollups {
  series_id: number;
  packed: Buffer | null;
}

const rowAsBytes = [
  ...TIMES.map((column) => `timestamptz_send(${column})`),
  'int4send(n)',
  ...VALUES.map((column) => `float8send(${column})`),
  ...LATER_VALUES.map((column) => `float8send(coalesce(${column}, 'NaN'))`),
].join(' || ');

/**
 * Rows of rollups as one row a series, with `at` null. A month has 720 hours of fourteen columns: to write their numbers as text takes the
 * database twice as long as to send their bytes, and to read them again takes the driver longer still. They are sorted by series first:
 * then they are grouped as they come, in the order of their time, which a sort for the groups would lose.
 */
export const packed = (rows: ReturnType<typeof sql>) => sql<PackedRollups>`
  select series_id, null::timestamptz as at, string_agg(${sql.raw(rowAsBytes)}, ''::bytea) as packed
  from (${rows} order by series_id, at) as rollup group by series_id`;

export function rollupsOf({ packed: bytes }: PackedRollups): Rollup[] {
  if (!bytes) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.byteLength / ROW_BYTES }, (_, row) => rollupAt(view, row * ROW_BYTES));
}

/** In the order of `rowAsBytes`. */
function rollupAt(view: DataView, start: number): Rollup {
  const values = start + TIMES.length * LONG_BYTES + INT_BYTES;
  const time = (nth: number) => epochMs(view, start + nth * LONG_BYTES);
  const value = (nth: number) => view.getFloat64(values + nth * LONG_BYTES);
  const later = (nth: number) => orNull(value(VALUES.length + nth));
  return {
    at: time(0),
    n: view.getInt32(start + TIMES.length * LONG_BYTES),
    min: value(0),
    max: value(1),
    sum: value(2),
    falls: value(3),
    rises: value(4),
    firstAt: time(1),
    firstValue: value(5),
    lastAt: time(2),
    lastValue: value(6),
    area: later(0),
    coveredMin: later(1),
    fastest: later(2),
  };
}

const POSTGRES_EPOCH_MS = Date.UTC(2000, 0, 1);
const TWO_TO_32 = 2 ** 32;

/** Of microseconds since 2000, cut to milliseconds as times of single rows are. They have fewer than 53 bits until the year 2285. */
export function epochMs(view: DataView, start: number): number {
  const microseconds = view.getInt32(start) * TWO_TO_32 + view.getUint32(start + INT_BYTES);
  return POSTGRES_EPOCH_MS + Math.floor(microseconds / 1000);
}

const orNull = (value: number) => (Number.isNaN(value) ? null : value);
