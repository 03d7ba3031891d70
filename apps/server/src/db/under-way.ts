import type { UnitState } from '@headrace/contract/command-types';

/** How a command stands for a unit of it, as long as that has no end. */
export const liveStates: readonly UnitState[] = ['queued', 'sent', 'accepted'];

const among = (row: string, states: readonly string[]) =>
  `${row && `${row}.`}state in (${states.map((state) => `'${state}'`).join(', ')})`;

/** Whether a row of `command_unit` has no end yet, as SQL: in the words of the indexes of such rows. */
export const unitIsLive = (unit = ''): string => among(unit, liveStates);

/** The same of a row of `command`. */
export const commandIsLive = (command: string): string => among(command, [...liveStates, 'progress']);
