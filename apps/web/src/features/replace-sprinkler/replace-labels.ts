import type { Command } from '@headrace/contract/commands';
import type { Condition } from '../../ui/tokens.ts';
import { commandNote } from '../commands/command-labels.ts';

/** The place, with the unit that is in it before. */
export interface ReplacedPlace {
  readonly name: string;
  readonly serial: string;
}

export interface ReplaceOutcome {
  readonly condition: Condition;
  readonly title: string;
  readonly text: string;
  /** Whether another try makes sense; null while it is under way. */
  readonly isFailed: boolean | null;
}

/** How a Replace stands, and nothing that isn't known. */
export function replaceOutcome(
  command: Command,
  { name, serial }: ReplacedPlace,
  { newSerial, withSchedule }: { newSerial: string; withSchedule: boolean },
): ReplaceOutcome {
  const note = commandNote(command);
  switch (command.state) {
    case 'queued':
    case 'sent':
    case 'accepted':
    case 'progress':
      return {
        condition: 'watering',
        title: 'Processing your command...',
        text: `It ends by itself. Until it is done, ${name} has ${serial}.`,
        isFailed: null,
      };
    case 'done':
      return note === ''
        ? {
            condition: 'ok',
            title: 'Replaced',
            text: `${newSerial} is at ${name} now. ${serial} is a spare, out of service. ${withSchedule ? SENT_BY_ITSELF : SEND_NEXT}`,
            isFailed: false,
          }
        : { condition: 'caution', title: 'Not changed', text: note, isFailed: true };
    case 'failed':
      return {
        condition: 'issue',
        title: 'Replace failed',
        text: sentences(note, `Nothing was changed: ${name} has ${serial}.`),
        isFailed: true,
      };
    case 'cancelled':
      return {
        condition: 'caution',
        title: 'Cancelled',
        text: `Nothing was changed: ${name} has ${serial}.`,
        isFailed: true,
      };
    case 'expired':
      return {
        condition: 'caution',
        title: 'Ran out of time',
        text: sentences(
          note,
          `Our records have ${serial} at ${name} as before. Look at which unit answers before you try again.`,
        ),
        isFailed: true,
      };
    default:
      return command.state satisfies never;
  }
}

const SENT_BY_ITSELF =
  "The place's schedule goes to it by itself, once the gateway has the new list of sprinklers: in about a minute.";
const SEND_NEXT = 'Send its schedule next: the new unit may hold another one, or none.';

/** A gateway's own words may end without a full stop. */
const sentences = (...parts: readonly string[]) =>
  parts
    .filter((part) => part !== '')
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
