import { can, flag, type Need, needs } from './permissions.ts';

/** The 31 commands by name. No schema library here, so that the browser can carry it. spec 2 §3.10 */
export const commandTypes = {
  Poll: 1,
  ValveOn: 2,
  ValveOff: 3,
  Inhibit: 4,
  Uninhibit: 5,
  UpdateSchedule: 6,
  Replace: 7,
  InhibitGroup: 8,
  UninhibitGroup: 9,
  SendScheduleSet: 10,
  UpdateInc: 11,
  UpdateSettings: 12,
  UpdateINCList: 13,
  IncCommStart: 14,
  IncTimeSet: 15,
  IncStatusReq: 16,
  IncScheduleAll: 17,
  IncSaveIpcList: 18,
  IncSaveItuList: 19,
  ChangeGroupComms: 20,
  IncClearStatus: 21,
  PollGroup: 22,
  Ping: 23,
  ToggleIO: 24,
  IpcReconfigure: 25,
  IncReconfigure: 26,
  IpcUpdate: 27,
  ReconfigureGroup: 28,
  RefreshAll: 29,
  TurnGroupValvesOn: 30,
  TurnGroupValvesOff: 31,
} as const;
export type CommandName = keyof typeof commandTypes;
export type CommandType = (typeof commandTypes)[CommandName];

/** What each command does, as people call it. */
export const commandTitles: Record<CommandName, string> = {
  Poll: 'Poll',
  ValveOn: 'Valve On',
  ValveOff: 'Valve Off',
  Inhibit: 'Inhibit',
  Uninhibit: 'Uninhibit',
  UpdateSchedule: 'Send Schedule',
  Replace: 'Replace',
  InhibitGroup: 'Inhibit Group',
  UninhibitGroup: 'Uninhibit Group',
  SendScheduleSet: 'Send Schedules',
  UpdateInc: 'Update Gateway Firmware',
  UpdateSettings: 'Send Gateway Settings',
  UpdateINCList: 'Send Sprinklers List',
  IncCommStart: 'Start Communication',
  IncTimeSet: 'Set Time',
  IncStatusReq: 'Request Status',
  IncScheduleAll: 'Send All Schedules Held',
  IncSaveIpcList: 'Save Sprinklers List',
  IncSaveItuList: 'Save Repeaters List',
  ChangeGroupComms: 'Change Comms Mode',
  IncClearStatus: 'Clear Status',
  PollGroup: 'Poll Group',
  Ping: 'Ping',
  ToggleIO: 'Switch Relay',
  IpcReconfigure: 'Reconfigure',
  IncReconfigure: 'Reconfigure Gateway',
  IpcUpdate: 'Change Mode',
  ReconfigureGroup: 'Reconfigure Group',
  RefreshAll: 'Refresh All',
  TurnGroupValvesOn: 'Group Valves On',
  TurnGroupValvesOff: 'Group Valves Off',
};

const names = new Map<number, CommandName>(
  Object.entries(commandTypes).map(([name, type]) => [type, name as CommandName]),
);

/** Undefined for numbers that aren't a command's. */
export function commandName(type: number): CommandName | undefined {
  return names.get(type);
}

const one = (right: ReturnType<typeof can>): Need => ({ anyOf: [right] });
const valves: Need = { allOf: [flag('toggleValve'), can('irrigationDevices', 'Edit')] };
const deploy = one(can('irrigationDevices', 'Edit'));
const gateway = one(can('gateways', 'Edit'));

/** What sending each command needs on its farm. */
export const commandNeeds: Record<CommandName, Need> = {
  Poll: one(flag('pollSprinkler')),
  PollGroup: one(flag('pollSprinkler')),
  ValveOn: valves,
  ValveOff: valves,
  TurnGroupValvesOn: valves,
  TurnGroupValvesOff: valves,
  Inhibit: one(flag('inhibitSprinkler')),
  Uninhibit: one(flag('inhibitSprinkler')),
  InhibitGroup: one(flag('inhibitGroup')),
  UninhibitGroup: one(flag('inhibitGroup')),
  UpdateSchedule: one(flag('sendScheduleToSite')),
  SendScheduleSet: one(flag('sendScheduleToGroup')),
  Replace: one(flag('replaceSprinkler')),
  ChangeGroupComms: deploy,
  // Trying to bring a silent unit back is part of sending schedules.
  IpcUpdate: { anyOf: [can('irrigationDevices', 'Edit'), flag('sendScheduleToSite')] },
  IpcReconfigure: deploy,
  ReconfigureGroup: deploy,
  IncReconfigure: deploy,
  UpdateINCList: deploy,
  UpdateInc: gateway,
  UpdateSettings: one(flag('sendGatewaySettings')),
  IncCommStart: gateway,
  IncTimeSet: { anyOf: [can('gateways', 'Edit'), flag('sendScheduleToSite')] },
  IncStatusReq: gateway,
  IncScheduleAll: gateway,
  IncSaveIpcList: gateway,
  IncSaveItuList: gateway,
  IncClearStatus: gateway,
  RefreshAll: gateway,
  ToggleIO: one(flag('sendRelayValues')),
  Ping: needs.readSomething,
};

/** Sent whether or not the gateway has the newest list of sprinklers. */
export const listNotNeeded: ReadonlySet<CommandName> = new Set([
  'Ping',
  'UpdateINCList',
  'IncStatusReq',
  'IncTimeSet',
  'RefreshAll',
  'ToggleIO',
]);

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
