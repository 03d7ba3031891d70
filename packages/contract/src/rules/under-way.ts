import type { CommandState, UnitState } from '../command-types.ts';

const states: ReadonlySet<CommandState | UnitState> = new Set(['queued', 'sent', 'accepted', 'progress']);

/** Whether a command, or a unit of one, has no end yet. */
export const isUnderWay = ({ state }: { readonly state: CommandState | UnitState }): boolean =>
  states.has(state);
