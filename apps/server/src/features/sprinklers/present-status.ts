import type { IpcStatus } from '@headrace/contract/groups';
import {
  cycleDayNow,
  type FarmCalendar,
  isWatering,
  type ValveReport,
  waterings,
} from '@headrace/contract/rules/active-now';
import { sprinklerCondition } from '@headrace/contract/rules/condition';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import { unitEntries } from '../commands/down-messages.ts';
import { chargeSince } from '../devices/battery.ts';
import { radioOf, readinessOf } from '../irrigation-devices/unit-record.ts';
import type { SprinklerRow } from './sprinkler-status.repo.ts';

/** What all sprinklers of a farm have in common. */
export interface FarmContext {
  readonly calendar: FarmCalendar;
  /** Days of the current set's cycle; null: the farm waters by no set. */
  readonly setDays: number | null;
  /** What most of the units in service use; null without any. */
  readonly radio: Radio | null;
  /** %, s; of the gateway that hears a unit. */
  thresholdsOf(gatewayId: number | null): { readonly charge: number; readonly clock: number };
}

/** As maps and status lists have it. */
export function toStatus(row: SprinklerRow, farm: FarmContext): IpcStatus {
  const { settings } = row;
  const is = (name: string) => settings[name] === true;
  const charge = chargeSince(row);
  const radio = radioOf(row);
  const schedule = scheduleOf(row, farm);
  const valve = valveOf(row);
  const active = isWatering(schedule.activeAt, valve, farm.calendar.now);
  const thresholds = farm.thresholdsOf(row.gateway_id);
  const facts = {
    outOfService: is('outOfService'),
    isSpareUnit: is('isSpareUnit'),
    statusTime: row.status_at,
    ipcCrc: row.ipc_crc,
    incCrc: schedule.inc_crc,
    clock: row.clock,
    charge,
    clockThreshold: thresholds.clock,
    chargeThreshold: thresholds.charge,
    activeNow: active,
    converted: convertedOf(settings),
  };
  return {
    id: row.uid,
    name: row.name,
    serial: row.serial_number,
    mac: row.mac ?? '',
    lat: row.lat,
    lng: row.lng,
    channel: radio.channel,
    farmid: radio.farmId,
    groups: row.groups ?? [],
    ...sprinklerCondition(facts, farm.calendar.now),
    active,
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
    ...schedule,
    ipc_crc: row.ipc_crc,
    valveOpen: valve && valve.isOpen,
  };
}

type ScheduleFacts = Pick<
  IpcStatus,
  'schedname' | 'schedules' | 'curCycleDay' | 'cycleLen' | 'inc_crc' | 'activeAt'
>;

/** By the current set. A unit that it has nothing for is to hold nothing. */
function scheduleOf(row: SprinklerRow, { calendar, setDays }: FarmContext): ScheduleFacts {
  const entries = unitEntries(row.entries ?? []);
  const cycleLen = Math.max(1, row.cycle_len ?? setDays ?? 1);
  const said =
    row.cycle_day === null || row.cycle_day_at === null ? null : { day: row.cycle_day, at: row.cycle_day_at };
  const curCycleDay = cycleDayNow(calendar, said, cycleLen);
  return {
    schedname: row.schedule_group,
    schedules: entries.reduce((sum, { duration }) => sum + duration, 0),
    curCycleDay,
    cycleLen,
    inc_crc: setDays === null ? null : scheduleCrc(entries),
    activeAt:
      curCycleDay === null ? [] : waterings(calendar, entries, { day: curCycleDay, length: cycleLen }),
  };
}

function valveOf({ valve, valve_at }: SprinklerRow): ValveReport | null {
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
