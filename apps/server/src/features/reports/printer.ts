import { availableParallelism } from 'node:os';
import { PRINTED } from '@headrace/contract/reports';
import type { Paper } from '@headrace/paper/paper';
import type { PackOrder } from '@headrace/paper/reports/pack-pages';
import type { PaperOrder } from '@headrace/paper/reports/paper-order';
import { atMost } from '../../at-most.ts';
import { ApiFailure, tooMany, tryAgain } from '../../http/errors.ts';
import { givePages, type PackFeed } from './give-pages.ts';
import { createPaperThread, type PaperJob, type PaperThread } from './paper-thread.ts';

const RETRY_MS = 10_000;
/** Beside calls: of two cores one is theirs. */
const HERE = { ...PRINTED, atOnce: Math.max(1, Math.min(PRINTED.atOnce, availableParallelism() - 1)) };
/** For so long a thread waits for another report. */
const IDLE_MS = 30_000;
const TOO_LONG = 'The report is too long: ask for fewer days, or take the CSV.';

/** With more room for what lives for a moment there are fewer collections: a long PDF is quicker by it, a pack is not. */
const YOUNG_MB = 64;

export interface Printer {
  /**
   * Throws tooMany where too many wait already, tooLarge where it takes too long or too much memory, and the reason of `over` once nobody
   * wants it any more: what makes it ends, so that who waits behind it doesn't wait for nobody.
   */
  print(paper: Paper | PaperOrder, over?: AbortSignal): Promise<Uint8Array>;
  /** A report will be asked for: its thread starts while what it is made of is read. */
  prepare(): void;
  /** A take's pack, the same way; and throws what its pages throw. */
  pack(order: PackOrder, feed: PackFeed, over?: AbortSignal): Promise<Uint8Array>;
  /** Resolves once nothing is being made any more. */
  close(): Promise<void>;
}

/**
 * Makes PDFs and packs in threads beside the server's, so that nobody else's call waits for a long report, and none takes the server down:
 * a thread ends with a report that fails. One that has made some is twice as quick as a new one, so it rests for a while before it ends.
 * `tooLongText`: what to do about one that is too long.
 */
export function createPrinter(
  limits: Record<keyof typeof PRINTED, number> & { readonly young?: number } = HERE,
  tooLongText = TOO_LONG,
): Printer {
  const tooLong = () => new ApiFailure('tooLarge', tooLongText);
  const inTurn = atMost(limits.atOnce);
  const threads = new Set<PaperThread>();
  /** Those that rest, and when each ends. */
  const idle = new Map<PaperThread, NodeJS.Timeout>();
  let wanted = 0;
  let isClosed = false;
  return {
    print: (paper, over) => unlessMany(() => inThread({ asked: paper }, over)),
    prepare() {
      if (threads.size === 0 && !isClosed) rest(newThread());
    },
    pack: (order, feed, over) => unlessMany(() => packInThread(order, feed, over)),
    async close() {
      isClosed = true;
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };

  async function unlessMany(make: () => Promise<Uint8Array>): Promise<Uint8Array> {
    if (wanted >= limits.atOnce + limits.waiting)
      throw tooMany(`Too many reports are being made. ${tryAgain(RETRY_MS)}`, RETRY_MS);
    wanted += 1;
    try {
      return await inTurn(make);
    } finally {
      wanted -= 1;
    }
  }

  async function packInThread(asked: PackOrder, feed: PackFeed, over?: AbortSignal): Promise<Uint8Array> {
    const { port, failed, end } = givePages(feed);
    try {
      return await inThread({ asked, pages: port }, over, failed);
    } finally {
      end();
    }
  }

  async function inThread(job: PaperJob, over?: AbortSignal, failed?: Promise<never>): Promise<Uint8Array> {
    over?.throwIfAborted();
    // Who waited while the server is stopped begins nothing that outlives it.
    if (isClosed) throw new ApiFailure('notReady', 'The server is stopping. Please try again soon.');
    const thread = rested() ?? newThread();
    let end: (reason: unknown) => void = () => {};
    const ended = new Promise<never>((_resolve, reject) => (end = reject));
    const timer = setTimeout(() => end(tooLong()), limits.seconds * 1000);
    const giveUp = () => end(over?.reason);
    over?.addEventListener('abort', giveUp);
    try {
      const made = await Promise.race([thread.make(job), ended, ...(failed ? [failed] : [])]);
      rest(thread);
      return made;
    } catch (error) {
      // What it does still ends with it.
      void thread.end();
      throw isOutOfMemory(error) ? tooLong() : error;
    } finally {
      clearTimeout(timer);
      over?.removeEventListener('abort', giveUp);
    }
  }

  function newThread(): PaperThread {
    const { megabytes, young = YOUNG_MB } = limits;
    const thread = createPaperThread({ megabytes, young }, () => {
      threads.delete(thread);
      clearTimeout(idle.get(thread));
      idle.delete(thread);
    });
    threads.add(thread);
    return thread;
  }

  function rested(): PaperThread | null {
    const [found] = idle.keys();
    if (!found) return null;
    clearTimeout(idle.get(found));
    idle.delete(found);
    return found;
  }

  function rest(thread: PaperThread): void {
    if (isClosed) return;
    const timer = setTimeout(() => {
      // Ending takes a moment, in which nobody may be given it.
      idle.delete(thread);
      void thread.end();
    }, IDLE_MS);
    timer.unref();
    idle.set(thread, timer);
  }
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
