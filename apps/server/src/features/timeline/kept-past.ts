import { type RawBuilder, sql } from 'kysely';
import type { ReportedRun } from '@headrace/contract/rules/schedule/applied';
import type { HeldSpan, Opening } from '@headrace/contract/rules/schedule/turns';
import type { Db } from '../../db/client.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import { questionsOfTime, refreshTables } from '../irrigation-devices/refresh-tables.ts';
import { createTableMemory, type Source, type TableMemory } from '../irrigation-devices/table-memory.ts';

/** Epoch ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** By device, oldest first; the same list as before as long as nothing of it is otherwise. */
type ByDevice<Row> = ReadonlyMap<number, readonly Row[]>;

/** What was in a time. */
export interface Past {
  /** When valves were open. */
  readonly runs: ByDevice<ReportedRun>;
  /** What units held that they hold no more. */
  readonly ended: ByDevice<HeldSpan>;
  /** Valve Ons that were carried out; of one that nothing ended its planned end. */
  readonly openings: ByDevice<Opening>;
}

type OfDevice<Row> = Row & { readonly device_id: number };

const DAY = 86_400_000;
/** A valve that opened longer ago than that isn't looked for. */
const OPEN_MOST_MS = DAY;

const ms = (column: string) => sql`date_part('epoch', ${sql.ref(`t.${column}`)}) * 1000`;
const between = (column: string, { from, to }: Span): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`c.${column}`)} >= ${new Date(from)} and ${sql.ref(`c.${column}`)} < ${new Date(to)}`;

type RunTuple = [
  deviceId: number,
  openedAt: number,
  openedHow: ReportedRun['openedHow'],
  openUntil: number,
  closedAt: number | null,
  closedHow: ReportedRun['closedHow'],
  lps: number,
  mmPerMin: number,
];

const runsOf = ({ from, to }: Span): Source<OfDevice<ReportedRun>> => ({
  table: 'watering_run',
  only: between('opened_at', { from: from - OPEN_MOST_MS, to }),
  // As lists: forty thousand rows with the names of their columns take twice as long.
  select: sql`json_build_array(t.device_id, ${ms('opened_at')}, t.opened_how, ${ms('open_until')}, ${ms('closed_at')},
    t.closed_how, t.lps, t.mm_per_min) as row`,
  unpack: (packed) => toRun((packed as { row: RunTuple }).row),
  isSame: (one, other) => one.openedAt === other.openedAt,
});

const toRun = ([
  device_id,
  openedAt,
  openedHow,
  openUntil,
  closedAt,
  closedHow,
  lps,
  mmPerMin,
]: RunTuple) => ({
  device_id,
  unit: String(device_id),
  openedAt,
  openedHow,
  openUntil,
  closedAt,
  closedHow,
  lps,
  mmPerMin,
});

const endedOf = ({ from, to }: Span): Source<OfDevice<HeldSpan>> => ({
  table: 'unit_held',
  only: sql<boolean>`c.until > ${new Date(from - DAY)} and c.since < ${new Date(to)}`,
  select: sql`t.device_id, ${ms('since')} as "from", ${ms('until')} as until, t.entries, coalesce(t.cycle_days, 1) as "cycleDays",
    ${ms('stopped_at')} as "stoppedAt"`,
  isSame: (one, other) => one.from === other.from,
});

const openingsOf = ({ from, to }: Span): Source<OfDevice<Opening & { readonly command: number }>> => ({
  table: 'command_unit',
  only: between('opened_at', { from: from - OPEN_MOST_MS, to }),
  select: sql`t.device_id, t.command_id as command, ${ms('opened_at')} as "from",
    date_part('epoch', coalesce(t.closed_at, t.closes_by, t.opened_at)) * 1000 as "to"`,
  isSame: (one, other) => one.command === other.command,
});

function createTables(span: Span) {
  const sources = [runsOf(span), endedOf(span), openingsOf(span)] as const;
  const memories = [
    createTableMemory(sources[0]),
    createTableMemory(sources[1]),
    createTableMemory(sources[2]),
  ] as const;
  const isIn = ({ closedAt }: ReportedRun) => closedAt === null || closedAt > span.from;
  return {
    questions: questionsOfTime(sources),
    memories,
    runs: createLists(memories[0], ({ openedAt }) => openedAt, isIn),
    ended: createLists(memories[1], ({ from }) => from),
    openings: createLists(memories[2], ({ from }) => from),
  };
}

/** What was in a time of a farm, kept between calls: of thousands of waterings a few are other ones a minute later. */
export function createPast(db: Db, farmId: number, span: Span) {
  let tables = createTables(span);

  async function refresh(): Promise<Past> {
    const { questions, memories, runs, ended, openings } = tables;
    try {
      const [ofRuns = null, ofEnded = null, ofOpenings = null] = await refreshTables(
        db,
        farmId,
        questions,
        memories,
      );
      runs.bring(ofRuns);
      ended.bring(ofEnded);
      openings.bring(ofOpenings);
    } catch (error) {
      // Half of a reading may have been taken in.
      tables = createTables(span);
      throw error;
    }
    return { runs: runs.lists, ended: ended.lists, openings: openings.lists };
  }

  return {
    /** As it is now. */
    read: oneAtATime(refresh),
    size: () => tables.memories.reduce((sum, { size }) => sum + size, 0),
  };
}
export type KeptPast = ReturnType<typeof createPast>;

function createLists<Row extends { readonly device_id: number }>(
  memory: TableMemory<Row>,
  beginOf: (row: Row) => number,
  isIn: (row: Row) => boolean = () => true,
) {
  const lists = new Map<number, readonly Row[]>();
  return {
    lists,
    /** Null: any may be otherwise. */
    bring(changed: ReadonlySet<number> | null): void {
      if (changed === null) lists.clear();
      for (const id of changed ?? memory.devices()) {
        const rows = memory.of(id).filter(isIn);
        if (rows.length === 0) lists.delete(id);
        else
          lists.set(
            id,
            rows.toSorted((one, other) => beginOf(one) - beginOf(other)),
          );
      }
    },
  };
}
