import type { Send } from '../farm-links.ts';
import type { Scheduler } from '../scheduler.ts';
import type { RadioJob } from './gateway-state.ts';

/** What a unit answers: what to publish before its acknowledgement, or why it could not do it. */
export type UnitReply = Send[] | string;

export type RadioOptions = {
  /** In order; kept by the caller between runs. */
  readonly jobs: RadioJob[];
  readonly scheduler: Scheduler;
  readonly now: () => number;
  /** The gateway's clock, epoch ms. */
  readonly clock: () => number;
  /** How long one attempt takes, ms. */
  readonly attemptMs: number;
  readonly maxAttempts: () => number;
  /** One attempt: does what is to be done when the unit hears it. `null` when no answer is heard. */
  readonly attempt: (job: RadioJob) => UnitReply | null;
  readonly onAnswer: (job: RadioJob, reply: UnitReply) => void;
  readonly onSilence: (job: RadioJob) => void;
  /** Its time was over before it was begun. */
  readonly onTooLate: (job: RadioJob) => void;
};

/** A half-duplex radio: one unit at a time, in order, until it answers or has been asked often enough. */
export function createRadio(options: RadioOptions) {
  const { jobs, scheduler, now, clock } = options;
  let isBusy = false;

  function serve(): void {
    if (isBusy) return;
    for (let job = jobs[0]; job; job = jobs[0]) {
      if (job.expiresAt === null || clock() < job.expiresAt) {
        begin(job);
        return;
      }
      jobs.shift();
      if (job.attempts === 0) options.onTooLate(job);
      else options.onSilence(job);
    }
  }

  function begin(job: RadioJob): void {
    isBusy = true;
    job.attempts += 1;
    scheduler.add(now() + options.attemptMs, () => {
      isBusy = false;
      // Taken back or replaced while it was on the air: the newer one speaks for the unit.
      if (jobs[0] === job) end(job);
      serve();
    });
  }

  function end(job: RadioJob): void {
    const reply = options.attempt(job);
    if (reply !== null) {
      jobs.shift();
      options.onAnswer(job, reply);
    } else if (job.attempts >= options.maxAttempts()) {
      jobs.shift();
      options.onSilence(job);
    }
  }

  return {
    isEmptyFor: (cmdId: string): boolean => !jobs.some((job) => job.cmdId === cmdId),
    add: (more: readonly RadioJob[]): void => {
      jobs.push(...more);
      serve();
    },
    /** Takes back jobs that have not been answered. */
    withdraw: (isMeant: (job: RadioJob) => boolean): void => {
      const kept = jobs.filter((job) => !isMeant(job));
      jobs.splice(0, jobs.length, ...kept);
    },
    /** Goes on with what was left by the run before. */
    resume: serve,
  };
}
export type Radio = ReturnType<typeof createRadio>;
