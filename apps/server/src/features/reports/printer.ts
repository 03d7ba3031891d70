import { Worker } from 'node:worker_threads';
import { PRINTED } from '@headrace/contract/reports';
import type { Paper } from '@headrace/paper/paper';
import { atMost } from '../../at-most.ts';
import { tooMany, tryAgain } from '../../http/errors.ts';

const RETRY_MS = 10_000;
const SCRIPT = new URL('./paper-worker.mjs', import.meta.url);

export interface Printer {
  /** Throws tooMany where too many wait already. */
  print(paper: Paper): Promise<Uint8Array>;
  /** Resolves once nothing is being made any more. */
  close(): Promise<void>;
}

/** Makes PDFs in threads of their own, so that nobody else's call waits for a long report, and none takes the server down. */
export function createPrinter(limits: Record<keyof typeof PRINTED, number> = PRINTED): Printer {
  const inTurn = atMost(limits.atOnce);
  const workers = new Set<Worker>();
  let wanted = 0;
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
      await Promise.all([...workers].map((worker) => worker.terminate()));
    },
  };

  function inThread(paper: Paper): Promise<Uint8Array> {
    const worker = new Worker(SCRIPT, {
      execArgv: [],
      env: {},
      workerData: paper,
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes },
    });
    workers.add(worker);
    let timer: NodeJS.Timeout | undefined;
    const made = new Promise<Uint8Array>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`A report took more than ${limits.seconds} s.`)),
        limits.seconds * 1000,
      );
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('A report ended before it was made.')));
    });
    return made.finally(() => {
      clearTimeout(timer);
      workers.delete(worker);
      void worker.terminate();
    });
  }
}
