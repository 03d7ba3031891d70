import type { IpcStatus } from '@headrace/contract/groups';
import { type FarmCalendar, nextTurn, type Watering, waterings } from '@headrace/contract/rules/active-now';
import { silentFrom, sprinklerCondition } from '@headrace/contract/rules/condition';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import {
  type Belief,
  beliefSteadyUntil,
  isTakenAsOpen,
  valveBelief,
  type ValveFacts,
} from '@headrace/contract/rules/valve-belief';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import { chargeSince } from '../devices/battery.ts';
import { radioOf } from '../devices/farm-radio.ts';
import type { LimitsByGateway, UnitLimits } from '../gateways/unit-limits.ts';
import { readinessOf } from '../irrigation-devices/unit-record.ts';
import { cycleAt, isScheduleComing, programmeOf, type WateringProgramme } from './programme.ts';
import type { SprinklerRow } from './sprinkler-status.repo.ts';
import { valveFactsOf } from './valve-facts.ts';

/** What all sprinklers of a farm have in common. */
export interface FarmContext extends FarmFacts {
  readonly calendar: FarmCalendar;
  readonly thresholdsOf: LimitsByGateway;
  /** The same as long as the facts, the farm's clock and its day are. */
  readonly key: string;
}

interface FarmFacts {
  /** Some of its units were sent schedules: those that were not are to hold nothing. */
  readonly isScheduled: boolean;
  /** What most of the units in service use; null without any. */
  readonly radio: Radio | null;
}

export function farmContext(
  facts: FarmFacts,
  calendar: FarmCalendar,
  thresholdsOf: FarmContext['thresholdsOf'],
): FarmContext {
  const key = oneText(JSON.stringify([facts, calendar.zone, calendar.day(0)]));
  return { ...facts, calendar, thresholdsOf, key };
}

const TEXTS_KEPT = 1000;
const texts = new Map<string, string>();

/** The same text in the same place: it is compared for each of thousands of units, which then takes no look at its letters. */
function oneText(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= TEXTS_KEPT) texts.clear();
  texts.set(text, text);
  return text;
}

/** A status, for whom it was reckoned, and from when until when it holds (epoch ms). */
interface Steady {
  readonly status: IpcStatus;
  readonly farm: string;
  readonly charge: number;
  readonly clock: number;
  readonly from: number;
  readonly until: number;
}
/** Kept on the row, out of sight, as `remember` does. */
const steady = Symbol('steady');
type Reckoned = SprinklerRow & { [steady]?: Steady };

/** As maps and status lists have it: the same object until the row, the farm or the clock makes it another. */
export const toStatus = (row: SprinklerRow, farm: FarmContext): IpcStatus => steadyStatus(row, farm).status;

/** The same, with how long it holds. */
export function steadyStatus(row: Reckoned, farm: FarmContext): Pick<Steady, 'status' | 'until'> {
  const thresholds = farm.thresholdsOf(row.gateway_id);
  const known = row[steady];
  if (known && holds(known, farm, thresholds)) return known;
  const { status, until } = reckon(row, farm, thresholds);
  const { charge, clock } = thresholds;
  const value: Steady = { status, farm: farm.key, charge, clock, from: farm.calendar.now, until };
  if (known) row[steady] = value;
  else Object.defineProperty(row, steady, { value, writable: true });
  return value;
}

const holds = (
  { farm, charge, clock, from, until }: Steady,
  { key, calendar: { now } }: FarmContext,
  limits: UnitLimits,
): boolean =>
  farm === key && charge === limits.charge && clock === limits.clock && from <= now && now < until;

function reckon(
  row: SprinklerRow,
  farm: FarmContext,
  thresholds: UnitLimits,
): { status: IpcStatus; until: number } {
  const { now } = farm.calendar;
  const { status, schedule, valve } = wholeStatus(row, farm, thresholds);
  const silentAt = row.status_at === null ? now : silentFrom(row.status_at);
  const until = Math.min(nextTurn(schedule.waterings), beliefSteadyUntil(valve, now));
  return { status, until: silentAt > now ? Math.min(until, silentAt) : until };
}

/** A status with what it was concluded from. */
export interface WholeStatus {
  readonly status: IpcStatus;
  readonly belief: Belief;
  readonly valve: ValveFacts;
  readonly schedule: ScheduleFacts;
  readonly thresholds: UnitLimits;
}

export function wholeStatus(
  row: SprinklerRow,
  farm: FarmContext,
  thresholds: UnitLimits = farm.thresholdsOf(row.gateway_id),
): WholeStatus {
  const schedule = scheduleOf(row, farm);
  const valve = valveFactsOf(row, schedule.programme, farm.calendar);
  const belief = valveBelief(valve, farm.calendar.now);
  const status = statusOf({ row, farm, thresholds, schedule, belief });
  return { status, belief, valve, schedule, thresholds };
}

