import { type CommandState, commandTypes } from '../command-types.ts';

const sends: ReadonlySet<number> = new Set([commandTypes.SendScheduleSet, commandTypes.UpdateSchedule]);

/** Whether a command gives sprinklers another schedule. */
export const isSend = ({ type }: { readonly type: number }): boolean => sends.has(type);

/** Whether this news of a command changes for many units at once what they are to hold, or whether that is on its way to them. */
export const beginsOrEndsSend = ({
  type,
  state,
}: {
  readonly type: number;
  readonly state: CommandState;
}): boolean => isSend({ type }) && state !== 'progress';
