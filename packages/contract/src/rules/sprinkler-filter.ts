import type { IpcStatus } from '../groups.ts';
import type { LatLng } from '../schemas.ts';
import { conditions } from './condition.ts';

/** Not to be compared with conditions: some numbers are the same and mean something else. spec 2 §4.8 */
export const filterKinds = {
  Inhibit: -1,
  Ok: 0,
  OutOfContact: 1,
  Error: 2,
  All: 3,
  Active: 4,
  Placeholder: 5,
  ClockError: 6,
  LowBattery: 7,
  ScheduleIssues: 8,
  Sensors: 9,
  Spares: 10,
  Locationless: 11,
  Custom: 12,
  PointsOfInterest: 13,
} as const;
export type FilterKind = (typeof filterKinds)[keyof typeof filterKinds];

/** In the order of the menu; placeholders are reached by link only. */
export const filterLabels: readonly (readonly [FilterKind, string])[] = [
  [filterKinds.All, 'All'],
  [filterKinds.OutOfContact, 'Out of Contact'],
  [filterKinds.Error, 'Errors'],
  [filterKinds.ClockError, 'Clock Error'],
  [filterKinds.LowBattery, 'Low Battery'],
  [filterKinds.ScheduleIssues, 'Schedule Issues'],
  [filterKinds.Inhibit, 'Inhibited'],
  [filterKinds.Active, 'Active'],
  [filterKinds.Ok, 'Normal'],
  [filterKinds.Spares, 'Spares'],
  [filterKinds.Locationless, 'Locationless'],
  [filterKinds.PointsOfInterest, 'Points of Interest'],
  [filterKinds.Sensors, 'Sensors'],
  [filterKinds.Custom, 'Custom'],
];

const tokens = new Map<string, FilterKind>([
  ['ok', filterKinds.Ok],
  ['error', filterKinds.Error],
  ['inhibited', filterKinds.Inhibit],
  ['outcomm', filterKinds.OutOfContact],
  ['active', filterKinds.Active],
  ['placeholder', filterKinds.Placeholder],
  ['locationless', filterKinds.Locationless],
  ['custom', filterKinds.Custom],
]);

/** Of a link's `filter`; anything else means all. */
export function filterOfToken(token: string | undefined): FilterKind {
  return tokens.get(token ?? '') ?? filterKinds.All;
}

export const customProps = { Battery: 0, Clock: 1 } as const;
export const customConditions = { Less: 0, LessOrEqual: 1, Greater: 2, GreaterOrEqual: 3 } as const;

export interface CustomFilter {
  readonly prop: (typeof customProps)[keyof typeof customProps];
  readonly conditionType: (typeof customConditions)[keyof typeof customConditions];
  /** %, or seconds of drift either way; from 0. */
  readonly propValue: number;
}
export const firstCustomFilter: CustomFilter = {
  prop: customProps.Battery,
  conditionType: customConditions.Less,
  propValue: 50,
};

export type FilteredUnit = Pick<
  IpcStatus,
  | 'condition'
  | 'isOutOfContact'
  | 'isInhibited'
  | 'hasError'
  | 'hasBatteryError'
  | 'hasClockError'
  | 'hasScheduleError'
  | 'isPlaceholder'
  | 'isSpareUnit'
  | 'outOfService'
  | 'charge'
  | 'clock'
  | 'lat'
  | 'lng'
>;

export interface FilterContext {
  /** The account's setting "Display Spares". */
  readonly displaySpares: boolean;
  readonly farmCentre: LatLng;
  readonly custom: CustomFilter;
}

/** Whether a sprinkler is shown under a filter. The filters that counters link to show exactly the units counted. */
export function isShown(unit: FilteredUnit, filter: FilterKind, context: FilterContext): boolean {
  if (isHiddenSpare(unit, filter, context.displaySpares)) return false;
  switch (filter) {
    case filterKinds.All:
      return true;
    case filterKinds.Ok:
      return isOk(unit);
    case filterKinds.Active:
      return unit.condition === conditions.active;
    case filterKinds.OutOfContact:
      return unit.condition === conditions.outOfContact;
    case filterKinds.Inhibit:
      return unit.condition === conditions.inhibited;
    case filterKinds.Error:
      return needsAttention(unit);
    case filterKinds.ClockError:
      return isHeardInService(unit) && unit.hasClockError;
    case filterKinds.LowBattery:
      return isHeardInService(unit) && unit.hasBatteryError;
    case filterKinds.ScheduleIssues:
      return isHeardInService(unit) && unit.hasScheduleError;
    case filterKinds.Placeholder:
      return unit.isPlaceholder;
    case filterKinds.Spares:
      return isOutOfDuty(unit);
    case filterKinds.Locationless:
      return isLocationless(unit, context.farmCentre);
    case filterKinds.Custom:
      return matches(unit, context.custom);
    case filterKinds.Sensors:
    case filterKinds.PointsOfInterest:
      return false;
    default:
      return filter satisfies never;
  }
}

/** Asked for by name, spares are shown whatever the setting says. */
function isHiddenSpare(unit: FilteredUnit, filter: FilterKind, displaySpares: boolean): boolean {
  if (!unit.isSpareUnit || filter === filterKinds.Spares) return false;
  return !displaySpares || (unit.outOfService && filter !== filterKinds.All);
}

const isOutOfDuty = (unit: FilteredUnit) => unit.isSpareUnit || unit.outOfService;

export const isInService = ({ condition }: Pick<FilteredUnit, 'condition'>) =>
  condition !== conditions.outOfService;

/** Whose battery, clock and schedule count: of the others nobody waits for a repair, or knows how they are. */
export const isHeardInService = (unit: Pick<FilteredUnit, 'condition' | 'isOutOfContact'>) =>
  isInService(unit) && !unit.isOutOfContact;

/** Watering or at rest, with nothing wrong. */
export const isOk = ({ condition }: Pick<FilteredUnit, 'condition'>) =>
  condition === conditions.ok || condition === conditions.active;

/** In service with something wrong, or taken out of a point of interest and not heard since. */
export const needsAttention = ({ condition }: Pick<FilteredUnit, 'condition'>) =>
  condition === conditions.error || condition === conditions.convertedSpare;

function isLocationless({ lat, lng }: FilteredUnit, centre: LatLng): boolean {
  return lat === null || lng === null || (lat === centre.lat && lng === centre.lng);
}

function matches(unit: FilteredUnit, { prop, conditionType, propValue }: CustomFilter): boolean {
  const said = prop === customProps.Battery ? unit.charge : unit.clock;
  if (said === null) return false;
  const value = Math.abs(said);
  switch (conditionType) {
    case customConditions.Less:
      return value < propValue;
    case customConditions.LessOrEqual:
      return value <= propValue;
    case customConditions.Greater:
      return value > propValue;
    case customConditions.GreaterOrEqual:
      return value >= propValue;
    default:
      return conditionType satisfies never;
  }
}
