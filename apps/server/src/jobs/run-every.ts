import type { Pool } from 'pg';
import { atMost } from '../at-most.ts';

export interface Job {
  name: string;
  everyMs: number;
  /** Runs at start too. */
  run(): Promise<unknown>;
}

export interface JobLog {
  error(details: object, message: string): void;
}

/** So many jobs of a server run at the same time: each takes two of the connections that it has for everybody's calls. */
const JOBS_AT_ONCE = 3;

/**
 * Runs housekeeping at its rhythm, each job in a lane of its own: a long one doesn't hold back the others, and what it missed
 * meanwhile isn't made up for in a burst. A database lock per job keeps two servers from doing the same work at once; a job that
 * fails is logged and tried again at its next beat.
 */
export function runJobs(pool: Pool, jobs: readonly Job[], log: JobLog): { stop(): Promise<void> } {
  const inTurn = atMost(JOBS_AT_ONCE);
  const running = new Map<Job, Promise<void>>();
  let stopped = false;

  async function runQuietly(job: Job): Promise<void> {
    if (stopped) return;
    await runAlone(pool, job).catch((error: unknown) =>
      log.error({ err: error, job: job.name }, 'job failed'),
    );
  }
  /** One that still runs, or waits for its turn, leaves this beat out. */
  function beat(job: Job): void {
    if (running.has(job)) return;
    running.set(
      job,
      inTurn(() => runQuietly(job)).finally(() => running.delete(job)),
    );
  }

  const timers = jobs.map((job) => setInterval(beat, job.everyMs, job).unref());
  for (const job of jobs) beat(job);
  return {
    async stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}

async function runAlone(pool: Pool, job: Job): Promise<void> {
  const client = await pool.connect();
  let isLocked = false;
  try {
    const key = `headrace job ${job.name}`;
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as locked',
      [key],
    );
    isLocked = rows[0]?.locked === true;
    if (!isLocked) return;
    await job.run();
    await client.query('select pg_advisory_unlock(hashtext($1))', [key]);
    isLocked = false;
  } finally {
    // With the connection goes a lock that is still held: back in the pool it would keep the job from everyone.
    client.release(isLocked);
  }
}
