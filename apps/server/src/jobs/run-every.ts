import type { Pool } from 'pg';
import { atMost } from '../at-most.ts';

export interface Job {
  name: string;
  everyMs: number;
  /** Runs at start too. `isWoken`: before its turn. */
  run(isWoken?: boolean): Promise<unknown>;
  /** Is given a way to have a turn soon, for a job that others may have news for. */
  readonly wakes?: (wake: () => void) => void;
}

export interface JobLog {
  error(details: object, message: string): void;
}

/** News comes in bursts: one turn for what came within so long, ms. */
const WAKE_MS = 500;

/** A turn of a job that is woken, too, for which another server is at it: tried again after so long, ms. */
const RETRY_MS = 250;

/** Jobs of a server that run at the same time: each uses two of the connections that calls of people need, too. */
const JOBS_AT_ONCE = 3;

/**
 * Runs repeated jobs, each at its own interval: a long one does not delay the others, and runs that it missed are not made up for in a burst.
 * A run that was woken does less than a turn: a turn that comes meanwhile, here or on another server, follows it. A database lock for each job keeps two servers from doing the same work at once. A job that fails is logged and tried again at its
 * next turn.
 */
export function runJobs(pool: Pool, jobs: readonly Job[], log: JobLog): { stop(): Promise<void> } {
  const inTurn = atMost(JOBS_AT_ONCE);
  const running = new Map<Job, { readonly isWoken: boolean; readonly over: Promise<void> }>();
  const turnsDue = new Set<Job>();
  const woken = new Map<Job, NodeJS.Timeout>();
  const retries = new Map<Job, NodeJS.Timeout>();
  let stopped = false;

  async function runQuietly(job: Job, isWoken: boolean): Promise<void> {
    if (stopped) return;
    try {
      const isOurs = await runAlone(pool, job, isWoken);
      if (!isOurs && !isWoken && job.wakes) retry(job);
    } catch (error) {
      log.error({ err: error, job: job.name }, 'job failed');
    }
  }
  /** A job whose turn is still running, or waits for a free place, skips this one; after a woken run it comes at once. */
  function beat(job: Job, isWoken = false): void {
    const current = running.get(job);
    if (current?.isWoken && !isWoken) turnsDue.add(job);
    if (current) return;
    const over = inTurn(() => runQuietly(job, isWoken)).finally(() => {
      running.delete(job);
      if (turnsDue.delete(job)) beat(job);
    });
    running.set(job, { isWoken, over });
  }
  /** The other server's run may have been a woken one. */
  function retry(job: Job): void {
    if (stopped || retries.has(job)) return;
    const turn = () => {
      retries.delete(job);
      beat(job);
    };
    retries.set(job, setTimeout(turn, RETRY_MS).unref());
  }
  /** What is told while it runs is for the turn after. */
  function wake(job: Job): void {
    if (stopped || woken.has(job)) return;
    const turn = () => {
      woken.delete(job);
      if (running.has(job)) wake(job);
      else beat(job, true);
    };
    woken.set(job, setTimeout(turn, WAKE_MS).unref());
  }

  const timers = jobs.map((job) => setInterval(beat, job.everyMs, job).unref());
  for (const job of jobs) {
    beat(job);
    job.wakes?.(() => wake(job));
  }
  return {
    async stop() {
      stopped = true;
      for (const timer of [...timers, ...woken.values(), ...retries.values()]) clearInterval(timer);
      await Promise.all([...running.values()].map(({ over }) => over));
    },
  };
}

/** False: another server is at it. */
async function runAlone(pool: Pool, job: Job, isWoken: boolean): Promise<boolean> {
  const client = await pool.connect();
  let isLocked = false;
  try {
    const key = `headrace job ${job.name}`;
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as locked',
      [key],
    );
    isLocked = rows[0]?.locked === true;
    if (!isLocked) return false;
    await job.run(isWoken);
    await client.query('select pg_advisory_unlock(hashtext($1))', [key]);
    isLocked = false;
    return true;
  } finally {
    // With the connection goes a lock that is still held: back in the pool it would keep the job from everyone.
    client.release(isLocked);
  }
}
