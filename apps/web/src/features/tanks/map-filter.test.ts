import { describe, expect, it, test } from 'vitest';
import {
  availableFilters,
  isShown,
  mapFilters,
  readFilter,
  readSort,
  sortItems,
  type MapItem,
} from './map-filter.ts';

const item = (name: string, over: Partial<MapItem> = {}): MapItem => ({
  kind: 'tank',
  name,
  statusTime: 0,
  condition: 0,
  lowBattery: false,
  lowLevel: false,
  ...over,
});

const all = mapFilters;
const without = (...left: string[]) => all.filter((filter) => !left.includes(filter));
test.each([
  ['POIs and gateways or repeaters', 2, 1, all],
  ['neither', 0, 0, without('PointOfInterests', 'Sensors')],
  ['POIs only', 1, 0, without('Sensors')],
  ['gateways or repeaters only', 0, 3, without('PointOfInterests')],
])('with %s the menu offers what there is', (_name, pois, others, filters) => {
  expect(availableFilters(pois, others)).toEqual(filters);
});

describe('a filter', () => {
  const items = [
    item('ok'),
    item('out and low battery', { condition: 1, lowBattery: true }),
    item('low battery', { condition: 2, lowBattery: true }),
    item('low volume', { condition: 2, lowLevel: true }),
    item('gateway', { kind: 'gateway' }),
    item('repeater', { kind: 'repeater' }),
    item('bore', { kind: 'poi' }),
  ];
  test.each([
    ['All', items.map(({ name }) => name)],
    ['Tanks', ['ok', 'out and low battery', 'low battery', 'low volume']],
    ['Ok', ['ok']],
    ['OutOfContact', ['out and low battery']],
    ['LowBattery', ['out and low battery', 'low battery']],
    ['LowVolume', ['low volume']],
    ['PointOfInterests', ['bore']],
    ['Sensors', ['gateway', 'repeater']],
  ] as const)('%s', (filter, names) => {
    expect(items.filter(isShown[filter]).map(({ name }) => name)).toEqual(names);
  });
});

describe('a sort', () => {
  const items = [
    item('beta', { statusTime: 20 }),
    item('Alpha', { statusTime: 30 }),
    item('gamma', { statusTime: null }),
    item('delta', { statusTime: 20 }),
  ];
  test.each([
    ['name', ['Alpha', 'beta', 'delta', 'gamma']],
    ['name-desc', ['gamma', 'delta', 'beta', 'Alpha']],
    ['oldest', ['gamma', 'beta', 'delta', 'Alpha']],
    ['newest', ['Alpha', 'beta', 'delta', 'gamma']],
  ] as const)('%s', (sort, names) => {
    expect(sortItems(items, sort).map(({ name }) => name)).toEqual(names);
  });
});

it('reads what it knows from the address, and takes anything else for the default', () => {
  expect(readFilter('LowBattery', all)).toBe('LowBattery');
  expect(readFilter('Sensors', without('Sensors'))).toBe('All');
  expect(readFilter('nonsense', all)).toBe('All');
  expect(readSort('newest')).toBe('newest');
  expect(readSort(undefined)).toBe('name');
});
