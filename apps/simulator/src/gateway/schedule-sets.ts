import { setAckId } from '@headrace/device/commands';
import type { SchedulesDown } from '@headrace/device/downlinks';
import type { Faults } from '../faults/faults.ts';
import type { LiveUnits } from '../live-units.ts';
import { heldCrc } from '../models/sprinkler.ts';
import type { Answers } from './answers.ts';
import type { GatewayState, RadioJob } from './gateway-state.ts';
import { createParts } from './parts.ts';
import type { Radio } from './radio.ts';

/**
 * Sets of schedules: taken when all parts are in, acknowledged unit by unit. The newest set that names a unit counts for it; sent again, a set
 * doesn't queue a unit twice; one without units takes back what is left of all up to its revision.
 */
export function createScheduleSets(
  own: GatewayState,
  units: LiveUnits,
  faults: Faults,
  answers: Answers,
  radio: Radio,
) {
  const parts = createParts<SchedulesDown>();

  function take(message: SchedulesDown): void {
    if (message.rev <= own.withdrawnRev) return;
    const all = parts.add(message);
    if (!all) return;
    const named = all.flatMap((part) => part.units);
    if (named.length === 0) withdraw(message.rev);
    else {
      const expiresAt = message.expiresAt === undefined ? null : Date.parse(message.expiresAt);
      answers.giveOnce({ cmdId: setAckId(message.rev), state: 'accepted' });
      for (const unit of named) takeUnit(message.rev, expiresAt, unit);
    }
  }

  function withdraw(rev: number): void {
    own.withdrawnRev = rev;
    parts.forget(rev);
    radio.withdraw(({ task }) => task.kind === 'schedule' && task.rev <= rev);
    answers.say([]);
  }

  function takeUnit(rev: number, expiresAt: number | null, unit: SchedulesDown['units'][number]): void {
    const { mac, crc, entries } = unit;
    const held = own.schedules[mac];
    if (held && held.rev > rev) return;
    own.schedules[mac] = { rev, crc, entries };
    const isQueued = (job: RadioJob) =>
      job.mac === mac && job.task.kind === 'schedule' && job.task.rev === rev;
    const queued = own.radio.find(isQueued);
    if (queued) {
      queued.expiresAt = expiresAt;
      return;
    }
    radio.withdraw((job) => job.mac === mac && job.task.kind === 'schedule');
    if (isHeldBy(mac, crc)) answers.giveOnce({ cmdId: setAckId(rev), mac, state: 'done' });
    else
      radio.add([
        { cmdId: setAckId(rev), mac, expiresAt, attempts: 0, task: { kind: 'schedule', rev, crc, entries } },
      ]);
  }

  function isHeldBy(mac: string, crc: string): boolean {
    const found = units.find(mac);
    return (
      found !== undefined &&
      !faults.get(mac, 'schedule-mismatch') &&
      heldCrc(found.place, found.state) === crc
    );
  }

  return { take };
}
