import type { Timezone } from '@headrace/contract/farms';
import { commandInfo, type CommandType } from '@headrace/device/commands';
import type {
  CommandDown,
  ConfigDown,
  IpcListDown,
  SchedulesDown,
  TimeDown,
} from '@headrace/device/downlinks';
import { type Lane, lanes } from '@headrace/device/lanes';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { GatewayDownKind } from '@headrace/device/topics';
import { timeFor } from '../device-connections/send-time.ts';

/** A message to a gateway, ready to be published. */
export interface DownMessage {
  readonly kind: GatewayDownKind;
  readonly body: CommandDown | ConfigDown | IpcListDown | SchedulesDown | TimeDown;
}

/** A command as far as a gateway is told of it. */
export interface SentCommand {
  readonly uid: string;
  readonly type: CommandType;
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly maxOpenMinutes: number | null;
  readonly expiresAt: Date;
  readonly lane: Lane;
}

/** What a message says of its place among others. */
export interface SendOrder {
  /** Numbers what a gateway is sent. */
  readonly seq: number;
  /** Seconds from its receipt in which water must have begun to run; null: it lets none run. */
  readonly within: number | null;
}

export interface SentUnit {
  readonly mac: string;
  readonly name: string;
  readonly entries: readonly ScheduleEntry[] | null;
  readonly crc: string | null;
}

export interface ReceivingGateway {
  readonly mac: string;
  readonly zone: Timezone;
}

export type SprinklersList = Pick<IpcListDown, 'rev' | 'farmId' | 'channel' | 'ipcs' | 'repeaters'>;

/** Units in a part: 100 units of ten waterings are some 60 KiB, well below what a message may have. */
const UNITS_PER_PART = 100;
const DAY_MINUTES = 1440;

/** `down/cmd`: for one unit, for several by `macs`, or for the gateway itself. */
export function commandMessage(
  cmdId: string,
  command: SentCommand,
  units: readonly SentUnit[],
  order: SendOrder,
): DownMessage {
  const { target = 'gateway', members = [] } = commandInfo(command.type) ?? {};
  // The rest is ours: notices, names of groups.
  const payload = Object.fromEntries(
    members.flatMap((name) => (command.payload[name] === undefined ? [] : [[name, command.payload[name]]])),
  );
  const body: CommandDown = {
    cmdId,
    type: command.type,
    ...(target === 'unit' && units[0] && { mac: units[0].mac, name: units[0].name }),
    payload: target === 'units' ? { ...payload, macs: units.map(({ mac }) => mac) } : payload,
    expiresAt: command.expiresAt.toISOString(),
    ...(command.maxOpenMinutes !== null && { maxOpenMinutes: command.maxOpenMinutes }),
    ...placeOf(command, order),
  };
  return { kind: 'cmd', body };
}

const placeOf = ({ lane }: SentCommand, { seq, within }: SendOrder) => ({
  priority: lane,
  seq,
  ...(within !== null && { within }),
});

/** `down/schedules`, in parts. A set knows minutes over its whole cycle, a unit minutes of a day. */
export function scheduleMessages(
  command: SentCommand,
  units: readonly SentUnit[],
  rev: number,
  order: SendOrder,
): DownMessage[] {
  const cycleLen = command.payload['cycleLen'];
  return inParts(units, (chunk, part, parts) => ({
    kind: 'schedules',
    body: {
      setId: textOf(command.payload['setUID']) ?? command.uid,
      rev,
      part,
      parts,
      expiresAt: command.expiresAt.toISOString(),
      ...placeOf(command, order),
      ...(typeof cycleLen === 'number' && { cycleLen }),
      units: chunk.map(({ mac, crc, entries }) => ({ mac, crc: crc ?? '', entries: [...(entries ?? [])] })),
    },
  }));
}

/** A set without units: takes back what the gateway has not done yet of all sets up to this number. */
export const withdrawal = (rev: number, order: SendOrder): DownMessage => ({
  kind: 'schedules',
  body: { setId: 'withdrawn', rev, part: 1, parts: 1, priority: lanes.stop, seq: order.seq, units: [] },
});

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** `down/ipc-list`, in parts; an empty list is one part too. The repeaters go with the first. */
export function listMessages({ ipcs, repeaters, ...list }: SprinklersList): DownMessage[] {
  return inParts(ipcs, (chunk, part, parts) => ({
    kind: 'ipc-list',
    body: { ...list, part, parts, ipcs: chunk, repeaters: part === 1 ? repeaters : [] },
  }));
}

/** `down/time`, by the farm's clock. */
export function timeMessage(gateway: ReceivingGateway, now: Date, cmdId?: string): DownMessage {
  return { kind: 'time', body: { ...timeFor(gateway.zone, now), ...(cmdId !== undefined && { cmdId }) } };
}

/** `down/config` with settings of the gateway itself. */
export function settingsMessage(command: SentCommand, gateway: ReceivingGateway): DownMessage {
  const config = command.payload['settings'] as Record<string, unknown>;
  const body = {
    configId: command.uid,
    mac: gateway.mac,
    configType: 'IncSettings',
    config,
    expiresAt: command.expiresAt.toISOString(),
  };
  return { kind: 'config', body };
}

/** Waterings as a unit keeps them: the minute of the day, and the day of the cycle. */
export function unitEntries(entries: readonly ScheduleEntry[]): ScheduleEntry[] {
  return entries.map(({ start, duration, cycle }) => ({ start: start % DAY_MINUTES, duration, cycle }));
}

function inParts<T>(
  items: readonly T[],
  message: (chunk: T[], part: number, parts: number) => DownMessage,
): DownMessage[] {
  const parts = Math.max(1, Math.ceil(items.length / UNITS_PER_PART));
  return Array.from({ length: parts }, (_, index) =>
    message(items.slice(index * UNITS_PER_PART, (index + 1) * UNITS_PER_PART), index + 1, parts),
  );
}
