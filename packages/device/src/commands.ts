import type { GatewayDownKind } from './topics.ts';

/*
 * The one table of commands, for server, browser and gateway; no number of a command stands anywhere else. A row's number is on the
 * wire and in the log of commands: it is never changed nor given to another (agreement.test.ts holds the list). How long each may
 * still be carried out: command-life.ts. The table in docs/device-protocol.md is made from it.
 */

/** A gateway knows units and no groups: the payload of what is for several units carries `macs`. */
export type CommandTarget = 'unit' | 'units' | 'gateway';

/** What it does to water: opens or closes a valve, lets a unit water by its schedule or keeps it from it, switches a relay. */
export type WaterEffect = 'opens' | 'closes' | 'uninhibits' | 'inhibits' | 'switches';

interface Options {
  /** `cmd` unless said. */
  readonly topic?: GatewayDownKind;
  readonly water?: WaterEffect;
  /** Its payload at `POST /commands/send`, by its name in the contract (commands.ts); `plain` unless said. */
  readonly payload?: string;
  /** Members of the payload that go to the gateway, beside `macs`. */
  readonly members?: readonly string[];
  /** false: sent also to a gateway that hasn't the newest list of sprinklers. What stops water waits for nothing. */
  readonly needsList?: false;
}

export interface CommandInfo {
  readonly type: number;
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** Who acknowledges with `done`: the unit itself, each of several units, or the gateway. */
  readonly target: CommandTarget;
  /** The rights that sending it needs, by their name in the contract (command-types.ts). */
  readonly needs: string;
  readonly topic: GatewayDownKind;
  readonly water: WaterEffect | null;
  readonly payload: string;
  readonly members: readonly string[];
  readonly needsList: boolean;
}

/** Number, name, title, target, rights. */
function row<
  const Type extends number,
  const Name extends string,
  const Needs extends string,
  const Given extends Options,
>(type: Type, name: Name, title: string, target: CommandTarget, needs: Needs, given?: Given) {
  const { topic = 'cmd', water = null, members = [], needsList = true } = (given ?? {}) as Options;
  const payload = ((given as Options | undefined)?.payload ?? 'plain') as Given extends {
    payload: infer Payload;
  }
    ? Payload
    : 'plain';
  return { type, name, title, target, needs, topic, water, payload, members, needsList } as const;
}

