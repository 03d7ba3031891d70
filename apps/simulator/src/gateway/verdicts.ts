import type { Answers } from './answers.ts';
import { forgetIfBegun, type GatewayState, type HeldSchedule, type RadioJob } from './gateway-state.ts';
import type { Radio, UnitReply } from './radio.ts';

/** A group tells how far it is after so many units. */
const progressEvery = 5;

type About = { readonly cmdId: string; readonly mac?: string; readonly attempts?: number };

/** How often the radio asked, where it did. */
const triesOf = (attempts = 0) => (attempts > 0 ? { attempts } : {});

/** What is said of commands and sets: `accepted`, then the last word on each unit. */
export function createVerdicts(
  own: GatewayState,
  answers: Answers,
  radio: Radio,
  saysOneDone: () => boolean,
) {
  function accept({ cmdId, mac }: About): void {
    answers.give({ cmdId, ...(mac !== undefined && { mac }), state: 'accepted' });
  }

  /** `done` after what it publishes, or why not. */
  function settle({ cmdId, mac, attempts }: About, reply: UnitReply): void {
    const about = { cmdId, ...(mac !== undefined && { mac }), ...triesOf(attempts) };
    if (typeof reply === 'string') answers.give({ ...about, state: 'failed', error: reply });
    else answers.give({ ...about, state: 'done' }, reply);
  }

  /** Says the same of several units, then once of each command how far it is. */
  function settleUnits(jobs: readonly RadioJob[], reply: UnitReply): void {
    for (const job of jobs) {
      if (job.task.kind === 'schedule') settleSchedule(job, job.task, reply);
      else settle(job, reply);
    }
    for (const [cmdId, { task }] of new Map(jobs.map((job) => [job.cmdId, job]))) {
      const isSet = task.kind === 'schedule';
      if (!isSet) tellProgress(cmdId);
      if ((isSet || answers.isGroup(cmdId)) && saysOneDone() && radio.isEmptyFor(cmdId))
        answers.giveOnce({ cmdId, state: 'done' });
    }
  }

  /** A set may be sent again for a unit that failed: its answers are not remembered, what the unit holds is. */
  function settleSchedule(job: RadioJob, held: HeldSchedule, reply: UnitReply): void {
    const { cmdId, mac } = job;
    const about = { cmdId, mac, ...triesOf(job.attempts) };
    if (typeof reply === 'string') {
      forgetIfBegun(own, job);
      answers.giveOnce({ ...about, state: 'failed', error: reply });
      return;
    }
    const { rev, crc, entries, cycleLength } = held;
    own.schedules[mac] = { rev, crc, entries, cycleLength };
    answers.giveOnce({ ...about, state: 'done' }, reply);
  }

  function tellProgress(cmdId: string): void {
    const progress = answers.progressOf(cmdId);
    if (progress && (progress.done % progressEvery === 0 || radio.isEmptyFor(cmdId)))
      answers.give({ cmdId, state: 'progress', ...progress });
  }

  return {
    accept,
    settle,
    settleUnits,
    settleUnit: (job: RadioJob, reply: UnitReply): void => settleUnits([job], reply),
    /** `null`: a newer set speaks for the unit, or the set was withdrawn. */
    settleUnheard: (job: RadioJob, reason: string | null): void => {
      if (reason !== null) return settleUnits([job], reason);
      forgetIfBegun(own, job);
      answers.say([]);
    },
  };
}
export type Verdicts = ReturnType<typeof createVerdicts>;
