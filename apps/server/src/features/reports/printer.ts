import { availableParallelism } from 'node:os';
import { PRINTED } from '@headrace/contract/reports';
import type { Paper } from '@headrace/paper/paper';
import type { PackOrder } from '@headrace/paper/reports/pack-pages';
import type { PaperOrder } from '@headrace/paper/reports/paper-order';
import { atMost } from '../../at-most.ts';
import { ApiFailure, tooMany, tryAgain } from '../../http/errors.ts';
import { OutOfRoom } from '../../machine/own-process.ts';
import type { PackFeed } from './give-pages.ts';
import { createPaperProcess, type PaperJob, type PaperProcess } from './paper-process.ts';

const RETRY_MS = 10_000;
/** Beside calls: of two cores one is theirs. */
const HERE = { ...PRINTED, atOnce: Math.max(1, Math.min(PRINTED.atOnce, availableParallelism() - 1)) };
/** For so long a process waits for another report. */
const IDLE_MS = 30_000;
const TOO_LONG = 'The report takes too long or too much memory: ask for fewer days, or take the CSV.';

/** With more room for what lives for a moment there are fewer collections: a long PDF is quicker by it, a pack is not. */
const YOUNG_MB = 16;

export interface Printer {
  /**
   * Throws tooMany where too many wait already, tooLarge where it takes too long or too much memory, and the reason of `over` once nobody
   * wants it any more: what makes it ends, so that who waits behind it doesn't wait for nobody.
   */
  print(paper: Paper | PaperOrder, over?: AbortSignal): Promise<Uint8Array>;
  /** A report will be asked for: its process starts while what it is made of is read. */
  prepare(): void;
  /** A take's pack, the same way; and throws what its pages throw. */
  pack(order: PackOrder, feed: PackFeed, over?: AbortSignal): Promise<Uint8Array>;
  /** Resolves once nothing is being made any more. */
  close(): Promise<void>;
}

/**
 * Makes PDFs and packs in processes beside the server's, so that nobody else's call waits for a long report, and none takes the server down:
 * a process ends with a report that fails. One that has made some is twice as quick as a new one, so it rests for a while before it ends.
 * `tooLongText`: what to do about one that is too long.
 */
export function createPrinter(
  limits: Record<keyof typeof PRINTED, number> & { readonly young?: number } = HERE,
  tooLongText = TOO_LONG,
): Printer {
  const tooLong = () => new ApiFailure('tooLarge', tooLongText);
  const inTurn = atMost(limits.atOnce);
  const processes = new Set<PaperProcess>();
  /** Those that rest, and when each ends. */
  const idle = new Map<PaperProcess, NodeJS.Timeout>();
  let wanted = 0;
  let isClosed = false;
  return {
    print: (paper, over) => unlessMany(() => inProcess({ asked: paper }, over)),
    prepare() {
      if (processes.size === 0 && !isClosed) rest(newProcess());
    },
    pack: (order, feed, over) => unlessMany(() => packed(order, feed, over)),
    async close() {
      isClosed = true;
      await Promise.all([...processes].map((one) => one.end()));
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

  async function packed(asked: PackOrder, feed: PackFeed, over?: AbortSignal): Promise<Uint8Array> {
    try {
      return await inProcess({ asked, feed }, over);
    } finally {
      // Nobody asks for more.
      void feed.pages.return().catch(() => {});
    }
  }

  async function inProcess(job: PaperJob, over?: AbortSignal): Promise<Uint8Array> {
    over?.throwIfAborted();
    // Who waited while the server is stopped begins nothing that outlives it.
    if (isClosed) throw new ApiFailure('notReady', 'The server is stopping. Please try again soon.');
    const child = rested() ?? newProcess();
    let end: (reason: unknown) => void = () => {};
    const ended = new Promise<never>((_resolve, reject) => (end = reject));
    const timer = setTimeout(() => end(tooLong()), limits.seconds * 1000);
    const giveUp = () => end(over?.reason);
    over?.addEventListener('abort', giveUp);
    try {
      const made = await Promise.race([child.make(job), ended]);
      rest(child);
      return made;
    } catch (error) {
      // What it does still ends with it.
      void child.end();
      throw error instanceof OutOfRoom ? tooLong() : error;
    } finally {
      clearTimeout(timer);
      over?.removeEventListener('abort', giveUp);
    }
  }

  function newProcess(): PaperProcess {
    const { megabytes, young = YOUNG_MB } = limits;
    const child = createPaperProcess({ megabytes, young }, () => {
      processes.delete(child);
      clearTimeout(idle.get(child));
      idle.delete(child);
    });
    processes.add(child);
    return child;
  }

  function rested(): PaperProcess | null {
    const [found] = idle.keys();
    if (!found) return null;
    clearTimeout(idle.get(found));
    idle.delete(found);
    return found;
  }

  function rest(child: PaperProcess): void {
    if (isClosed) return;
    const timer = setTimeout(() => {
      // Ending takes a moment, in which nobody may be given it.
      idle.delete(child);
      void child.end();
    }, IDLE_MS);
    timer.unref();
    idle.set(child, timer);
  }
}
