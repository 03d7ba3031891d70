import type { CommandState } from '@headrace/contract/command-types';
import { hadItOf, totalOf, type UnitCounts } from './command-life.ts';

/** What the note of a unit begins with whose gateway said done while our records couldn't follow. */
export const UNCHANGED = 'The gateway says done, but our records stay as they were';

/**
 * One sentence on how a command stands, and nothing that isn't known. `note` is the note of its only unit;
 * `progress` what the gateway itself counted; `heldBack` how many were left out, `unheard` of these since they had not been heard
 * for long, the others since they must not water; `waiting` how many get their schedule once they are heard; `cancelledLate` how many
 * were cancelled that a gateway may have; `isBehind`: all of its units wait for another command.
 */
export function messageOf(command: {
  title: string;
  state: CommandState;
  counts: UnitCounts;
  note: string;
  resultMessage: string | null;
  progress: { done: number; total: number } | null;
  heldBack?: number;
  unheard?: number;
  waiting?: number;
  cancelledLate?: number;
  isBehind?: boolean;
}): string {
  const { title, state, counts, note, heldBack = 0, isBehind } = command;
  const hadIt = hadItOf(counts, heldBack);
  const leftOut = leftOutOf(command);
  const more = `${hadIt > 0 ? `; ${hadIt} had it already` : ''}${leftOut && `; ${leftOut}`}`;
  const total = totalOf(counts);
  const sentTo = total - hadIt - heldBack;
  const many = (count: number, what: string) => `${title}: ${count} of ${sentTo} ${what}${more}.`;
  switch (state) {
    case 'queued':
      return `${title}: waiting for ${isBehind ? 'another command' : 'the gateway'}.`;
    case 'sent':
      return `${title}: sent, not answered yet.`;
    case 'accepted':
      return command.progress
        ? `${title}: ${command.progress.done} of ${command.progress.total} done.`
        : `${title}: the gateway has it.`;
    case 'progress':
      return many(counts.done ?? 0, `done${failedPart(counts)}`);
    case 'done':
      if (leftOut) return sentTo === 0 ? `${title}: ${more.slice(2)}.` : many(counts.done ?? 0, 'done');
      if (note.startsWith(UNCHANGED)) return `${title}: ${note}`;
      return command.resultMessage ?? `${title}: done${skippedPart(counts, total)}.`;
    case 'failed':
      if (heldBack === total) return total === 1 ? `${title}: ${note}` : `${title}: ${leftOut}.`;
      return total === 1
        ? `${title}: failed. ${note}${sentLater(command)}`.trim()
        : many(counts.failed ?? 0, 'failed');
    case 'expired':
      return total === 1
        ? `${title}: ${note}${sentLater(command)}`
        : many(counts.expired ?? 0, 'ran out of time');
    case 'cancelled':
      return `${title}: ${cancelledPart({ ...command, done: counts.done ?? 0, sentTo, more, isOne: total === 1 })}`;
    default:
      return state satisfies never;
  }
}

function cancelledPart(command: {
  note: string;
  done: number;
  sentTo: number;
  /** Of those that it did not go to; empty: of none. */
  more: string;
  isOne: boolean;
  cancelledLate?: number;
}): string {
  const { note, done, sentTo, more, isOne, cancelledLate: late = 0 } = command;
  if (done > 0)
    return `cancelled; ${done} of ${sentTo} done${late > 0 ? `, ${late} cancelled after it was sent` : ''}${more}.`;
  if (late === 0) return `cancelled before it was sent${more}.`;
  return isOne
    ? `cancelled after it was sent. ${note}`
    : `cancelled; ${late} of ${sentTo} after it was sent${more}.`;
}

/** Of several units; empty: none was left out, and none waits. */
function leftOutOf({ heldBack = 0, unheard = 0, waiting = 0 }: LeftOut): string {
  const inhibited = heldBack - unheard;
  const silent = waiting > 0 ? `${waiting} not heard: sent when they are` : `${unheard} left out: not heard`;
  return [
    ...(inhibited > 0 ? [`${inhibited} left out: inhibited`] : []),
    ...(waiting + unheard > 0 ? [silent] : []),
  ].join('; ');
}

interface LeftOut {
  readonly heldBack?: number;
  readonly unheard?: number;
  readonly waiting?: number;
}

/** Of one unit. */
const sentLater = ({ waiting = 0 }: LeftOut) => (waiting > 0 ? ' Sent again when it is heard.' : '');

const failedPart = ({ failed }: UnitCounts) => (failed ? `, ${failed} failed` : '');

function skippedPart({ skipped }: UnitCounts, total: number): string {
  if (!skipped) return '';
  return total === 1 ? ': the unit had it already' : `, ${skipped} of ${total} had it already`;
}
