import { commandTable, type CommandType, commandTypes, typesThat } from '@headrace/device/commands';
import { isPoll } from './polls.ts';

const reconfigures: readonly CommandType[] = [commandTypes.IpcReconfigure, commandTypes.ReconfigureGroup];

function matterOf({ type, topic, water }: (typeof commandTable)[number]): string {
  if (water === 'opens' || water === 'closes') return 'valve';
  if (water === 'inhibits' || water === 'uninhibits') return 'inhibit';
  if (topic === 'schedules') return 'schedule';
  if (isPoll(type)) return 'poll';
  if (reconfigures.includes(type)) return 'reconfigure';
  return String(type);
}

/** What each command is about: of two for one sprinkler that are about the same, what became of the older one matters no more. */
export const commandMatters: readonly { readonly type: number; readonly matter: string }[] = commandTable.map(
  (command) => ({ type: command.type, matter: matterOf(command) }),
);

/**
 * Of what the server sends of its own accord only the end of a paddock hold: all else it sends again by itself until it has arrived, and
 * what it is sent for stands elsewhere.
 */
export const lonelyTypes: readonly CommandType[] = typesThat('uninhibits');
