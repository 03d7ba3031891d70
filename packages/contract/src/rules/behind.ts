import type { Behind } from '../commands.ts';

/** Whether all units of a command wait for another one: of some that do, the others wait for their gateway. */
export const isAllBehind = (behind: Behind | null): boolean =>
  behind !== null && (behind.commands[0]?.units ?? 0) >= behind.of;
