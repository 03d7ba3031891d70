import type { Scheduler } from '../scheduler.ts';
import type { DeskJob } from './gateway-state.ts';

export type DeskOptions = {
  /** Kept by the caller between runs. */
  readonly jobs: DeskJob[];
  readonly scheduler: Scheduler;
  readonly now: () => number;
  readonly isOver: (job: DeskJob) => boolean;
  readonly delayMs: number;
  readonly carryOut: (job: DeskJob) => void;
};

/** What a gateway does itself, each thing a while after it was asked, unless its time is over by then. */
export function createDesk({ jobs, scheduler, now, isOver, delayMs, carryOut }: DeskOptions) {
  function later(job: DeskJob): void {
    scheduler.add(now() + delayMs, () => {
      const index = jobs.indexOf(job);
      if (index < 0) return;
      jobs.splice(index, 1);
      if (!isOver(job)) carryOut(job);
    });
  }
  return {
    add: (job: DeskJob): void => {
      jobs.push(job);
      later(job);
    },
    /** Takes jobs out that have not been done. */
    end: (isMeant: (job: DeskJob) => boolean): DeskJob[] => {
      const gone = jobs.filter(isMeant);
      jobs.splice(0, jobs.length, ...jobs.filter((job) => !gone.includes(job)));
      return gone;
    },
    /** Goes on with what was left by the run before. */
    resume: (): void => jobs.forEach(later),
  };
}
export type Desk = ReturnType<typeof createDesk>;
