import { Worker } from 'node:worker_threads';
import { tooMany } from '../../../http/errors.ts';
import type { ReadJob, ReadOutcome } from './file-content.ts';

const SECONDS = 20;
const MEGABYTES = 256;
/** Files that wait for their turn: each has a thread of its own, one after another. */
const WAITING_MAX = 20;

const script = new URL('read-worker.mjs', import.meta.url);
const fault = (sentence: string): ReadOutcome => ({ kind: 'fault', fault: sentence });

/** Reads files in a thread that ends with each: what a file does to it, it does to no other and not to the server. */
export function createFileReader() {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  return async function read(job: ReadJob): Promise<ReadOutcome> {
    if (waiting >= WAITING_MAX)
      throw tooMany('Many files are being read. Please try again in a minute.', 60_000);
    waiting += 1;
    const mine = last.then(() => readInThread(job)).finally(() => (waiting -= 1));
    last = mine.catch(() => {});
    return mine;
  };
}

const readInThread = (job: ReadJob): Promise<ReadOutcome> =>
  new Promise((resolve) => {
    const thread = new Worker(script, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
    });
    const end = (outcome: ReadOutcome) => {
      clearTimeout(watchdog);
      resolve(outcome);
      void thread.terminate();
    };
    const watchdog = setTimeout(
      () => end(fault(`The file took longer than ${SECONDS} seconds to read. Please divide it.`)),
      SECONDS * 1000,
    );
    thread.once('message', end);
    // Also where it has used too much memory.
    thread.once('error', () => end(fault('The file could not be read: it is too large or damaged.')));
    thread.once('exit', () => end(fault('The file could not be read: it is too large or damaged.')));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    thread.postMessage(job);
  });
