import type { Command } from '../commands.ts';

export const WHOLE_FARM = 'Whole farm';

/** "-" is the whole farm's name in a command. */
export const targetName = ({ name }: Pick<Command, 'name'>): string =>
  name === '' || name === '-' ? WHOLE_FARM : name;
