import type { Scheduler } from '../scheduler.ts';
import type { DeskJob } from './gateway-state.ts';

export type DeskOptions = {
  /** Kept by the caller between runs. */
  readonly jobs: DeskJob[];
  readonly scheduler: Scheduler;
  readonly now: () => number;
  /** The gateway's clock, epoch ms. */
  readonly clock: () => number;
  readonly delayMs: number;
  readonly carryOut: (job: DeskJob) => void;
};

/** What a gateway does itself, each thing a while after it was asked, unless its time is over by then. */
export function createDesk({ jobs, scheduler, now, clock, delayMs, carryOut }: DeskOptions) {
  function later(job: DeskJob): void {
    scheduler.add(now() + delayMs, () => {
      jobs.splice(jobs.indexOf(job), 1);
      if (job.expiresAt === null || clock() < job.expiresAt) carryOut(job);
    });
  }
  return {
    add: (job: DeskJob): void => {
      jobs.push(job);
      later(job);
    },
    /** Goes on with what was left by the run before. */
    resume: (): void => jobs.forEach(later),
  };
}
