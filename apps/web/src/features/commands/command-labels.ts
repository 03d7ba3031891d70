import type { Command, CommandUnit } from '@headrace/contract/commands';
import type { CommandState, UnitState } from '@headrace/contract/command-types';
import type { Timezone } from '@headrace/contract/farms';
import { isAllBehind } from '@headrace/contract/rules/behind';
import { howFarText } from './how-far.ts';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { exactTime, minuteText, upperFirst } from '../../ui/format.ts';

/** Colour of a state; a sign and a word always stand with it. */
export type Tone = 'waiting' | 'way' | 'ok' | 'caution' | 'issue';

const unitLabel: Record<UnitState, string> = {
  queued: 'Waiting for the gateway',
  sent: 'Sent, not answered yet',
  accepted: 'Gateway has it',
  done: 'Done',
  skipped: 'Had it already',
  failed: 'Failed',
  expired: 'Ran out of time',
  cancelled: 'Cancelled',
};
export const tones: Record<CommandState | UnitState, Tone> = {
  queued: 'waiting',
  sent: 'way',
  accepted: 'way',
  progress: 'way',
  done: 'ok',
  skipped: 'ok',
  failed: 'issue',
  expired: 'caution',
  cancelled: 'waiting',
};

/** As it is drawn: one that was left out did not get it. */
export const shownState = ({ state, isLeftOut }: Pick<CommandUnit, 'state' | 'isLeftOut'>): UnitState =>
  isLeftOut ? 'cancelled' : state;

const FOR_ANOTHER = 'Waiting for another command';

/** `isBehind`: all units of its command wait for another one. */
export function commandUnitLabel(
  { state, isLeftOut }: Pick<CommandUnit, 'state' | 'isLeftOut'>,
  isBehind = false,
): string {
  if (isBehind && state === 'queued') return FOR_ANOTHER;
  return isLeftOut && state === 'skipped' ? 'Left out' : unitLabel[state];
}

/** A step's state is a text; one that is new to this page is shown as it came. */
export function stepLabel(state: string): string {
  if (state === 'progress') return 'Under way';
  return (unitLabel as Partial<Record<string, string>>)[state] ?? state;
}

/** How a command stands, in a few words. */
export function commandLabel(command: Command): string {
  const { state } = command;
  if (state === 'queued' && isAllBehind(command.behind)) return FOR_ANOTHER;
  if (state !== 'progress') return unitLabel[state];
  return howFarText(command);
}

const plain = (text: string) => text.toLowerCase().replace(/^the |[.!]$/g, '');

/** What the server says of a command beyond the words above: without its title, empty when it says no more. */
export function commandNote(command: Command): string {
  const { message, title, state } = command;
  const said = message.replace(`${title}: `, '').replace(/^(failed\.|done[,:]|cancelled;?) /, '');
  // What it waits for may have ended since the server said so.
  const labels = state === 'queued' ? [unitLabel.queued, FOR_ANOTHER] : [commandLabel(command)];
  if (state === 'progress' || labels.some((label) => plain(said) === plain(label))) return '';
  return upperFirst(said);
}

/** Nobody: what the server does of its own accord, as sending the list of sprinklers that has changed. */
export const senderOf = ({ sentBy, isAutomatic }: Pick<Command, 'sentBy' | 'isAutomatic'>): string =>
  isAutomatic ? 'Sent by itself' : sentBy;

export const logFilters = ['all', 'under-way', 'not-done'] as const;
export type LogFilter = (typeof logFilters)[number];
export const filterNames: Record<LogFilter, string> = {
  all: 'All',
  'under-way': 'Under way',
  'not-done': 'Not done',
};

const notDone: ReadonlySet<string> = new Set(['failed', 'expired', 'cancelled']);

/** Whether a command or a unit belongs under a filter. */
export function isIn(filter: LogFilter, one: { state: CommandState | UnitState }): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'under-way':
      return isUnderWay(one);
    case 'not-done':
      return notDone.has(one.state);
    default:
      return filter satisfies never;
  }
}

const asSentence = (note: string) => (note === '' ? '' : `${note.replace(/\.$/, '')}. `);

/** What is known of a unit besides its state: its valve, or why it failed, and whether it gets it later. */
export function unitNote({ valve, note, waitsUntil }: CommandUnit, zone: Timezone): string {
  if (waitsUntil !== null)
    return `${asSentence(note)}Sent once it is heard, until ${exactTime(Date.parse(waitsUntil), zone)}.`;
  if (!valve) return note;
  const minute = (at: string) => minuteText(Date.parse(at), zone);
  const { openedAt, closesBy, closedAt, why } = valve;
  if (closedAt !== null) {
    const reason = why.replace(/^closed /i, '').replace(/\.$/, '');
    return `closed ${minute(closedAt)}${reason && `: ${reason}`}`;
  }
  return `open since ${minute(openedAt)}${why ? `. ${why}` : `, closes by itself by ${minute(closesBy)}`}`;
}
