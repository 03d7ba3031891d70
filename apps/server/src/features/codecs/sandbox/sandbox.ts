import { availableParallelism } from 'node:os';
import { createLane, failure } from './lane.ts';
import { type CodecInput, SANDBOX_LIMITS, type SandboxLimits, type SandboxOutcome } from './sandbox-job.ts';

export interface Sandbox {
  /**
   * Runs a codec. Jobs of one key run one after another in their order, and no key waits for more than one job of each
   * other one: a slow codec is slow for its own sensors alone. Never rejects.
   */
  run(key: string, script: string, input: CodecInput | null): Promise<SandboxOutcome>;
  /** Gives up what waits for this key. */
  giveUp(key: string, reason: string): void;
  waiting(): number;
  close(): Promise<void>;
}

export interface SandboxOptions {
  threads?: number;
  limits?: SandboxLimits;
  /** Longer than `limits.runMs`: what the engine can't stop by itself is ended after this long, ms. */
  watchdogMs?: number;
  /** What waits for its turn longer than this is given up, ms… */
  queueMs?: number;
  /** …and so is what comes when this many wait for the same key. */
  queueLength?: number;
}

interface Job {
  script: string;
  input: CodecInput | null;
  since: number;
  done: (outcome: SandboxOutcome) => void;
}

const WATCHDOG_MS = 3000;
/** A codec of usual speed decodes 10,000 and more in this time. */
const QUEUE_MS = 30_000;
const QUEUE_LENGTH = 20_000;
const SWEEP_MS = 1000;

/** Threads that run untrusted scripts, and the queues before them. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { limits = SANDBOX_LIMITS, queueMs = QUEUE_MS, queueLength = QUEUE_LENGTH } = options;
  const script = new URL('./codec-worker.mjs', import.meta.url);
  /** In the order of turns: a key that had its turn goes to the end. */
  const queues = new Map<string, Job[]>();
  const running = new Set<string>();
  const scriptIds = createScriptIds();
  let isClosed = false;
  const lanes = Array.from({ length: options.threads ?? usualThreads() }, () =>
    createLane(script, options.watchdogMs ?? WATCHDOG_MS, pump),
  );
  const sweeper = setInterval(sweep, SWEEP_MS).unref();

  function pump(): void {
    for (const lane of lanes) {
      const next = lane.isFree() ? nextJob() : undefined;
      if (!next) continue;
      const { key, job } = next;
      running.add(key);
      const { script: text, input } = job;
      lane.run({ scriptId: scriptIds.of(text), script: text, input, limits }, (outcome) => {
        running.delete(key);
        toTheEnd(key);
        job.done(outcome);
      });
    }
  }

  function toTheEnd(key: string): void {
    const jobs = queues.get(key);
    queues.delete(key);
    if (jobs && jobs.length > 0) queues.set(key, jobs);
  }

  function nextJob(): { key: string; job: Job } | undefined {
    for (const [key, jobs] of queues) {
      if (running.has(key)) continue;
      const job = jobs.shift();
      if (job) return { key, job };
    }
    return undefined;
  }

  function sweep(): void {
    const before = performance.now() - queueMs;
    for (const [key, jobs] of queues) {
      const first = jobs.findIndex((job) => job.since > before);
      const late = jobs.splice(0, first < 0 ? jobs.length : first);
      if (jobs.length === 0) queues.delete(key);
      for (const job of late) job.done(failure('queue', 'it is slower than its sensors send'));
    }
  }

  return {
    run(key, script, input) {
      return new Promise((done) => {
        const jobs = queues.get(key) ?? [];
        if (isClosed) return done(failure('queue', 'the server is stopping'));
        if (jobs.length >= queueLength)
          return done(failure('queue', `${queueLength} messages wait for it already`));
        jobs.push({ script, input, since: performance.now(), done });
        queues.set(key, jobs);
        pump();
      });
    },
    giveUp(key, reason) {
      const jobs = queues.get(key) ?? [];
      queues.delete(key);
      for (const job of jobs) job.done(failure('queue', reason));
    },
    waiting: () => running.size + [...queues.values()].reduce((sum, jobs) => sum + jobs.length, 0),
    async close() {
      isClosed = true;
      clearInterval(sweeper);
      for (const key of queues.keys()) this.giveUp(key, 'the server is stopping');
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

/** The server's own thread needs a core too. */
export function usualThreads(): number {
  return availableParallelism() > 2 ? 2 : 1;
}

/** Scripts whose ids are remembered; a thread has fewer at hand. */
const SCRIPT_IDS = 500;

/** A number for each script: the threads know scripts by it. */
function createScriptIds(): { of(script: string): number } {
  const ids = new Map<string, number>();
  let last = 0;
  return {
    of(script) {
      const id = ids.get(script) ?? (last += 1);
      ids.delete(script);
      ids.set(script, id);
      const [oldest] = ids.keys();
      if (ids.size > SCRIPT_IDS && oldest !== undefined) ids.delete(oldest);
      return id;
    },
  };
}
