import { OPEN_BY_GATEWAY_MAX_MIN } from '@headrace/device/command-life';
import { laneOf, lanes } from '@headrace/device/lanes';
import type { OwnQueue } from './own-queue.ts';
import type { GatewayClock } from './gateway-clock.ts';
import type { OwnTask, GatewayState, RadioTask } from './gateway-state.ts';
import type { Radio } from './radio.ts';
import type { Verdicts } from './verdicts.ts';

type Task = RadioTask | OwnTask;

const stopped = 'stopped meanwhile';
const notSet = 'not begun: the time of this gateway is not set';
const tooLong = `this gateway closes valves itself, after ${OPEN_BY_GATEWAY_MAX_MIN} minutes at most`;
const restarted = 'not begun: the gateway restarted';

export type StartsOptions = {
  readonly own: GatewayState;
  readonly clock: GatewayClock;
  readonly radio: Radio;
  readonly ownQueue: OwnQueue;
  readonly verdicts: Verdicts;
  /** It keeps none of the members that order commands. */
  readonly isPlain: () => boolean;
  /** Its units can't count: it closes their valves itself. */
  readonly closesValves: () => boolean;
};

/** Begins to open water when it is carried out. */
const isOpening = (task: Task): boolean =>
  task.kind === 'command' && laneOf(task.type, task.payload) === lanes.start;

/** Lets a unit water, now or by its schedule. */
const isStart = (task: Task): boolean =>
  isOpening(task) || (task.kind === 'schedule' && task.entries.length > 0);

const isTooLong = (task: Task): boolean =>
  task.kind === 'command' && (task.maxOpenMinutes ?? 0) > OPEN_BY_GATEWAY_MAX_MIN;

export const isStop = (task: Task): boolean =>
  task.kind === 'command' && laneOf(task.type, task.payload) === lanes.stop;

/** The name under which the starts and stops of a relay are kept, beside the MAC addresses of units. */
export const relayKey = (task: Task): string =>
  task.kind === 'command' ? `relay ${String(task.payload.relay)}` : '';

/** Which starts may still begin: none that a newer stop came before, and nothing that opens water while the time isn't set. */
export function createStarts({
  own,
  clock,
  radio,
  ownQueue,
  verdicts,
  isPlain,
  closesValves,
}: StartsOptions) {
  function end(isMeant: (key: string, job: { task: Task; seq?: number }) => boolean, reason: string): void {
    verdicts.settleUnits(
      radio.end((one) => isMeant(one.mac, one), reason),
      reason,
    );
    for (const job of ownQueue.end((one) => isMeant(relayKey(one.task), one))) verdicts.settle(job, reason);
  }

  function dropOpenings(reason: string): void {
    if (!isPlain()) end((_key, { task }) => isOpening(task), reason);
  }

  return {
    /** Why a start of a unit (its MAC address) or a relay is not taken; `null` = it is. */
    refusal: (task: Task, key: string, seq?: number): string | null => {
      if (closesValves() && isTooLong(task)) return tooLong;
      if (isPlain() || !isStart(task)) return null;
      if (isOpening(task) && !clock.isSet()) return notSet;
      return seq !== undefined && seq < (own.stopSeqs[key] ?? 0) ? stopped : null;
    },
    /** Ends the starts that these units or this relay still have; one with a higher `seq` than the stop's is newer, and stays. */
    stop: (keys: readonly string[], seq?: number): void => {
      if (isPlain()) return;
      const meant = new Set(keys);
      if (seq !== undefined)
        for (const key of keys) own.stopSeqs[key] = Math.max(seq, own.stopSeqs[key] ?? 0);
      const isNewer = (start?: number) => start !== undefined && seq !== undefined && start > seq;
      end((key, job) => meant.has(key) && isStart(job.task) && !isNewer(job.seq), stopped);
    },
    /** The time was lost: what opens water may be long out of date. */
    onTimeLost: (): void => dropOpenings(notSet),
    /** The uptime begins anew: nobody can tell how old what waits is. */
    onRestart: (): void => {
      // What was on the air and had been ended is not tried again.
      for (const job of radio.end(({ lastWord }) => lastWord !== undefined, null))
        verdicts.settleUnheard(job, job.lastWord ?? null);
      dropOpenings(restarted);
      for (const job of [...own.radio, ...own.ownJobs]) delete job.beginBy;
    },
  };
}
export type Starts = ReturnType<typeof createStarts>;
