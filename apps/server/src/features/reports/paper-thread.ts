import { Worker } from 'node:worker_threads';
import type { Paper } from '@headrace/paper/paper';
import type { PaperOrder } from '@headrace/paper/reports/paper-order';

const SCRIPT = new URL('./paper-worker.mjs', import.meta.url);
/** Most of what a report makes lives for a moment: with more room for it there are fewer collections. */
const YOUNG_MB = 64;

/** A thread that makes PDFs, one after the other. */
export interface PaperThread {
  /** Throws what the thread died of. */
  make(paper: Paper | PaperOrder): Promise<Uint8Array>;
  end(): Promise<unknown>;
}

interface Job {
  readonly resolve: (pdf: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** `onEnd`: it has ended, whether it was told to or died. */
export function createPaperThread(megabytes: number, onEnd: () => void): PaperThread {
  const worker = new Worker(SCRIPT, {
    execArgv: [],
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: megabytes,
      maxYoungGenerationSizeMb: Math.min(YOUNG_MB, megabytes),
    },
  });
  let job: Job | null = null;
  const done = (settle: (current: Job) => void) => {
    if (job) settle(job);
    job = null;
    // One that rests keeps no process from ending.
    worker.unref();
  };
  worker.on('message', (pdf: Uint8Array) => done(({ resolve }) => resolve(pdf)));
  worker.on('error', (error: Error) => done(({ reject }) => reject(error)));
  worker.on('exit', () => {
    onEnd();
    done(({ reject }) => reject(new Error('A report ended before it was made.')));
  });
  return {
    make: (paper) =>
      new Promise((resolve, reject) => {
        job = { resolve, reject };
        worker.ref();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        worker.postMessage(paper);
      }),
    end: () => worker.terminate(),
  };
}
