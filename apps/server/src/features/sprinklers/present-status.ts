import type { IpcStatus } from '@headrace/contract/groups';
import {
  cycleDayNow,
  type FarmCalendar,
  isWatering,
  type ValveReport,
  type Watering,
  waterings,
  wateringSteadyUntil,
} from '@headrace/contract/rules/active-now';
import { silentFrom, sprinklerCondition } from '@headrace/contract/rules/condition';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import { type ScheduleEntry, scheduleCrc } from '@headrace/device/schedule-crc';
import { unitEntries } from '../commands/down-messages.ts';
import { chargeSince } from '../devices/battery.ts';
import { radioOf } from '../devices/farm-radio.ts';
import { remember } from '../../remember.ts';
import { readinessOf } from '../irrigation-devices/unit-record.ts';
import type { SprinklerRow } from './sprinkler-status.repo.ts';

const CYCLE_DAYS_MAX = 366;
const DAY_MINUTES = 1440;

/** What all sprinklers of a farm have in common. */
export interface FarmContext extends FarmFacts {
  readonly calendar: FarmCalendar;
  /** %, s; of the gateway that hears a unit. */
  readonly thresholdsOf: (gatewayId: number | null) => Thresholds;
  /** The same as long as the facts, the farm's clock and its day are. */
  readonly key: string;
}

interface FarmFacts {
  /** Days of the current set's cycle; null: the farm waters by no set. */
  readonly setDays: number | null;
  /** What most of the units in service use; null without any. */
  readonly radio: Radio | null;
}

export function farmContext(
  facts: FarmFacts,
  calendar: FarmCalendar,
  thresholdsOf: FarmContext['thresholdsOf'],
): FarmContext {
  const key = JSON.stringify([facts, calendar.zone, calendar.day(0)]);
  return { ...facts, calendar, thresholdsOf, key };
}

interface Thresholds {
  readonly charge: number;
  readonly clock: number;
}

/** A status, for whom it was reckoned, and from when until when it holds (epoch ms). */
interface Steady {
  readonly status: IpcStatus;
  readonly farm: string;
  readonly thresholds: Thresholds;
  readonly from: number;
  readonly until: number;
}
const steady = new WeakMap<SprinklerRow, Steady>();

/** As maps and status lists have it: the same object until the row, the farm or the clock makes it another. */
export function toStatus(row: SprinklerRow, farm: FarmContext): IpcStatus {
  const thresholds = farm.thresholdsOf(row.gateway_id);
  const known = steady.get(row);
  if (known && holds(known, farm, thresholds)) return known.status;
  const reckoned = reckon(row, farm, thresholds);
  steady.set(row, { ...reckoned, farm: farm.key, thresholds, from: farm.calendar.now });
  return reckoned.status;
}

function holds({ farm, thresholds, from, until }: Steady, now: FarmContext, limits: Thresholds): boolean {
  return (
    farm === now.key &&
    thresholds.charge === limits.charge &&
    thresholds.clock === limits.clock &&
    from <= now.calendar.now &&
    now.calendar.now < until
  );
}

function reckon(
  row: SprinklerRow,
  farm: FarmContext,
  thresholds: Thresholds,
): { status: IpcStatus; until: number } {
  const { now } = farm.calendar;
  const schedule = scheduleOf(row, farm);
  const valve = valveOf(row);
  const silentAt = row.status_at === null ? now : silentFrom(row.status_at);
  const until = wateringSteadyUntil(schedule.waterings, valve, now);
  return {
    status: statusOf({ row, farm, thresholds, schedule, valve }),
    until: silentAt > now ? Math.min(until, silentAt) : until,
  };
}

/** What a status is reckoned from. */
interface Known {
  readonly row: SprinklerRow;
  readonly farm: FarmContext;
  readonly thresholds: Thresholds;
  readonly schedule: ScheduleFacts;
  readonly valve: ValveReport | null;
}

