import { Worker } from 'node:worker_threads';
import { PRINTED } from '@headrace/contract/reports';
import type { Paper } from '@headrace/paper/paper';
import { atMost } from '../../at-most.ts';
import { ApiFailure, tooMany, tryAgain } from '../../http/errors.ts';

const RETRY_MS = 10_000;
const TOO_LONG = 'The report is too long: ask for fewer days, or take the CSV.';
const SCRIPT = new URL('./paper-worker.mjs', import.meta.url);

export interface Printer {
  /** Throws tooMany where too many wait already, tooLarge where it takes too long or too much memory. */
  print(paper: Paper): Promise<Uint8Array>;
  /** Resolves once nothing is being made any more. */
  close(): Promise<void>;
}

/**
 * Makes PDFs in threads of their own, so that nobody else's call waits for a long report, and none takes the server down. `tooLongText`:
 * what to do about one that is too long.
 */
export function createPrinter(
  limits: Record<keyof typeof PRINTED, number> = PRINTED,
  tooLongText = TOO_LONG,
): Printer {
  const tooLong = () => new ApiFailure('tooLarge', tooLongText);
  const inTurn = atMost(limits.atOnce);
  const workers = new Set<Worker>();
  let wanted = 0;
  let isClosed = false;
  return {
    async print(paper) {
      if (wanted >= limits.atOnce + limits.waiting)
        throw tooMany(`Too many reports are being made. ${tryAgain(RETRY_MS)}`, RETRY_MS);
      wanted += 1;
      try {
        return await inTurn(() => inThread(paper));
      } finally {
        wanted -= 1;
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };

  async function inThread(paper: Paper): Promise<Uint8Array> {
    // Who waited while the server is stopped begins nothing that outlives it.
    if (isClosed) throw new ApiFailure('notReady', 'The server is stopping. Please try again soon.');
    const worker = new Worker(SCRIPT, {
      execArgv: [],
      env: {},
      workerData: paper,
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    });
    workers.add(worker);
    let timer: NodeJS.Timeout | undefined;
    const made = new Promise<Uint8Array>((resolve, reject) => {
      timer = setTimeout(() => reject(tooLong()), limits.seconds * 1000);
      worker.once('message', resolve);
      worker.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLong() : error),
      );
      worker.once('exit', () => reject(new Error('A report ended before it was made.')));
    });
    return made.finally(() => {
      clearTimeout(timer);
      workers.delete(worker);
      void worker.terminate();
    });
  }
}
