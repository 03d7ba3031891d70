import { setTimeout as sleep } from 'node:timers/promises';
import { type Remedy, remedyFor } from './batch-failure.ts';

/** What waits for its batch. It is opened only then: while the database is away, messages wait as the bytes they came in. */
export interface Waiting<T> {
  /** About how many rows it will become. */
  readonly rows: number;
  /** Never throws. */
  open(): readonly T[];
}

export interface BatcherOptions<T> {
  /** A batch is written when this many rows wait… */
  flushRows: number;
  /** …or when the first has waited this long, ms. */
  flushMs: number;
  /** What an item really is, in rows. */
  rowsOf(item: T): number;
  /** Writes all or nothing. */
  commit(items: readonly T[]): Promise<void>;
  /** What is stored instead of an item that can't be, or null when there is nothing simpler. */
  setAside(item: T, error: unknown): T | null;
  onFailure(error: unknown, remedy: Remedy, items: number): void;
}

export interface Batcher<T> {
  add(waiting: Waiting<T>): void;
  /** Resolves to true when all that was added is committed, to false when that took longer than `withinMs`. */
  drain(withinMs: number): Promise<boolean>;
  /** Tries no more; what isn't committed stays unacknowledged and is sent again by its sender. */
  stop(): void;
  waiting(): number;
}

/** Under load a batch grows to this many times `flushRows`: fewer, larger commits are what makes up for lost time. */
const GROWTH = 4;
const RETRY_MS = { first: 100, most: 5000 };

/**
 * One batch is written at a time while the next one gathers. An item is only let go once it is committed: failures are
 * tried again until they pass, and an item that can't be stored is found by halving and replaced.
 */
export function createBatcher<T>(options: BatcherOptions<T>): Batcher<T> {
  let queue: Waiting<T>[] = [];
  let rows = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = false;
  const stopped = new AbortController();
  const idle = new Set<() => void>();

  function wake(): void {
    if (writing || stopped.signal.aborted) return;
    if (queue.length === 0) for (const resolve of idle) resolve();
    else if (rows >= options.flushRows || idle.size > 0) void run();
    else timer ??= setTimeout(() => void run(), options.flushMs);
  }

  async function run(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = true;
    const items = take();
    if (items.length > 0) await store(items);
    writing = false;
    wake();
  }

  function take(): T[] {
    const items: T[] = [];
    let size = 0;
    let taken = 0;
    for (const waiting of queue) {
      if (size >= options.flushRows * GROWTH) break;
      taken += 1;
      rows -= waiting.rows;
      for (const item of waiting.open()) {
        items.push(item);
        size += options.rowsOf(item);
      }
    }
    queue = queue.slice(taken);
    return items;
  }

  /** Resolves when all of it is committed, or when there is no more trying. */
  async function store(items: readonly T[]): Promise<void> {
    for (let failures = 0; !stopped.signal.aborted; failures += 1) {
      try {
        return await options.commit(items);
      } catch (error) {
        const remedy = remedyFor(error);
        options.onFailure(error, remedy, items.length);
        if (remedy !== 'wait' && items.length > 1) return storeHalves(items);
        const instead = remedy === 'isolate' && items[0] ? options.setAside(items[0], error) : null;
        if (instead !== null) items = [instead];
        else await pause(failures);
      }
    }
  }

  async function storeHalves(items: readonly T[]): Promise<void> {
    const middle = items.length >> 1;
    await store(items.slice(0, middle));
    await store(items.slice(middle));
  }

  function pause(failures: number): Promise<unknown> {
    const ms = Math.min(RETRY_MS.first * 2 ** failures, RETRY_MS.most);
    return sleep(ms, undefined, { signal: stopped.signal }).catch(() => {});
  }

  return {
    add(waiting) {
      queue.push(waiting);
      rows += waiting.rows;
      wake();
    },
    async drain(withinMs) {
      const done = new Promise<true>((resolve) => {
        const finish = () => {
          idle.delete(finish);
          resolve(true);
        };
        idle.add(finish);
      });
      wake();
      const late = new AbortController();
      const timeUp = sleep(withinMs, false as const, { signal: late.signal }).catch(() => false as const);
      const isDone = await Promise.race([done, timeUp]);
      late.abort();
      return isDone;
    },
    stop() {
      stopped.abort();
      clearTimeout(timer);
    },
    waiting: () => queue.length,
  };
}
