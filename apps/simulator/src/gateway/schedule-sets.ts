import { setAckId } from '@headrace/device/commands';
import type { SchedulesDown } from '@headrace/device/downlinks';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { Faults } from '../faults/faults.ts';
import type { LiveUnits } from '../live-units.ts';
import { heldCrc, heldCycle } from '../models/sprinkler.ts';
import type { Answers } from './answers.ts';
import {
  daysOf,
  forgetIfBegun,
  type GatewayState,
  type HeldSchedule,
  type RadioJob,
} from './gateway-state.ts';
import { type OrderOf, radioJob } from './orders.ts';
import { createParts } from './parts.ts';
import type { Radio, UnitReply } from './radio.ts';
import type { Starts } from './starts.ts';
import type { Verdicts } from './verdicts.ts';

export type ScheduleSetsOptions = {
  readonly own: GatewayState;
  readonly units: LiveUnits;
  readonly faults: Faults;
  readonly answers: Answers;
  readonly verdicts: Verdicts;
  readonly radio: Radio;
  readonly orderOf: OrderOf;
  readonly starts: Starts;
  readonly isPlain: () => boolean;
};

/**
 * Sets of schedules: taken when all parts are in, acknowledged unit by unit. The newest set that names a unit counts for it; sent again, a set
 * doesn't queue a unit twice; one without units takes back what is left of all up to its revision.
 */
export function createScheduleSets(options: ScheduleSetsOptions) {
  const { own, units, faults, answers, verdicts, radio, orderOf, starts } = options;
  const parts = createParts<SchedulesDown>();

  function take(message: SchedulesDown): void {
    if (message.rev <= own.withdrawnRev) return;
    const all = parts.add(message);
    if (!all) return;
    if (all.every((part) => part.units.length === 0)) return withdraw(message.rev);
    const usualCycle = impliedCycle(all);
    const jobs = all.flatMap((part) => jobsOf(part, usualCycle)).filter(isNew);
    const told = jobs.map((job) => ({ job, reply: answerNow(job) }));
    radio.add(told.flatMap(({ job, reply }) => (reply === null ? [job] : [])));
    answers.giveOnce({ cmdId: setAckId(message.rev), state: 'accepted' });
    for (const { job, reply } of told) if (reply !== null) verdicts.settleUnit(job, reply);
  }

  function jobsOf(part: SchedulesDown, usualCycle: number): RadioJob[] {
    const { rev } = part;
    const cmdId = setAckId(rev);
    const cycleLength = (options.isPlain() ? undefined : part.cycleLen) ?? usualCycle;
    return part.units.map(({ mac, crc, entries }) => {
      const task = { kind: 'schedule' as const, rev, crc, entries, cycleLength };
      return radioJob({ cmdId, mac, task, order: orderOf(task, part) });
    });
  }

  /** Of a set that doesn't say: of all that is held and that it brings. */
  function impliedCycle(all: readonly SchedulesDown[]): number {
    const brought = all.flatMap((part) => part.units);
    return daysOf([...Object.values(own.schedules), ...brought].flatMap((one) => one.entries));
  }

  /** Not when a newer set has named the unit. One that waits already gets the new time; an older set leaves the unit to this one. */
  function isNew(job: RadioJob): boolean {
    const { mac, cmdId } = job;
    const rev = revOf(job);
    if ((own.newestRevs[mac] ?? rev) > rev) return false;
    own.newestRevs[mac] = rev;
    const waiting = own.radio.find(
      (one) => one.cmdId === cmdId && one.mac === mac && one.lastWord === undefined,
    );
    if (waiting) {
      Object.assign(waiting, { expiresAt: job.expiresAt, beginBy: job.beginBy, seq: job.seq });
      return false;
    }
    takeOut((one) => one.mac === mac && one.task.kind === 'schedule');
    return true;
  }

  /** What can be said without radio: that it was stopped, or that the unit holds it. */
  function answerNow({ mac, seq, task }: RadioJob): UnitReply | null {
    const refusal = starts.refusal(task, mac, seq);
    if (refusal !== null) return refusal;
    return task.kind === 'schedule' && isHeldBy(mac, task) ? [] : null;
  }

  /** One that says it holds nothing may be inhibited, and hold something all the same. */
  function isHeldBy(mac: string, { crc, cycleLength }: HeldSchedule): boolean {
    const found = units.find(mac);
    if (!found || crc === inhibitedCrc || faults.get(mac, 'schedule-mismatch')) return false;
    const { place, state } = found;
    const isInCycle = options.isPlain() || heldCycle(place, state) === cycleLength;
    return isInCycle && heldCrc(place, state) === crc;
  }

  function withdraw(rev: number): void {
    own.withdrawnRev = rev;
    parts.forget(rev);
    takeOut((job) => revOf(job) <= rev);
    answers.say([]);
  }

  /** Nothing is said of them, unless one on the air is heard. */
  function takeOut(isMeant: (job: RadioJob) => boolean): void {
    for (const gone of radio.end(isMeant, null)) forgetIfBegun(own, gone);
  }

  return { take };
}

/** Of a job that is none of a set: above all. */
function revOf({ task }: RadioJob): number {
  return task.kind === 'schedule' ? task.rev : Number.POSITIVE_INFINITY;
}
