import type { Scheduler } from '../scheduler.ts';
import type { OwnJob } from './gateway-state.ts';

export type OwnQueueOptions = {
  /** Kept by the caller between runs. */
  readonly jobs: OwnJob[];
  readonly scheduler: Scheduler;
  readonly now: () => number;
  readonly isOver: (job: OwnJob) => boolean;
  readonly delayMs: number;
  readonly carryOut: (job: OwnJob) => void;
};

/** What a gateway does itself, each thing a while after it was asked, unless its time is over by then. */
export function createOwnQueue({ jobs, scheduler, now, isOver, delayMs, carryOut }: OwnQueueOptions) {
  function later(job: OwnJob): void {
    scheduler.add(now() + delayMs, () => {
      const index = jobs.indexOf(job);
      if (index < 0) return;
      jobs.splice(index, 1);
      if (!isOver(job)) carryOut(job);
    });
  }
  return {
    add: (job: OwnJob): void => {
      jobs.push(job);
      later(job);
    },
    /** Takes jobs out that have not been done. */
    end: (isMeant: (job: OwnJob) => boolean): OwnJob[] => {
      const gone = jobs.filter(isMeant);
      jobs.splice(0, jobs.length, ...jobs.filter((job) => !gone.includes(job)));
      return gone;
    },
    /** Goes on with what was left by the run before. */
    resume: (): void => jobs.forEach(later),
  };
}
export type OwnQueue = ReturnType<typeof createOwnQueue>;
