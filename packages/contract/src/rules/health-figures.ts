import type { IpcStatus } from '../groups.ts';
import { conditions, SPRINKLER_OUT_OF_CONTACT_DAYS } from './condition.ts';

const DAY_MS = 86_400_000;
/** Heard within so many days: regularly. spec 2 §3.4 */
const REGULAR_DAYS = 7;

/** What is counted of a farm's sprinklers by the day, in the order of their numbers (`hstType`). spec 2 §3.4 */
export const historyTypes = [
  'Out of contact',
  'Occasional contact',
  'Schedule issues',
  'Low battery',
  'Clock error',
  'Inhibited',
  'Spares',
  'Swaps',
  'Regular contact',
] as const;
/** Its number in `historyTypes`. */
export const historyType = {
  outOfContact: 0,
  occasional: 1,
  schedule: 2,
  battery: 3,
  clock: 4,
  inhibited: 5,
  spares: 6,
  swaps: 7,
  regular: 8,
} as const;

export type HealthUnit = Pick<
  IpcStatus,
  | 'condition'
  | 'isOutOfContact'
  | 'isInhibited'
  | 'isSpareUnit'
  | 'hasBatteryError'
  | 'hasClockError'
  | 'hasScheduleError'
  | 'statustime'
>;

const isInService = ({ condition }: HealthUnit) => condition !== conditions.outOfService;

/** How many units in service are in contact, and of these how many are free of each error. */
export interface HealthCounts {
  readonly inContact: number;
  readonly clockOk: number;
  readonly batteryOk: number;
  readonly scheduleOk: number;
}

export function healthOf(units: readonly HealthUnit[]): HealthCounts {
  const heard = units.filter((unit) => isInService(unit) && !unit.isOutOfContact);
  return {
    inContact: heard.length,
    clockOk: heard.filter(({ hasClockError }) => !hasClockError).length,
    batteryOk: heard.filter(({ hasBatteryError }) => !hasBatteryError).length,
    scheduleOk: heard.filter(({ hasScheduleError }) => !hasScheduleError).length,
  };
}

/** `part` of `whole` in %, to a tenth and never rounded up: 100 means all. Null without any. */
export const percentOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.floor((part * 1000) / whole) / 10;

export const commsClasses = ['regular', 'occasional', 'outOfContact'] as const;
export type CommsClass = (typeof commsClasses)[number];

/**
 * How regularly a unit is heard, by its newest status (epoch ms; 0: never): within 7 days, within 30, or longer ago. Exactly 7 and
 * exactly 30 days are still within. `now` in epoch ms.
 */
export function commsClass({ statustime }: Pick<IpcStatus, 'statustime'>, now: number): CommsClass {
  const silentMs = now - statustime;
  if (statustime === 0 || silentMs > SPRINKLER_OUT_OF_CONTACT_DAYS * DAY_MS) return 'outOfContact';
  return silentMs > REGULAR_DAYS * DAY_MS ? 'occasional' : 'regular';
}

/** A farm's sprinklers by how regularly they are heard; those out of service apart. */
export function commsOf<Unit extends HealthUnit>(
  units: readonly Unit[],
  now: number,
): Record<CommsClass | 'outOfService', Unit[]> {
  const inService = units.filter(isInService);
  const of = (wanted: CommsClass) => inService.filter((unit) => commsClass(unit, now) === wanted);
  return {
    regular: of('regular'),
    occasional: of('occasional'),
    outOfContact: of('outOfContact'),
    outOfService: units.filter((unit) => !isInService(unit)),
  };
}

/**
 * The numbers of the kinds in which a unit counts now (`historyType`); swaps are no state. Errors count while a unit is in
 * contact and in service, as on the map; a spare counts as one whatever else it is.
 */
export function historyTypesOf(unit: HealthUnit, now: number): number[] {
  if (unit.isSpareUnit) return [historyType.spares];
  if (!isInService(unit)) return [];
  const contact = historyType[commsClass(unit, now)];
  if (contact === historyType.outOfContact) return [contact];
  return [
    contact,
    ...(unit.hasScheduleError ? [historyType.schedule] : []),
    ...(unit.hasBatteryError ? [historyType.battery] : []),
    ...(unit.hasClockError ? [historyType.clock] : []),
    ...(unit.isInhibited ? [historyType.inhibited] : []),
  ];
}
