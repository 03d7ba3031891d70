import { commandTable, type CommandType } from '@headrace/device/commands';

/** The numbers of all commands that tell units what to water by. Apart from the others: few pages ask for it. */
export const schedulesTypes: readonly CommandType[] = commandTable
  .filter(({ topic }) => topic === 'schedules')
  .map(({ type }) => type);
