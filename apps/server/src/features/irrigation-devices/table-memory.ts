import type { RawBuilder } from 'kysely';

/** What a table has of one farm: rows that belong to devices, each with a name of its own within its device. */
export interface Source<Row> {
  readonly table:
    | 'device'
    | 'latest'
    | 'device_fact'
    | 'device_group_member'
    | 'unit_program'
    | 'unit_held'
    | 'unit_stop'
    | 'watering_run'
    | 'command_unit';
  /** Of the farm's rows `c` only these; where one is left out from now on, another of the same name takes its place, or the count shows it. */
  readonly only?: RawBuilder<boolean>;
  /** Selects members of `t` and what is joined to it; `device_id` is the device's. */
  readonly select: RawBuilder<unknown>;
  readonly join?: RawBuilder<unknown>;
  /** Makes a row of what was selected, where that isn't one. */
  readonly unpack?: (selected: unknown) => Row;
  isSame(one: Row, other: Row): boolean;
}

/** Where a reading of the table ended: everything before `horizon` (a transaction id) was seen, of this run of the database. */
export interface Mark {
  readonly horizon: string;
  readonly run: string;
}
/** Of a table: how many rows the farm has, and those of them that were asked for. */
export interface Found<Row> {
  readonly count: number;
  readonly rows: Row[];
}

/** A transaction id says what is newer for two thousand million transactions: rows are read anew long before. */
const KEPT_MS = 10 * 60_000;

/**
 * The rows of one farm, kept between calls and brought up to date by reading only those that changed (`refreshTables`). Exact: a row
 * version that wasn't seen has a transaction id at or after the last reading's horizon, and rows that vanished show in the count.
 * A database that was started again, or went back, is read anew.
 */
export function createTableMemory<Row extends { readonly device_id: number }>(source: Source<Row>) {
  let rows = new Map<number, Row[]>();
  let size = 0;
  let mark: Mark | null = null;
  let readAt = 0;

  const rowsOf = ({ rows: selected }: Found<Row>) => (source.unpack ? selected.map(source.unpack) : selected);

  /** False: nothing of it is otherwise. While a transaction is under way anywhere, rows that were seen since it began are read again. */
  function put(row: Row): boolean {
    const of = rows.get(row.device_id);
    const at = of ? of.findIndex((other) => source.isSame(row, other)) : -1;
    if (of && at >= 0) {
      if (JSON.stringify(of[at]) === JSON.stringify(row)) return false;
      of[at] = row;
      return true;
    }
    size += 1;
    if (of) of.push(row);
    else rows.set(row.device_id, [row]);
    return true;
  }

  return {
    source,
    /** From where on changes are to be read; null: all of it is. */
    mark: (): Mark | null => (performance.now() - readAt > KEPT_MS ? null : mark),

    /** Takes what changed. The devices of which something is otherwise; null: not all is known, it has to be read anew. */
    take(found: Found<Row>, to: Mark): ReadonlySet<number> | null {
      if (to.run !== mark?.run || BigInt(to.horizon) < BigInt(mark.horizon)) return null;
      mark = to;
      const changed = rowsOf(found).filter(put);
      return size === found.count ? new Set(changed.map(({ device_id }) => device_id)) : null;
    },

    /** Takes all of it. */
    takeAll(found: Found<Row>, to: Mark): void {
      rows = new Map();
      size = 0;
      readAt = performance.now();
      mark = to;
      for (const row of rowsOf(found)) put(row);
    },

    devices: () => rows.keys(),
    of: (deviceId: number): readonly Row[] => rows.get(deviceId) ?? [],
    get size() {
      return size;
    },
  };
}
export type TableMemory<Row extends { readonly device_id: number }> = ReturnType<
  typeof createTableMemory<Row>
>;
