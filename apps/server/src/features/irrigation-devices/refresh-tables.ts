import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { prepared } from '../../db/prepared.ts';
import type { Found, Mark, Source, TableMemory } from './table-memory.ts';

interface Row {
  readonly device_id: number;
}
type Memory = TableMemory<Row>;
interface Reading extends Mark {
  /** In the order of the tables that were asked for. */
  readonly tables: Found<Row>[];
}
type Ask<Args> = (db: Db, args: Args) => Promise<Reading[]>;

/** What is asked of tables: the changes of all together, and all of each. */
export interface Questions {
  readonly changes: Ask<{ farmId: number; since: string }>;
  readonly all: readonly Ask<{ farmId: number }>[];
}

/**
 * The questions about these tables, which each connection plans once: planning takes longer than most of the answers. Tables that are
 * asked in one statement take one backend, one message and one turn of the event loop.
 */
export function questionsOf(sources: readonly Source<Row>[]): Questions {
  const name = sources[0]?.table;
  return {
    changes: prepared(`changes-of-${name}`, (_db, given) =>
      reading(sources, given('farmId'), isNewer(given('since'))),
    ),
    all: sources.map((source) =>
      prepared(`all-of-${source.table}`, (_db, given) => reading([source], given('farmId'), sql`true`)),
    ),
  };
}

/** The same of a time, which is another one each time: they are planned at each run. */
export function questionsOfTime(sources: readonly Source<Row>[]): Questions {
  const ask = async (db: Db, statement: RawBuilder<Reading>) => (await statement.execute(db)).rows;
  return {
    changes: (db, { farmId, since }) => ask(db, reading(sources, farmId, isNewer(since))),
    all: sources.map(
      (source) =>
        (db, { farmId }) =>
          ask(db, reading([source], farmId, sql`true`)),
    ),
  };
}

/**
 * Their ages count transactions back from now, so that an id that began at nought again still compares. As a subquery the age of the
 * horizon is reckoned once and not for each row.
 */
const isNewer = (since: string) => sql`age(c.xmin) <= (select age(${since}::xid8::xid))`;

const reading = (
  sources: readonly Source<Row>[],
  farmId: number,
  isNewer: RawBuilder<unknown>,
): RawBuilder<Reading> => sql<Reading>`
  select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, pg_postmaster_start_time()::text as run,
    json_build_array(${sql.join(sources.map((source) => found(source, farmId, isNewer)))}) as tables`;

/**
 * One pass over the farm's rows counts them and finds those that are new, which are then fetched from where they lie (`ctid`);
 * in one statement no row moves. The tables aren't partitioned, so that a place is one row's.
 */
function found(
  { table, select, join = sql``, only = sql<boolean>`true` }: Source<Row>,
  farmId: number,
  isNewer: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const name = sql.table(table);
  return sql`(with seen as materialized (select count(*)::int as count, array_agg(c.ctid) filter (where ${isNewer}) as newer
      from ${name} c where c.farm_id = ${farmId} and ${only})
    select json_build_object('count', count, 'rows', coalesce((select json_agg(r) from (select ${select} from ${name} t ${join}
      where t.ctid = any((select newer from seen)::tid[])) r), '[]'::json)) from seen)`;
}

/**
 * Brings tables up to date, in the order of their questions. Of each in its order the devices of which something may be different;
 * null: of any.
 */
export async function refreshTables(
  db: Db,
  farmId: number,
  { changes, all }: Questions,
  memories: readonly Memory[],
): Promise<(ReadonlySet<number> | null)[]> {
  const since = earliest(memories);
  const [news] = since === null ? [] : await changes(db, { farmId, since });
  return Promise.all(
    memories.map(async (memory, at) => {
      const found = news?.tables[at];
      const changed = news && found ? memory.take(found, news) : null;
      if (changed) return changed;
      const [anew] = (await all[at]?.(db, { farmId })) ?? [];
      if (!anew?.tables[0]) throw new Error(`${memory.source.table} gave no answer`);
      memory.takeAll(anew.tables[0], anew);
      return null;
    }),
  );
}

/** Null: one of them has to be read anew, and the others with it. */
function earliest(memories: readonly Memory[]): string | null {
  const marks = memories.map((memory) => memory.mark());
  const known = marks.filter((mark) => mark !== null).map(({ horizon }) => BigInt(horizon));
  if (known.length < marks.length) return null;
  return String(known.reduce((first, one) => (one < first ? one : first)));
}
