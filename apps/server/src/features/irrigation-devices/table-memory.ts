import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client.ts';

/** What a table has of one farm: rows that belong to devices, each with a name of its own within its device. */
export interface Source<Row> {
  readonly table:
    | 'device'
    | 'latest'
    | 'device_fact'
    | 'device_group_member'
    | 'unit_program'
    | 'unit_held'
    | 'unit_stop';
  /** Of the farm's rows `c` only these; where one is left out from now on, another of the same name takes its place, or the count shows it. */
  readonly only?: RawBuilder<boolean>;
  /** Selects members of `t` and what is joined to it; `device_id` is the device's. */
  readonly select: RawBuilder<unknown>;
  readonly join?: RawBuilder<unknown>;
  isSame(one: Row, other: Row): boolean;
}

/** Where a reading of the table ended: everything before `horizon` (a transaction id) was seen, of this run of the database. */
interface Mark {
  readonly horizon: string;
  readonly run: string;
}
interface Reading<Row> extends Mark {
  readonly count: number;
  readonly rows: Row[];
}

/** A transaction id says what is newer for two thousand million transactions: rows are read anew long before. */
const KEPT_MS = 10 * 60_000;

/**
 * The rows of one farm, kept between calls and brought up to date by reading only those that changed. Exact: a row version
 * that wasn't seen has a transaction id at or after the last reading's horizon, and rows that vanished show in the count.
 * A database that was started again, or went back, is read anew.
 */
export function createTableMemory<Row extends { readonly device_id: number }>(
  db: Db,
  farmId: number,
  source: Source<Row>,
) {
  let rows = new Map<number, Row[]>();
  let size = 0;
  let mark: Mark | null = null;
  let readAt = 0;

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

  /** The devices of which something is otherwise; null: not all is known. */
  function take(reading: Reading<Row>): ReadonlySet<number> | null {
    const changed = reading.rows.filter(put);
    mark = reading;
    return size === reading.count ? new Set(changed.map(({ device_id }) => device_id)) : null;
  }

  async function anew(): Promise<null> {
    const reading = await read(db, farmId, source, null);
    rows = new Map();
    size = 0;
    readAt = performance.now();
    take(reading);
    return null;
  }

  return {
    /** Resolves to the devices of which something may be different; null: of any. */
    async refresh(): Promise<ReadonlySet<number> | null> {
      if (!mark || performance.now() - readAt > KEPT_MS) return anew();
      const reading = await read(db, farmId, source, mark.horizon);
      const isLater = reading.run === mark.run && BigInt(reading.horizon) >= BigInt(mark.horizon);
      return (isLater ? take(reading) : null) ?? anew();
    },
    devices: () => rows.keys(),
    of: (deviceId: number): readonly Row[] => rows.get(deviceId) ?? [],
    get size() {
      return size;
    },
  };
}

/**
 * One pass over the farm's rows counts them and finds those that are new, which are then fetched from where they lie (`ctid`);
 * in one statement no row moves. The tables aren't partitioned, so that a place is one row's.
 */
async function read<Row>(
  db: Db,
  farmId: number,
  { table, select, join = sql``, only = sql<boolean>`true` }: Source<Row>,
  since: string | null,
): Promise<Reading<Row>> {
  const name = sql.table(table);
  // Their ages count transactions back from now, so that an id that began at nought again still compares. As a subquery the age
  // of the horizon is reckoned once and not for each row.
  const isNewer = since === null ? sql`true` : sql`age(c.xmin) <= (select age(${since}::xid8::xid))`;
  const { rows } = await sql<Reading<Row>>`
    with seen as materialized (select count(*)::int as count, array_agg(c.ctid) filter (where ${isNewer}) as newer
      from ${name} c where c.farm_id = ${farmId} and ${only})
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, pg_postmaster_start_time()::text as run, count,
      coalesce((select json_agg(r) from (select ${select} from ${name} t ${join}
        where t.ctid = any((select newer from seen)::tid[])) r), '[]') as rows
    from seen`.execute(db);
  const [reading] = rows;
  if (!reading) throw new Error(`${table} gave no answer`);
  return reading;
}
