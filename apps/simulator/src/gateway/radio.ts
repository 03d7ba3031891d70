import { type Lane, lanes } from '@headrace/device/lanes';
import type { Send } from '../farm-links.ts';
import type { Scheduler } from '../scheduler.ts';
import type { RadioJob } from './gateway-state.ts';

/** What a unit answers: what to publish before its acknowledgement, or why it could not do it. */
export type UnitReply = Send[] | string;

export type RadioOptions = {
  /** In the order in which they are served; kept by the caller between runs. */
  readonly jobs: RadioJob[];
  readonly scheduler: Scheduler;
  readonly now: () => number;
  /** Asked before every try. */
  readonly isOver: (job: RadioJob) => boolean;
  /** How long one try takes, ms. */
  readonly attemptMs: number;
  readonly maxAttempts: () => number;
  /** One try: does what is to be done when the unit hears it. `null` when no answer is heard. */
  readonly attempt: (job: RadioJob) => UnitReply | null;
  readonly onAnswer: (job: RadioJob, reply: UnitReply) => void;
  readonly onSilence: (job: RadioJob) => void;
  /** Its time was over before it was begun. */
  readonly onTooLate: (job: RadioJob) => void;
};

/**
 * A half-duplex radio: one unit at a time, until it answers or has been asked often enough. Lower lanes come first, in each lane what
 * came first. What is on the air is not broken off; between two tries a lower lane gets its turn.
 */
export function createRadio(options: RadioOptions) {
  const { jobs, scheduler, now } = options;
  let onAir: RadioJob | null = null;

  function serve(): void {
    while (!onAir) {
      const job = jobs[0];
      if (!job) return;
      if (!options.isOver(job)) return begin(job);
      jobs.shift();
      if (job.attempts === 0) options.onTooLate(job);
      else options.onSilence(job);
    }
  }

  function begin(job: RadioJob): void {
    onAir = job;
    job.attempts += 1;
    scheduler.add(now() + options.attemptMs, () => {
      onAir = null;
      end(job);
      serve();
    });
  }

  function end(job: RadioJob): void {
    const reply = options.attempt(job);
    if (reply !== null) {
      remove([job]);
      options.onAnswer(job, reply);
    } else if (job.lastWord !== undefined || job.attempts >= options.maxAttempts()) {
      remove([job]);
      options.onSilence(job);
    }
  }

  function remove(gone: readonly RadioJob[]): void {
    const set = new Set(gone);
    jobs.splice(0, jobs.length, ...jobs.filter((job) => !set.has(job)));
  }

  /** All of one lane, behind what it has; a stop for the unit whose start is on the air before all else. */
  function insert(more: readonly RadioJob[], lane: Lane): void {
    const isNext = ({ mac }: RadioJob) =>
      lane === lanes.stop && onAir?.lastWord !== undefined && onAir.mac === mac;
    const behind = jobs.findIndex((job) => job.lane > lane);
    const rest = more.filter((job) => !isNext(job));
    jobs.splice(behind < 0 ? jobs.length : behind, 0, ...rest);
    jobs.unshift(...more.filter(isNext));
  }

  return {
    isEmptyFor: (cmdId: string): boolean => !jobs.some((job) => job.cmdId === cmdId),
    add: (more: readonly RadioJob[]): void => {
      for (const lane of new Set(more.map((job) => job.lane)))
        insert(
          more.filter((job) => job.lane === lane),
          lane,
        );
      serve();
    },
    /** Takes jobs out, but lets one on the air finish its try: without an answer, `lastWord` is what is said of it (`null` = nothing). */
    end: (isMeant: (job: RadioJob) => boolean, lastWord: string | null): RadioJob[] => {
      if (onAir && isMeant(onAir)) onAir.lastWord ??= lastWord;
      const gone = jobs.filter((job) => job !== onAir && isMeant(job));
      remove(gone);
      return gone;
    },
    /** Goes on with what was left by the run before. */
    resume: serve,
  };
}
export type Radio = ReturnType<typeof createRadio>;
