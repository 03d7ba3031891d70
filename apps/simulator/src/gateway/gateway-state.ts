import type { AckMessage } from '@headrace/device/messages';
import { type Lane, laneOf, lanes } from '@headrace/device/lanes';
import { gatewayTypes } from '@headrace/device/numbers';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { FarmProfile, GatewayProfile } from '@headrace/demo/profile';
import type { IoSettingsDown } from '@headrace/device/downlinks';
import type { ClockOffset } from '../models/offset-clock.ts';

/** What a gateway can be told by UpdateSettings. Times in seconds; `clockTreshold` is the field's own spelling. */
export type GatewaySettings = {
  commsMaxAttempts: number;
  commsMaxTTL: number;
  chargeThreshold: number;
  clockTreshold: number;
  statusPeriod: number;
  timesetPeriod: number;
  channel: number;
  spfactor: number;
};

/** The units that a gateway serves, as `down/ipc-list` told it last; to begin with, those it was installed with. */
export type UnitList = {
  rev: number;
  ipcs: Record<string, { commsMode: number }>;
  repeaters: Record<string, true>;
};

export type HeldSchedule = { rev: number; crc: string; entries: ScheduleEntry[]; cycleLength: number };

/** The last answers to a command, kept so that it is never carried out again. */
export type Answered = {
  cmdId: string;
  /** First heard, epoch ms. */
  at: number;
  /** To the command as a whole, or to the only unit it names. */
  whole?: AckMessage;
  /** Of a command for several units, by unit; `null` = not answered yet. */
  units?: Record<string, AckMessage | null>;
};

export type CommandTask = {
  kind: 'command';
  type: number;
  /** Members of the command's payload, without `macs`. */
  payload: Record<string, unknown>;
  maxOpenMinutes?: number;
};

/** What a unit or a sensor still has to be told by radio. */
export type RadioTask =
  | CommandTask
  | ({ kind: 'schedule' } & HeldSchedule)
  | { kind: 'config'; configType: string; config: Record<string, unknown> };

/** When a job is to be done, and before which others. */
export type Order = {
  lane: Lane;
  /** Of the gateway's one counter: tells which of a stop and a start is the newer. */
  seq?: number;
  /** By the gateway's clock, epoch ms; `null` = any time. */
  expiresAt: number | null;
  /** By the gateway's uptime, ms. */
  beginBy?: number;
};

export type RadioJob = Order & {
  cmdId: string;
  mac: string;
  attempts: number;
  /** Done by the unit, whose answer has not been heard. */
  isDone?: boolean;
  /** Ended while it was on the air: said of it when this try isn't answered (`null` = nothing), and there is no other. */
  lastWord?: string | null;
  task: RadioTask;
};

/** What the gateway itself still has to do. */
export type OwnTask = CommandTask | { kind: 'time' } | { kind: 'settings'; config: Record<string, unknown> };
export type OwnJob = Order & { cmdId: string; mac?: string; task: OwnTask };

/** `onSince` in model time. `ranOut`: forced off, and not on again before the level has been above its mark. */
export type Relay = { on: boolean; onSince: number; ranOut?: boolean };
export type Binding = IoSettingsDown['relays'][number];

/** All that a gateway keeps in its memory, also without power. */
export type GatewayState = {
  /** Model time up to which units, repeaters and ports have reported. */
  reportedAt: number;
  firmwareVersion: number;
  /** Epoch ms. */
  lastRestart: number;
  /** Since when messages are counted, epoch ms. */
  countedFrom: number;
  /** By how much its clock, set by `down/time`, is ahead of ours, ms. */
  clockOffsetMs: number;
  /** What it was told of the farm's clock, the oldest first; its units go by it. */
  offsets: readonly ClockOffset[];
  settings: GatewaySettings;
  /** `null` = it has lost it, and serves nobody until it is sent one. */
  list: UnitList | null;
  /** What its units have said they hold, by unit. */
  schedules: Record<string, HeldSchedule>;
  /** Sets up to this revision have been withdrawn. */
  withdrawnRev: number;
  /** The newest set that named each unit. */
  newestRevs: Record<string, number>;
  /** `seq` of the newest stop of each unit and relay. */
  stopSeqs: Record<string, number>;
  /** Relays set by hand, and those that follow a sensor, by number from 1. */
  byHand: Record<string, boolean>;
  bindings: Binding[];
  bound: Record<string, Relay>;
  answered: Answered[];
  radio: RadioJob[];
  ownJobs: OwnJob[];
};

