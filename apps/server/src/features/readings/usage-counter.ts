import { DatabaseError, type Pool } from 'pg';
import type { IngestLog } from './ingest-options.ts';
import { addUsage, dayOf, type UsageCount } from './usage-writer.ts';

/** Counts what farms write. In memory first, since a row for each commit and farm took a sixth of ingest's speed. */
export interface UsageCounter {
  /** After a commit: readings stored, and readings refused because of a limit, by farm. */
  add(readings: ReadonlyMap<number, number>, refused: ReadonlyMap<number, number>): void;
  /**
   * Runs `read` while no counts are being written, then calls `use` at once with the readings by farm of `day` that are not in the
   * database yet. Together they are everything that this server has counted.
   */
  beside<T>(
    day: string,
    read: () => Promise<T>,
    use: (read: T, unwritten: ReadonlyMap<number, number>) => void,
  ): Promise<void>;
  /** Writes what is counted. A failure is logged and what is surely not written is kept for the next time. */
  flush(): Promise<void>;
  /** Writes what is counted, for the last time. */
  stop(): Promise<void>;
}

/** What kill -9 may lose of the counts, never of the readings. */
const EVERY_MS = 1000;

export function createUsageCounter(pool: Pool, now: () => Date, log: IngestLog): UsageCounter {
  let counts = new Map<string, UsageCount>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  }

  function countOf(farmId: number, day: string): UsageCount {
    const key = `${farmId} ${day}`;
    let count = counts.get(key);
    if (!count) counts.set(key, (count = { farmId, day, readings: 0, refused: 0 }));
    return count;
  }

  function wake(): void {
    if (!isStopped && counts.size > 0) timer ??= setTimeout(() => void flush(), EVERY_MS);
  }

  function flush(): Promise<void> {
    return alone(async () => {
      clearTimeout(timer);
      timer = undefined;
      const writing = [...counts.values()];
      counts = new Map();
      if (writing.length > 0) await write(writing);
      wake();
    });
  }

  async function write(writing: readonly UsageCount[]): Promise<void> {
    try {
      await addUsage(pool, writing);
    } catch (error) {
      // Where a connection broke it may be written: better counted short by a second than twice.
      const isSurelyNotWritten = error instanceof DatabaseError;
      log.warn({ err: error, isLost: !isSurelyNotWritten }, 'what farms wrote was not counted');
      if (!isSurelyNotWritten) return;
      for (const { farmId, day, readings, refused } of writing) {
        const count = countOf(farmId, day);
        count.readings += readings;
        count.refused += refused;
      }
    }
  }

  return {
    add(readings, refused) {
      const day = dayOf(now());
      for (const [farmId, some] of readings) countOf(farmId, day).readings += some;
      for (const [farmId, some] of refused) countOf(farmId, day).refused += some;
      wake();
    },
    beside: (day, read, use) =>
      alone(async () => {
        const what = await read();
        const today = [...counts.values()].filter((count) => count.day === day);
        use(what, new Map(today.map(({ farmId, readings }) => [farmId, readings])));
      }),
    flush,
    async stop() {
      isStopped = true;
      await flush();
    },
  };
}
