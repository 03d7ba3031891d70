import { compareNames } from './tank-view-model.ts';

export const mapFilters = [
  'All',
  'Tanks',
  'Ok',
  'OutOfContact',
  'LowBattery',
  'LowVolume',
  'PointOfInterests',
  'Sensors',
] as const;
export type MapFilter = (typeof mapFilters)[number];

export const filterNames: Record<MapFilter, string> = {
  All: 'All',
  Tanks: 'Tanks',
  Ok: 'OK',
  OutOfContact: 'Out of contact',
  LowBattery: 'Low battery',
  LowVolume: 'Low volume',
  PointOfInterests: 'Points of interest',
  Sensors: 'Sensors',
};

/** What the map filters by. Gateways and repeaters are what the filter Sensors shows: they carry the sensors' words. */
export interface MapItem {
  kind: 'tank' | 'gateway' | 'repeater' | 'poi';
  name: string;
  /** epoch ms; null: never */
  statusTime: number | null;
  condition: 0 | 1 | 2;
  lowBattery: boolean;
  lowLevel: boolean;
}

/** Points of interest and sensors can be chosen only where the farm has them. */
export function availableFilters(pois: number, gatewaysAndRepeaters: number): MapFilter[] {
  return mapFilters.filter((filter) => {
    if (filter === 'PointOfInterests') return pois > 0;
    return filter !== 'Sensors' || gatewaysAndRepeaters > 0;
  });
}

export const isShown: Record<MapFilter, (item: MapItem) => boolean> = {
  All: () => true,
  Tanks: ({ kind }) => kind === 'tank',
  Ok: ({ kind, condition }) => kind === 'tank' && condition === 0,
  OutOfContact: ({ kind, condition }) => kind === 'tank' && condition === 1,
  LowBattery: ({ kind, lowBattery }) => kind === 'tank' && lowBattery,
  LowVolume: ({ kind, lowLevel }) => kind === 'tank' && lowLevel,
  PointOfInterests: ({ kind }) => kind === 'poi',
  Sensors: ({ kind }) => kind === 'gateway' || kind === 'repeater',
};

export const mapSorts = ['name', 'name-desc', 'oldest', 'newest'] as const;
export type MapSort = (typeof mapSorts)[number];

export const sortLabels: Record<MapSort, string> = {
  name: 'Name A-Z',
  'name-desc': 'Name Z-A',
  oldest: 'Status Time Oldest',
  newest: 'Status Time Newest',
};

type Sortable = Pick<MapItem, 'name' | 'statusTime'>;
/** What never reported is older than all that did. Equal times go by name. */
const age = ({ statusTime }: Sortable) => statusTime ?? -Infinity;
const byTime = (a: Sortable, b: Sortable) => (age(a) === age(b) ? 0 : age(a) - age(b));

const orders: Record<MapSort, (a: Sortable, b: Sortable) => number> = {
  name: compareNames,
  'name-desc': (a, b) => compareNames(b, a),
  oldest: (a, b) => byTime(a, b) || compareNames(a, b),
  newest: (a, b) => byTime(b, a) || compareNames(a, b),
};

export function sortItems<T extends Sortable>(items: readonly T[], sort: MapSort): T[] {
  return [...items].sort(orders[sort]);
}

export const readFilter = (text: string | undefined, available: readonly MapFilter[]): MapFilter =>
  available.find((filter) => filter === text) ?? 'All';
export const readSort = (text: string | undefined): MapSort =>
  mapSorts.find((sort) => sort === text) ?? 'name';