/** What a status is reckoned from. */
interface Known {
  readonly row: SprinklerRow;
  readonly farm: FarmContext;
  readonly thresholds: UnitLimits;
  readonly schedule: ScheduleFacts;
  readonly belief: Belief;
}

function statusOf({ row, farm, thresholds, schedule, belief }: Known): IpcStatus {
  const { settings } = row;
  const is = (name: string) => settings[name] === true;
  const charge = chargeSince(row);
  const radio = radioOf(row);
  const active = isTakenAsOpen(belief);
  const facts = {
    outOfService: is('outOfService'),
    isSpareUnit: is('isSpareUnit'),
    statusTime: row.status_at,
    ipcCrc: row.ipc_crc,
    incCrc: schedule.crc,
    isScheduleComing: isScheduleComing(row),
    clock: row.clock,
    charge,
    clockThreshold: thresholds.clock,
    chargeThreshold: thresholds.charge,
    activeNow: active,
    converted: convertedOf(settings),
  };
  const how = sprinklerCondition(facts, farm.calendar.now);
  return {
    id: row.uid,
    name: row.name,
    serial: row.serial_number,
    mac: row.mac ?? '',
    lat: row.lat,
    lng: row.lng,
    channel: radio.channel,
    farmid: radio.farmId,
    groups: [...row.groups],
    condition: how.condition,
    active,
    isInhibited: how.isInhibited,
    ...(row.stop_since !== null && { stopWanted: row.stop_since }),
    isOutOfContact: how.isOutOfContact,
    hasError: how.hasError,
    hasBatteryError: how.hasBatteryError,
    hasClockError: how.hasClockError,
    hasScheduleError: how.hasScheduleError,
    isScheduleComing: how.isScheduleComing,
    isPlaceholder: is('isPlaceholder'),
    isSpareUnit: is('isSpareUnit'),
    isPartSprinkler: is('isPartSprinkler'),
    outOfService: facts.outOfService,
    spareStatus: readinessOf(row, farm.radio, thresholds).status,
    charge,
    clock: row.clock,
    mode: row.mode,
    hops: row.hops,
    lastpoll: timeOf(row.polled_at),
    statustime: row.status_at ?? 0,
    laststatus: row.status_at === null ? '' : clockText(farm.calendar, row.status_at),
    laststatusraw: row.status_at ?? 0,
    schedulenum: row.schedule_num,
    schedname: row.wanted?.schedule_group ?? null,
    schedules: schedule.minutes,
    curCycleDay: schedule.cycleDay,
    cycleLen: schedule.cycleDays,
    ipc_crc: row.ipc_crc,
    inc_crc: schedule.crc,
    valveOpen: row.valve === null ? null : row.valve > 0,
    valveAt: (row.valve === null ? null : row.valve_at) ?? 0,
    belief: belief.state === 'closed' && belief.basis === 'said' ? null : belief,
    activeAt: schedule.waterings,
  };
}

interface ScheduleFacts {
  /** Of watering in a cycle of what it is to water by. */
  readonly minutes: number;
  /** Today's, from 1; null: nobody knows. */
  readonly cycleDay: number | null;
  readonly cycleDays: number;
  /** Of what it is to water by; null: nobody on the farm was sent anything yet. */
  readonly crc: string | null;
  /** By what it holds. */
  readonly waterings: Watering[];
  readonly programme: WateringProgramme;
}

/** What a unit is to water by, and what it does water by as far as anybody knows. */
export function scheduleOf(
  unit: Parameters<typeof programmeOf>[0],
  { calendar, isScheduled }: Pick<FarmContext, 'calendar' | 'isScheduled'>,
): ScheduleFacts {
  const programme = programmeOf(unit);
  const cycle = cycleAt(programme, calendar);
  return {
    minutes: (unit.wanted?.entries ?? []).reduce((sum, { duration }) => sum + duration, 0),
    cycleDay: cycle?.day ?? null,
    cycleDays: programme.cycleDays,
    crc: unit.wanted?.crc ?? (isScheduled ? inhibitedCrc : null),
    waterings: cycle ? waterings(calendar, programme.entries, cycle) : [],
    programme,
  };
}

/** Written when a point of interest becomes a sprinkler: `converted: { condition, at }`. */
function convertedOf(settings: SprinklerRow['settings']): { condition: number; at: number } | null {
  const converted = settings['converted'];
  if (typeof converted !== 'object' || converted === null) return null;
  if (!('condition' in converted && 'at' in converted)) return null;
  return { condition: Number(converted.condition), at: Date.parse(String(converted.at)) };
}

/** Epoch ms; 0: never. */
function timeOf(text: string | null): number {
  return (text && Date.parse(text)) || 0;
}

/** DD/MM/YYYY HH:mm on the farm's clock. */
function clockText({ zone: { before: _before, ...zone } }: FarmCalendar, at: number): string {
  const local = new Date(at + farmOffsetSeconds(zone, at) * 1000).toISOString();
  const [year, month, day] = local.slice(0, 10).split('-');
  return `${day}/${month}/${year} ${local.slice(11, 16)}`;
}
