import { type MessagePort, Worker } from 'node:worker_threads';
import type { Paper } from '@headrace/paper/paper';
import type { PackOrder } from '@headrace/paper/reports/pack-pages';
import type { PaperOrder } from '@headrace/paper/reports/paper-order';

const SCRIPT = new URL('./paper-worker.mjs', import.meta.url);
/** What a thread may hold, MB; `young`: of what lives for a moment, which is most of it. */
export interface ThreadMemory {
  readonly megabytes: number;
  readonly young: number;
}

/** What a thread is sent. */
export interface PaperJob {
  readonly asked: Paper | PaperOrder | PackOrder;
  /** Where a pack's pages are asked for. */
  readonly pages?: MessagePort;
}

/** A thread that makes PDFs and packs, one after the other. */
export interface PaperThread {
  /** Throws what the thread died of. */
  make(job: PaperJob): Promise<Uint8Array>;
  end(): Promise<unknown>;
}

interface Waiting {
  readonly resolve: (made: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** `onEnd`: it has ended, whether it was told to or died. */
export function createPaperThread({ megabytes, young }: ThreadMemory, onEnd: () => void): PaperThread {
  const worker = new Worker(SCRIPT, {
    execArgv: [],
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: megabytes,
      maxYoungGenerationSizeMb: Math.min(young, megabytes),
    },
  });
  // One that rests keeps no process from ending.
  worker.unref();
  let waiting: Waiting | null = null;
  const done = (settle: (current: Waiting) => void) => {
    if (waiting) settle(waiting);
    waiting = null;
    worker.unref();
  };
  worker.on('message', (made: Uint8Array) => done(({ resolve }) => resolve(made)));
  worker.on('error', (error: Error) => done(({ reject }) => reject(error)));
  worker.on('exit', () => {
    onEnd();
    done(({ reject }) => reject(new Error('A report ended before it was made.')));
  });
  return {
    make: (job) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        worker.ref();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage(job, job.pages ? [job.pages] : []);
      }),
    end: () => worker.terminate(),
  };
}
