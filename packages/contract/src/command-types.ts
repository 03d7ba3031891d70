import {
  type CommandName,
  commandName,
  type CommandNeeds,
  commandOf,
  commandTable,
  type CommandType,
  commandTypes,
} from '@headrace/device/commands';
import { can, flag, type Need, needs } from './permissions.ts';

// No schema library here, so that the browser can carry it. The table itself: packages/device/src/commands.ts. spec 2 §3.10
export { type CommandName, commandName, type CommandType, commandTypes };

const all = Object.values(commandTable);

/** What each command does, as people call it. */
export const commandTitles = Object.fromEntries(all.map(({ name, title }) => [name, title])) as Record<
  CommandName,
  string
>;

const one = (right: ReturnType<typeof can>): Need => ({ anyOf: [right] });

/** The rights that the table of commands names. */
const namedNeeds: Record<CommandNeeds, Need> = {
  poll: one(flag('pollSprinkler')),
  valves: { allOf: [flag('toggleValve'), can('irrigationDevices', 'Edit')] },
  inhibitUnit: one(flag('inhibitSprinkler')),
  inhibitGroup: one(flag('inhibitGroup')),
  sendToUnits: one(flag('sendScheduleToSite')),
  sendToGroup: one(flag('sendScheduleToGroup')),
  replace: one(flag('replaceSprinkler')),
  deploy: one(can('irrigationDevices', 'Edit')),
  // Trying to bring a silent unit back is part of sending schedules.
  bringBack: { anyOf: [can('irrigationDevices', 'Edit'), flag('sendScheduleToSite')] },
  gateway: one(can('gateways', 'Edit')),
  // Asking how a gateway is changes nothing of it.
  gatewayStatus: { anyOf: [can('gateways', 'Edit'), flag('pollSprinkler')] },
  gatewaySettings: one(flag('sendGatewaySettings')),
  setTime: { anyOf: [can('gateways', 'Edit'), flag('sendScheduleToSite')] },
  relays: one(flag('sendRelayValues')),
  anything: needs.readSomething,
};

/** What sending each command needs on its farm. */
export const commandNeeds = Object.fromEntries(
  all.map(({ name, needs: named }) => [name, namedNeeds[named]]),
) as Record<CommandName, Need>;

/** The numbers of what sprinklers carry out; gateways carry out the others themselves. */
export const unitTypes: readonly CommandType[] = all
  .filter(({ target }) => target !== 'gateway')
  .map(({ type }) => type);

/** Not sent to a gateway that hasn't loaded the newest list of its sprinklers. */
export const needsList = (command: CommandName): boolean => commandOf(command).needsList;

/** Only what is for units can be sent again to those of them that failed; a swap or a gateway's whole store cannot. */
export function canGoAgain(type: number): boolean {
  const known = all.find((info) => info.type === type);
  if (!known || known.target === 'gateway') return false;
  return known.name !== 'Replace' && known.name !== 'IncScheduleAll';
}
/** What is older was meant for another day: it is planned and sent anew. */
export const AGAIN_WITHIN_HOURS = 24;

/** queued → sent → accepted → (progress) → done | failed | expired | cancelled. */
export const commandStates = [
  'queued',
  'sent',
  'accepted',
  'progress',
  'done',
  'failed',
  'expired',
  'cancelled',
] as const;
export type CommandState = (typeof commandStates)[number];

/** Of one unit of a command: `skipped` held what it was to get already. */
export const unitStates = [
  'queued',
  'sent',
  'accepted',
  'done',
  'skipped',
  'failed',
  'expired',
  'cancelled',
] as const;
export type UnitState = (typeof unitStates)[number];
