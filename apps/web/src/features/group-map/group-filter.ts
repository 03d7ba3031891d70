import {
  customConditions,
  customProps,
  filterKinds,
  filterOfToken,
  firstCustomFilter,
  isShown,
  type CustomFilter,
  type FilterContext,
  type FilterKind,
} from '@headrace/contract/rules/sprinkler-filter';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { MapUnit } from '@headrace/contract/map-units';
import type { GroupMapSearch } from './map-search.ts';

/** Links that counters and mails carry: these words alone mean something in `filter`, any other means all. */
const TOKENS: Partial<Record<FilterKind, string>> = {
  [filterKinds.Ok]: 'ok',
  [filterKinds.Error]: 'error',
  [filterKinds.Inhibit]: 'inhibited',
  [filterKinds.OutOfContact]: 'outcomm',
  [filterKinds.Active]: 'active',
  [filterKinds.Placeholder]: 'placeholder',
  [filterKinds.Locationless]: 'locationless',
  [filterKinds.Custom]: 'custom',
};
/** Filters that have no such word stand in `show`. */
const SHOWN: Partial<Record<FilterKind, string>> = {
  [filterKinds.ClockError]: 'clock',
  [filterKinds.LowBattery]: 'battery',
  [filterKinds.ScheduleIssues]: 'schedule',
  [filterKinds.Sensors]: 'sensors',
  [filterKinds.Spares]: 'spares',
  [filterKinds.PointsOfInterest]: 'pois',
};
const kindsShown = new Map(Object.entries(SHOWN).map(([kind, label]) => [label, Number(kind) as FilterKind]));

export function readFilter({ filter, show }: GroupMapSearch): FilterKind {
  return kindsShown.get(show ?? '') ?? filterOfToken(filter);
}

/** How a filter stands in the address. */
export function writeFilter(kind: FilterKind): Pick<GroupMapSearch, 'filter' | 'show'> {
  return { filter: TOKENS[kind], show: SHOWN[kind] };
}

const PROPS = { battery: customProps.Battery, clock: customProps.Clock } as const;
const CONDITIONS = {
  lt: customConditions.Less,
  lte: customConditions.LessOrEqual,
  gt: customConditions.Greater,
  gte: customConditions.GreaterOrEqual,
} as const;

const isNameOf = <T extends object>(table: T, name: string | undefined): name is Extract<keyof T, string> =>
  name !== undefined && Object.hasOwn(table, name);
const nameOf = (table: Readonly<Record<string, number>>, value: number): string | undefined =>
  Object.keys(table).find((name) => table[name] === value);

/** The custom filter of the address; what isn't understood is as at first: battery less than 50 %. */
export function readCustom({ prop, cond, value }: GroupMapSearch): CustomFilter {
  const number = value === undefined || value.trim() === '' ? Number.NaN : Number(value);
  return {
    prop: isNameOf(PROPS, prop) ? PROPS[prop] : firstCustomFilter.prop,
    conditionType: isNameOf(CONDITIONS, cond) ? CONDITIONS[cond] : firstCustomFilter.conditionType,
    propValue: Number.isFinite(number) && number >= 0 ? number : firstCustomFilter.propValue,
  };
}

export function writeCustom({ prop, conditionType, propValue }: CustomFilter): GroupMapSearch {
  return {
    ...writeFilter(filterKinds.Custom),
    prop: nameOf(PROPS, prop),
    cond: nameOf(CONDITIONS, conditionType),
    value: String(propValue),
  };
}

export const propLabels: Record<CustomFilter['prop'], { name: string; unit: string }> = {
  [customProps.Battery]: { name: 'Battery', unit: '%' },
  [customProps.Clock]: { name: 'Clock', unit: 'sec' },
};
export const conditionTypeLabels: Record<CustomFilter['conditionType'], string> = {
  [customConditions.Less]: 'Less Than',
  [customConditions.LessOrEqual]: 'Less Than Or Equal',
  [customConditions.Greater]: 'Greater Than',
  [customConditions.GreaterOrEqual]: 'Greater Than Or Equal',
};

/** "Battery less than 50 %". */
export function customText({ prop, conditionType, propValue }: CustomFilter): string {
  const { name, unit } = propLabels[prop];
  return `${name} ${conditionTypeLabels[conditionType].toLowerCase()} ${propValue} ${unit}`;
}

/** How a unit stands on the map under a filter: shown, faint because it is left out, or not at all. */
export function standing(
  unit: MapUnit,
  filter: FilterKind,
  context: FilterContext,
): 'shown' | 'faint' | 'hidden' {
  if (isShown(unit, filter, context)) return 'shown';
  return isShown(unit, filterKinds.All, context) ? 'faint' : 'hidden';
}

export const unitSorts = ['name', 'name-desc', 'serial', 'serial-desc', 'oldest', 'newest'] as const;
export type UnitSort = (typeof unitSorts)[number];
export const sortLabels: Record<UnitSort, string> = {
  name: 'Name A-Z',
  'name-desc': 'Name Z-A',
  serial: 'Serial A-Z',
  'serial-desc': 'Serial Z-A',
  oldest: 'Status Time Oldest',
  newest: 'Status Time Newest',
};
export const readSort = (text: string | undefined): UnitSort =>
  unitSorts.find((sort) => sort === text) ?? 'name';

interface Sortable {
  name: string;
  serial: string;
  statustime: number;
}
const byName = (a: Sortable, b: Sortable) => compareNatural(a.name, b.name);
const bySerial = (a: Sortable, b: Sortable) => compareNatural(a.serial, b.serial);
/** What never reported is older than all that did: its time is 0. */
const byTime = (a: Sortable, b: Sortable) => a.statustime - b.statustime;
const orders: Record<UnitSort, (a: Sortable, b: Sortable) => number> = {
  name: byName,
  'name-desc': (a, b) => byName(b, a),
  serial: bySerial,
  'serial-desc': (a, b) => bySerial(b, a),
  oldest: (a, b) => byTime(a, b) || byName(a, b),
  newest: (a, b) => byTime(b, a) || byName(a, b),
};

export const sortUnits = <T extends Sortable>(units: readonly T[], sort: UnitSort): T[] =>
  [...units].sort(orders[sort]);
