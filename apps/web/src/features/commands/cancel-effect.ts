import type { Command } from '@headrace/contract/commands';
import type { UnitState } from '@headrace/contract/command-types';

/** What became of the units of a command of which some were taken back; null: none was, or it is for one. */
export function cancelResult(
  states: Partial<Record<UnitState, number>>,
  { total, hadIt, leftOut }: Pick<Command, 'total' | 'hadIt' | 'leftOut'>,
): string | null {
  const { cancelled = 0, done = 0, failed = 0, expired = 0, sent = 0, accepted = 0, queued = 0 } = states;
  if (cancelled === 0 || total < 2) return null;
  if (cancelled === total) return `Cancelled for all ${total} units.`;
  const others = [
    [done, 'done'],
    [hadIt, 'had it already'],
    [leftOut, 'left out'],
    [failed + expired, 'failed'],
    [sent + accepted, 'with the gateway'],
    [queued, 'waiting'],
  ] as const;
  const rest = others.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []));
  return `Cancelled for ${cancelled} of ${total} units, not for the others: ${rest.join(', ')}.`;
}

/** What cancelling would do: `queued` of `total` units are still here, and `waiting` get it once they are heard. */
export function cancelEffect(
  { queued, waiting }: { queued: number; waiting: number },
  total: number,
): string {
  if (waiting === 0) return queuedEffect(queued, total);
  const later =
    waiting === 1
      ? '1 unit waits to be heard: its schedule is not sent by itself any more.'
      : `${waiting} units wait to be heard: their schedules are not sent by themselves any more.`;
  return queued === 0 ? later : `${queuedEffect(queued, total)} ${later}`;
}

function queuedEffect(queued: number, total: number): string {
  if (total < 2) return "The gateway hasn't been given this command yet. Cancelled, it won't be sent.";
  if (queued === total)
    return `The gateway hasn't been given any of it yet. Cancelled, none of the ${total} units gets it.`;
  const wait =
    queued === 1 ? "waits for the gateway: it won't get it" : "wait for the gateway: they won't get it";
  const others = total - queued;
  const rest = others === 1 ? 'The other one stays as it is.' : `The other ${others} stay as they are.`;
  return `${queued} of ${total} units ${wait}. ${rest}`;
}