function statusOf({ row, farm, thresholds, schedule, valve }: Known): IpcStatus {
  const { settings } = row;
  const is = (name: string) => settings[name] === true;
  const charge = chargeSince(row);
  const radio = radioOf(row);
  const active = isWatering(schedule.waterings, valve, farm.calendar.now);
  const facts = {
    outOfService: is('outOfService'),
    isSpareUnit: is('isSpareUnit'),
    statusTime: row.status_at,
    ipcCrc: row.ipc_crc,
    incCrc: schedule.crc,
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
    isOutOfContact: how.isOutOfContact,
    hasError: how.hasError,
    hasBatteryError: how.hasBatteryError,
    hasClockError: how.hasClockError,
    hasScheduleError: how.hasScheduleError,
    isPlaceholder: is('isPlaceholder'),
    isSpareUnit: is('isSpareUnit'),
    isPartSprinkler: is('isPartSprinkler'),
    outOfService: facts.outOfService,
    spareStatus: readinessOf(row, farm.radio).status,
    charge,
    clock: row.clock,
    mode: row.mode,
    hops: row.hops,
    lastpoll: timeOf(row.polled_at),
    statustime: row.status_at ?? 0,
    schedulenum: row.schedule_num,
    schedname: row.schedule_group,
    schedules: schedule.minutes,
    curCycleDay: schedule.cycleDay,
    cycleLen: schedule.cycleDays,
    ipc_crc: row.ipc_crc,
    inc_crc: schedule.crc,
    valveOpen: valve && valve.isOpen,
    activeAt: schedule.waterings,
  };
}

/** Days of a set's cycle, which its settings have in minutes; a day when they don't say. */
export const setDaysOf = (minutes: number | null): number =>
  Math.ceil((minutes ?? DAY_MINUTES) / DAY_MINUTES);

interface ScheduleFacts {
  /** Of watering in a cycle. */
  readonly minutes: number;
  /** Today's, from 1; null: nobody knows. */
  readonly cycleDay: number | null;
  readonly cycleDays: number;
  /** null: the farm waters by no set. */
  readonly crc: string | null;
  readonly waterings: Watering[];
}

const NO_ENTRIES: readonly ScheduleEntry[] = [];
/** What a unit is to hold, reckoned once for each schedule. */
const heldOf = remember((of: readonly ScheduleEntry[]) => {
  const entries = unitEntries(of);
  const minutes = entries.reduce((sum, { duration }) => sum + duration, 0);
  return { entries, minutes, crc: scheduleCrc(entries) };
});

/** By the current set. A unit that it has nothing for is to hold nothing. */
export function scheduleOf(
  row: Pick<SprinklerRow, 'entries' | 'cycle_len' | 'cycle_day' | 'cycle_day_at'>,
  { calendar, setDays }: Pick<FarmContext, 'calendar' | 'setDays'>,
): ScheduleFacts {
  const { entries, minutes, crc } = heldOf(row.entries ?? NO_ENTRIES);
  const cycleDays = daysOrNull(row.cycle_len) ?? daysOrNull(setDays) ?? 1;
  const said =
    row.cycle_day === null || row.cycle_day_at === null ? null : { day: row.cycle_day, at: row.cycle_day_at };
  const cycleDay = cycleDayNow(calendar, said, cycleDays);
  return {
    minutes,
    cycleDay,
    cycleDays,
    crc: setDays === null ? null : crc,
    waterings: cycleDay === null ? [] : waterings(calendar, entries, { day: cycleDay, length: cycleDays }),
  };
}

/** A device can say any number: longer cycles than a year aren't believed. */
function daysOrNull(days: number | null): number | null {
  return days !== null && days >= 1 && days <= CYCLE_DAYS_MAX ? days : null;
}

export function valveOf({ valve, valve_at }: Pick<SprinklerRow, 'valve' | 'valve_at'>): ValveReport | null {
  return valve === null || valve_at === null ? null : { isOpen: valve > 0, at: valve_at };
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
