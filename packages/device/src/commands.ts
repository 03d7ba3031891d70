import type { GatewayDownKind } from './topics.ts';

/**
 * The 31 command types: where each is published, who acknowledges it and how long it may still be carried out.
 * A gateway knows units and no groups: the payload of a group command carries `macs`, the units it is for.
 */
export type CommandTarget = 'unit' | 'units' | 'gateway';

export type CommandInfo = {
  readonly type: number;
  readonly name: string;
  readonly topic: GatewayDownKind;
  /** Who acknowledges with `done`: the unit itself, each of several units, or the gateway. */
  readonly target: CommandTarget;
  /** Members of `payload` that a gateway uses. */
  readonly payload: string;
};

const row = (type: number, name: string, topic: GatewayDownKind, target: CommandTarget, payload = '') => ({
  type,
  name,
  topic,
  target,
  payload,
});

export const commandTable: readonly CommandInfo[] = [
  row(1, 'Poll', 'cmd', 'unit'),
  row(2, 'ValveOn', 'cmd', 'unit'),
  row(3, 'ValveOff', 'cmd', 'unit'),
  row(4, 'Inhibit', 'cmd', 'unit'),
  row(5, 'Uninhibit', 'cmd', 'unit'),
  row(6, 'UpdateSchedule', 'schedules', 'units'),
  row(7, 'Replace', 'cmd', 'unit', 'serialNumber, mac (of the new unit)'),
  row(8, 'InhibitGroup', 'cmd', 'units', 'macs'),
  row(9, 'UninhibitGroup', 'cmd', 'units', 'macs'),
  row(10, 'SendScheduleSet', 'schedules', 'units'),
  row(11, 'UpdateInc', 'cmd', 'gateway'),
  row(12, 'UpdateSettings', 'config', 'gateway', 'config of type IncSettings'),
  row(13, 'UpdateINCList', 'ipc-list', 'gateway'),
  row(14, 'IncCommStart', 'cmd', 'gateway'),
  row(15, 'IncTimeSet', 'time', 'gateway'),
  row(16, 'IncStatusReq', 'cmd', 'gateway'),
  row(17, 'IncScheduleAll', 'cmd', 'units', 'macs'),
  row(18, 'IncSaveIpcList', 'cmd', 'gateway'),
  row(19, 'IncSaveItuList', 'cmd', 'gateway'),
  row(20, 'ChangeGroupComms', 'cmd', 'units', 'macs, commsMode'),
  row(21, 'IncClearStatus', 'cmd', 'gateway'),
  row(22, 'PollGroup', 'cmd', 'units', 'macs'),
  row(23, 'Ping', 'cmd', 'gateway'),
  row(24, 'ToggleIO', 'cmd', 'gateway', 'relay (1-6), set, overriddenAt?'),
  row(25, 'IpcReconfigure', 'cmd', 'unit'),
  row(26, 'IncReconfigure', 'cmd', 'gateway'),
  row(27, 'IpcUpdate', 'cmd', 'unit', 'name, value'),
  row(28, 'ReconfigureGroup', 'cmd', 'units', 'macs'),
  row(29, 'RefreshAll', 'cmd', 'units', 'macs'),
  row(30, 'TurnGroupValvesOn', 'cmd', 'units', 'macs'),
  row(31, 'TurnGroupValvesOff', 'cmd', 'units', 'macs'),
];

export function commandInfo(type: number): CommandInfo | undefined {
  return commandTable[type - 1];
}

const minute = 60_000;

/** Of a gateway that has no `commsMaxTTL`. */
const usualLifeMs = 10 * minute;
/** A gateway's clock may be ahead of the server's, so that less would be over before it began. */
const shortestLifeMs = minute;
/** What was asked longer ago is no longer what is wanted. */
const longestLifeMs = 60 * minute;
/** ValveOn, ToggleIO, TurnGroupValvesOn: water must not begin to flow when nobody expects it any more. */
const startsWater: ReadonlySet<number> = new Set([2, 24, 30]);

export interface LifeOptions {
  /** Units that a command for several still has to reach. */
  readonly unitsToDo?: number;
  /** `commsMaxTTL` of each gateway it goes through, s; null of those that have said none. */
  readonly maxTtls?: readonly (number | null)[];
}

/**
 * How long a command may still be carried out, in milliseconds: the shortest `commsMaxTTL` of its gateways, from 1 minute to an
 * hour; 10 minutes where there is none, and at most for what starts water. For several units at least 3 minutes for each.
 */
export function commandLifetimeMs(
  type: number,
  { unitsToDo = 1, maxTtls = [null] }: LifeOptions = {},
): number {
  const wanted = Math.min(...maxTtls.map((ttl) => (ttl ? ttl * 1000 : usualLifeMs)));
  const longest = startsWater.has(type) ? usualLifeMs : longestLifeMs;
  const life = Math.max(shortestLifeMs, Math.min(wanted, longest));
  return commandInfo(type)?.target === 'units' ? Math.max(life, 3 * unitsToDo * minute) : life;
}

/** The `cmdId` of the answer to a list of units, to a set of schedules, and to settings of inputs and relays. */
export const listAckId = (rev: number): string => `list-${rev}`;
export const setAckId = (rev: number): string => `set-${rev}`;
export const ioAckId = (rev: number): string => `io-${rev}`;