export const commandTable = [
  row(1, 'Poll', 'Poll', 'unit', 'poll'),
  row(2, 'ValveOn', 'Valve On', 'unit', 'valves', { water: 'opens', payload: 'valveOn' }),
  row(3, 'ValveOff', 'Valve Off', 'unit', 'valves', { water: 'closes', needsList: false }),
  row(4, 'Inhibit', 'Inhibit', 'unit', 'inhibitUnit', { water: 'inhibits', needsList: false }),
  row(5, 'Uninhibit', 'Uninhibit', 'unit', 'inhibitUnit', { water: 'uninhibits', payload: 'uninhibit' }),
  row(6, 'UpdateSchedule', 'Send Schedule', 'units', 'sendToUnits', {
    topic: 'schedules',
    payload: 'updateSchedule',
  }),
  row(7, 'Replace', 'Replace', 'unit', 'replace', { payload: 'replace', members: ['serialNumber', 'mac'] }),
  row(8, 'InhibitGroup', 'Inhibit Group', 'units', 'inhibitGroup', {
    water: 'inhibits',
    payload: 'group',
    needsList: false,
  }),
  row(9, 'UninhibitGroup', 'Uninhibit Group', 'units', 'inhibitGroup', {
    water: 'uninhibits',
    payload: 'uninhibitGroup',
  }),
  row(10, 'SendScheduleSet', 'Send Schedules', 'units', 'sendToGroup', {
    topic: 'schedules',
    payload: 'sendScheduleSet',
  }),
  row(11, 'UpdateInc', 'Update Gateway Firmware', 'gateway', 'gateway'),
  row(12, 'UpdateSettings', 'Send Gateway Settings', 'gateway', 'gatewaySettings', {
    topic: 'config',
    payload: 'updateSettings',
  }),
  row(13, 'UpdateINCList', 'Send Sprinklers List', 'gateway', 'deploy', {
    topic: 'ipc-list',
    needsList: false,
  }),
  row(14, 'IncCommStart', 'Start Communication', 'gateway', 'gateway'),
  row(15, 'IncTimeSet', 'Set Time', 'gateway', 'setTime', { topic: 'time', needsList: false }),
  row(16, 'IncStatusReq', 'Request Status', 'gateway', 'gatewayStatus', { needsList: false }),
  row(17, 'IncScheduleAll', 'Send All Schedules', 'units', 'gateway', { topic: 'schedules' }),
  row(18, 'IncSaveIpcList', 'Save Sprinklers List', 'gateway', 'gateway'),
  row(19, 'IncSaveItuList', 'Save Repeaters List', 'gateway', 'gateway'),
  row(20, 'ChangeGroupComms', 'Change Comms Mode', 'units', 'deploy', {
    payload: 'changeGroupComms',
    members: ['commsMode'],
  }),
  row(21, 'IncClearStatus', 'Clear Status', 'gateway', 'gateway'),
  row(22, 'PollGroup', 'Poll Group', 'units', 'poll', { payload: 'group' }),
  row(23, 'Ping', 'Ping', 'gateway', 'anything', { payload: 'ping', needsList: false }),
  row(24, 'ToggleIO', 'Switch Relay', 'gateway', 'relays', {
    water: 'switches',
    payload: 'toggleIO',
    members: ['relay', 'set', 'overriddenAt'],
    needsList: false,
  }),
  row(25, 'IpcReconfigure', 'Reconfigure', 'unit', 'deploy'),
  row(26, 'IncReconfigure', 'Reconfigure Gateway', 'gateway', 'deploy'),
  row(27, 'IpcUpdate', 'Change Mode', 'unit', 'bringBack', {
    payload: 'ipcUpdate',
    members: ['name', 'value'],
  }),
  row(28, 'ReconfigureGroup', 'Reconfigure Group', 'units', 'deploy', { payload: 'group' }),
  row(29, 'RefreshAll', 'Refresh All', 'units', 'gateway', { needsList: false }),
  row(30, 'TurnGroupValvesOn', 'Group Valves On', 'units', 'valves', {
    water: 'opens',
    payload: 'groupValvesOn',
  }),
  row(31, 'TurnGroupValvesOff', 'Group Valves Off', 'units', 'valves', {
    water: 'closes',
    payload: 'group',
    needsList: false,
  }),
] as const satisfies readonly CommandInfo[];

type Command = (typeof commandTable)[number];
export type CommandName = Command['name'];
export type CommandType = Command['type'];
export type CommandNeeds = Command['needs'];
export type CommandPayload = Command['payload'];

/** Numbers by name. */
export const commandTypes = Object.fromEntries(commandTable.map(({ name, type }) => [name, type])) as {
  readonly [One in Command as One['name']]: One['type'];
};

const byType = new Map<number, Command>(commandTable.map((info) => [info.type, info]));
const byName = new Map<string, Command>(commandTable.map((info) => [info.name, info]));

/** Undefined for numbers that aren't a command's. */
export const commandInfo = (type: number): Command | undefined => byType.get(type);

export const commandName = (type: number): CommandName | undefined => byType.get(type)?.name;

export function commandOf(name: CommandName): Command {
  const info = byName.get(name);
  if (!info) throw new Error(`There is no command ${name}.`);
  return info;
}

/** The numbers of all that do this to water. */
export const typesThat = (effect: WaterEffect): readonly CommandType[] =>
  commandTable.filter(({ water }) => water === effect).map(({ type }) => type);

/** The largest number, for schemas; all from 1 on are commands. */
export const LAST_COMMAND = Math.max(...commandTable.map(({ type }) => type));

/** The `cmdId` of the answer to a list of units, to a set of schedules, and to settings of inputs and relays. */
export const listAckId = (rev: number): string => `list-${rev}`;
export const setAckId = (rev: number): string => `set-${rev}`;
export const ioAckId = (rev: number): string => `io-${rev}`;
