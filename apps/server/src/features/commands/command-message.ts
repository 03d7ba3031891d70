import type { CommandState } from '@headrace/contract/command-types';
import { doneOf, totalOf, type UnitCounts } from './command-life.ts';

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
  const done = doneOf(counts) - heldBack;
  const leftOut = leftOutOf(command);
  const more = leftOut && `; ${leftOut}`;
  const total = totalOf(counts);
  const many = (count: number, what: string) => `${title}: ${count} of ${total} ${what}.`;
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
      return many(done, `done${failedPart(counts)}`);
    case 'done':
      return leftOut
        ? many(done, `done${more}`)
        : note.startsWith(UNCHANGED)
          ? `${title}: ${note}`
          : (command.resultMessage ?? `${title}: done${skippedPart(counts, total)}.`);
    case 'failed':
      if (heldBack === total) return total === 1 ? `${title}: ${note}` : `${title}: ${leftOut}.`;
      return total === 1
        ? `${title}: failed. ${note}${sentLater(command)}`.trim()
        : many(counts.failed ?? 0, `failed${more}`);
    case 'expired':
      return total === 1
        ? `${title}: ${note}${sentLater(command)}`
        : many(counts.expired ?? 0, `ran out of time${more}`);
    case 'cancelled':
      return `${title}: ${cancelledPart({ ...command, done, total })}`;
    default:
      return state satisfies never;
  }
}

function cancelledPart(command: {
  note: string;
  done: number;
  total: number;
  cancelledLate?: number;
}): string {
  const { note, done, total, cancelledLate: late = 0 } = command;
  if (done > 0)
    return `cancelled; ${done} of ${total} done${late > 0 ? `, ${late} cancelled after it was sent` : ''}.`;
  if (late === 0) return 'cancelled before it was sent.';
  return total === 1
    ? `cancelled after it was sent. ${note}`
    : `cancelled; ${late} of ${total} after it was sent.`;
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
