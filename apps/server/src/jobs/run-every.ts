import type { Pool } from 'pg';

export interface Job {
  name: string;
  everyMs: number;
  /** Runs at start too. */
  run(): Promise<unknown>;
}

export interface JobLog {
  error(details: object, message: string): void;
}

/**
 * Runs housekeeping at its rhythm. A database lock per job keeps two servers from doing the same work at once; a job
 * that fails is logged and tried again at its next turn.
 */
export function runJobs(pool: Pool, jobs: readonly Job[], log: JobLog): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const runQuietly = async (job: Job, after: Promise<void>) => {
    await after;
    if (stopped) return;
    await runAlone(pool, job).catch((error: unknown) =>
      log.error({ err: error, job: job.name }, 'job failed'),
    );
  };
  const turn = (job: Job) => {
    running = runQuietly(job, running);
  };
  const timers = jobs.map((job) => setInterval(turn, job.everyMs, job).unref());
  for (const job of jobs) turn(job);
  return {
    async stop() {
      stopped = true;
      for (const timer of timers) clearInterval(timer);
      await running;
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
