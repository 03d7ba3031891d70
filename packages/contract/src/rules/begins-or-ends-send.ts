import { type CommandState, commandTypes } from '../command-types.ts';

const sends: ReadonlySet<number> = new Set([commandTypes.SendScheduleSet, commandTypes.UpdateSchedule]);

/** Whether this news of a command changes for many units at once what they are to hold, or whether that is on its way to them. */
export const beginsOrEndsSend = ({
  type,
  state,
}: {
  readonly type: number;
  readonly state: CommandState;
}): boolean => sends.has(type) && state !== 'progress';
