import { Worker } from 'node:worker_threads';
import type { FailureCause, SandboxJob, SandboxOutcome } from './sandbox-job.ts';

/** A thread that runs one job at a time. It is started with the first one, and anew after it was ended. */
export interface Lane {
  isFree(): boolean;
  /** Only while it is free. */
  run(job: LaneJob, done: (outcome: SandboxOutcome) => void): void;
  close(): Promise<void>;
}

/** The script goes to the thread only when that wants it: the largest have 256 KiB, and a thread has most of them at hand. */
export type LaneJob = SandboxJob & { readonly script: string };
type Answer = SandboxOutcome | { readonly kind: 'ready' } | { readonly kind: 'wanted' };

const RESTART_MS = 1000;

/**
 * `watchdogMs`: a job that takes longer is ended with its thread. The engine's own clock isn't enough: functions such as
 * `new Array(2 ** 28).join('x')` never look at it. `onFree` is called whenever the lane can take a job again.
 */
export function createLane(script: URL, watchdogMs: number, onFree: () => void): Lane {
  let worker: Worker | null = null;
  let isReady = false;
  let isClosed = false;
  let waiting: { job: LaneJob; done: (outcome: SandboxOutcome) => void } | null = null;
  let watchdog: NodeJS.Timeout | undefined;

  function start(): void {
    const thread = new Worker(script, {
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    worker = thread;
    thread.unref();
    thread.on('message', (message: Answer) => {
      if (worker !== thread) return;
      if (message.kind === 'wanted') return post(waiting?.job);
      if (message.kind !== 'ready') return finish(message);
      isReady = true;
      send();
    });
    // 'exit' follows and says all that has to be done.
    thread.on('error', () => {});
    thread.on('exit', () => {
      if (worker !== thread) return;
      const hadStarted = isReady;
      worker = null;
      isReady = false;
      if (hadStarted) return finish(failure('crash', 'it ended its sandbox'));
      // Not at once: what keeps a thread from starting is rarely gone at once.
      setTimeout(() => finish(failure('queue', 'its sandbox could not be started')), RESTART_MS);
    });
  }

  function send(): void {
    if (!waiting) return;
    const { scriptId, input, limits } = waiting.job;
    post({ scriptId, input, limits });
    watchdog = setTimeout(suspect, watchdogMs);
  }

  function post(job: SandboxJob | undefined): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    if (job) worker?.postMessage(job);
  }

  /** After a stall of this thread the timer runs before the answer that has come meanwhile is read. */
  function suspect(): void {
    const suspected = waiting;
    setImmediate(() => {
      if (waiting && waiting === suspected) endLate();
    });
  }

  function endLate(): void {
    const late = worker;
    worker = null;
    isReady = false;
    void late?.terminate();
    finish(failure('time', 'it took too long'));
  }

  function finish(outcome: SandboxOutcome): void {
    clearTimeout(watchdog);
    const done = waiting?.done;
    waiting = null;
    done?.(outcome);
    if (!isClosed) onFree();
  }

  return {
    isFree: () => waiting === null && !isClosed,
    run(job, done) {
      waiting = { job, done };
      if (!worker) start();
      else if (isReady) send();
    },
    async close() {
      isClosed = true;
      const last = worker;
      worker = null;
      finish(failure('queue', 'the server is stopping'));
      await last?.terminate();
    },
  };
}

export function failure(cause: FailureCause, message: string): SandboxOutcome {
  return { kind: 'failed', cause, message, line: null };
}
