import { type CommandType, commandTypes } from '@headrace/device/commands';

/** They ask units how they are and leave what they hold as it was. */
export const pollTypes: readonly CommandType[] = [
  commandTypes.Poll,
  commandTypes.PollGroup,
  commandTypes.RefreshAll,
];
export const isPoll = (type: CommandType): boolean => pollTypes.includes(type);