export const bootloaderVersion = 103;
const firstFirmware = 412;

/** The revision of the first list that a server makes. */
const firstListRev = 1;

export function freshGateway(farm: FarmProfile, gateway: GatewayProfile, now: number): GatewayState {
  return {
    reportedAt: 0,
    firmwareVersion: firstFirmware,
    lastRestart: now,
    countedFrom: now,
    clockOffsetMs: 0,
    offsets: [],
    settings: {
      commsMaxAttempts: 3,
      commsMaxTTL: 600,
      chargeThreshold: 40,
      clockTreshold: 60,
      statusPeriod: 900,
      timesetPeriod: 86_400,
      channel: farm.radio.channel,
      spfactor: gateway.type === gatewayTypes.LSG_V1 ? 10 : 0,
    },
    list: installedList(farm, gateway.mac),
    schedules: {},
    withdrawnRev: -1,
    newestRevs: {},
    stopSeqs: {},
    byHand: {},
    bindings: [],
    bound: {},
    answered: [],
    radio: [],
    ownJobs: [],
  };
}

function installedList({ sprinklers, repeaters }: FarmProfile, gatewayMac: string): UnitList {
  const own = (device: { gatewayMac: string }) => device.gatewayMac === gatewayMac;
  return {
    rev: firstListRev,
    ipcs: Object.fromEntries(sprinklers.filter(own).map(({ mac, commsMode }) => [mac, { commsMode }])),
    repeaters: Object.fromEntries(repeaters.filter(own).map(({ mac }) => [mac, true])),
  };
}

/** The lane of what says no other. */
export function usualLane(task: RadioTask | OwnTask): Lane {
  if (task.kind === 'command') return laneOf(task.type, task.payload);
  return task.kind === 'schedule' ? lanes.many : lanes.single;
}

/** A unit that was asked to hold a schedule and wasn't heard may hold the old or the new. */
export function forgetIfBegun(own: GatewayState, { mac, attempts }: RadioJob): void {
  if (attempts > 0) delete own.schedules[mac];
}

/** Days until these entries come round, where nobody says. */
export function daysOf(entries: readonly ScheduleEntry[]): number {
  return Math.max(1, ...entries.map(({ cycle }) => cycle));
}

/** As a version kept it that had no lanes, or that named its own jobs otherwise: those are left out. */
type KeptGateway = Omit<GatewayState, 'ownJobs'> & Partial<Pick<GatewayState, 'ownJobs'>>;

/** A gateway as it was kept. */
export function wakeGateway(kept: KeptGateway | undefined, fresh: GatewayState): GatewayState {
  if (!kept) return fresh;
  const order = <Job extends RadioJob | OwnJob>(job: Job): Job => ({
    ...job,
    lane: job.lane ?? usualLane(job.task),
  });
  const days = (held: HeldSchedule) => ({ ...held, cycleLength: held.cycleLength ?? daysOf(held.entries) });
  return {
    ...fresh,
    ...kept,
    schedules: Object.fromEntries(Object.entries(kept.schedules).map(([mac, held]) => [mac, days(held)])),
    radio: kept.radio
      .map(order)
      .map((job) =>
        job.task.kind === 'schedule' ? { ...job, task: { ...job.task, ...days(job.task) } } : job,
      ),
    ownJobs: (kept.ownJobs ?? []).map(order),
  };
}
