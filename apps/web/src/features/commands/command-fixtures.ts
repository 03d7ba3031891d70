import type { Api } from '@headrace/contract/api';
import type { Behind, Command, CommandStep, CommandUnit } from '@headrace/contract/commands';
import { commandTitles, commandTypes, type CommandName } from '@headrace/contract/command-types';
import { rakaia, uid } from '../../testing/fixtures.ts';

/** Commands for tests, sent at 10:02 on the farm's clock (New Zealand's summer, UTC+13). */
export const at = (seconds: number): string =>
  new Date(Date.parse('2026-11-20T21:02:00.000Z') + seconds * 1000).toISOString();

/** A later number is a later command. */
export const buildCommand = (
  n: number,
  { command = 'IncTimeSet', ...over }: Partial<Command> & { command?: CommandName } = {},
): Command => ({
  _id: uid(5000 + n),
  farmUID: rakaia._id,
  type: commandTypes[command],
  title: commandTitles[command],
  name: `Gateway ${n}`,
  serialNumber: `GW${n}`,
  groupUID: null,
  sentBy: 'Aroha Ngata',
  cancelledBy: '',
  isAutomatic: false,
  createdAt: at(n),
  expiresAt: at(n + 600),
  state: 'done',
  stateAt: at(n),
  total: 1,
  done: 1,
  failed: 0,
  hadIt: 0,
  leftOut: 0,
  waiting: 0,
  behind: null,
  message: `${commandTitles[command]}: done.`,
  maxOpenMinutes: null,
  finish: null,
  firstFinish: null,
  ...over,
});

/** What all 300 units of a command wait for. */
export const buildBehind = (other: Command, over: Partial<Behind['commands'][number]> = {}): Behind => {
  const { _id, title, name, sentBy, isAutomatic, total, done, failed, hadIt, leftOut } = other;
  const one = { _id, title, name, sentBy, isAutomatic, total, done, failed, hadIt, leftOut, units: 300 };
  return { commands: [{ ...one, ...over }], more: 0, of: 300 };
};

export const buildUnit = (n: number, over: Partial<CommandUnit> = {}): CommandUnit => ({
  uid: uid(7000 + n),
  name: `P${String(n).padStart(3, '0')}`,
  serialNumber: `IPC${n}`,
  state: 'done',
  at: at(n),
  note: '',
  isLeftOut: false,
  waitsUntil: null,
  valve: null,
  ...over,
});

export const buildStep = (seconds: number, state: string, over: Partial<CommandStep> = {}): CommandStep => ({
  at: at(seconds),
  state,
  name: null,
  note: '',
  ...over,
});

/** With all of the units and steps unless `over` says that there are more. */
export const buildDetails = (
  command: Command,
  { units = [], steps = [], ...over }: Partial<Api['GET /command']['reply']> = {},
): Api['GET /command']['reply'] => ({
  command,
  units,
  unitStates: countStates(units),
  steps,
  stepCount: steps.length,
  perMinute: null,
  unstopped: null,
  goBack: null,
  ...over,
});

function countStates(units: readonly CommandUnit[]): Api['GET /command']['reply']['unitStates'] {
  const counts: Api['GET /command']['reply']['unitStates'] = {};
  for (const { state } of units) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}
