import { setTimeout as sleep } from 'node:timers/promises';
import { JobCancelled } from './long-job-type.ts';
import { CANCELLED_TEXT, LEASE_S, type LongJobRow, type LongJobsRepo } from './long-jobs.repo.ts';

/** How often the database is told that a job still runs, ms, and at most how far it is. */
const BEAT_MS = 5000;
const PROGRESS_MS = 1000;

/** Why a job is to end that wasn't cancelled. */
export const STOPPING = new Error('the server stops');
export const LOST = new Error('the job may be another server’s now');

interface KeepOptions {
  readonly repo: Pick<LongJobsRepo, 'keep'>;
  /** The server stops. */
  readonly stopping: AbortSignal;
  readonly onError: (error: unknown) => void;
}

export interface KeptJob {
  /** Aborted with why the job is to end. */
  readonly signal: AbortSignal;
  progress(part: number, text: string): void;
  /** Resolves when nothing more is written of it, its last progress stored. */
  end(): Promise<void>;
}

/** Keeps a job for its runner: says that it is alive, carries its progress, and hears when it should end. */
export function keepJob(job: LongJobRow, { repo, stopping, onError }: KeepOptions): KeptJob {
  const over = new AbortController();
  const ended = new AbortController();
  let told: { part: number; text: string } | undefined;
  let keptAt = performance.now();
  const stop = () => over.abort(STOPPING);
  stopping.addEventListener('abort', stop);
  if (stopping.aborted) stop();
  if (job.cancel_asked_at) over.abort(new JobCancelled(CANCELLED_TEXT));

  async function beat(): Promise<void> {
    const progress = told;
    told = undefined;
    try {
      const kept = await repo.keep(job, progress);
      if (!kept) over.abort(LOST);
      else if (kept.cancel_asked_at) over.abort(new JobCancelled(CANCELLED_TEXT));
      keptAt = performance.now();
    } catch (error) {
      onError(error);
      told ??= progress;
      if (performance.now() - keptAt > LEASE_S * 1000) over.abort(LOST);
    }
  }

  async function beats(): Promise<void> {
    while (!ended.signal.aborted && !over.signal.aborted) {
      await sleep(PROGRESS_MS, undefined, { signal: ended.signal }).catch(() => {});
      const isDue = !ended.signal.aborted && performance.now() - keptAt >= BEAT_MS;
      if (told || isDue) await beat();
    }
    // Told while the last beat was on its way.
    if (told && !over.signal.aborted) await beat();
  }
  const beating = beats();

  return {
    signal: over.signal,
    progress(part: number, text: string): void {
      told = { part: Math.min(1, Math.max(0, part)), text };
    },
    async end(): Promise<void> {
      stopping.removeEventListener('abort', stop);
      ended.abort();
      await beating;
    },
  };
}
