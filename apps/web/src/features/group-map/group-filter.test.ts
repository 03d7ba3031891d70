import { describe, expect, it, test } from 'vitest';
import type { IpcStatus } from '@headrace/contract/groups';
import { conditions } from '@headrace/contract/rules/condition';
import { filterKinds, type FilterKind } from '@headrace/contract/rules/sprinkler-filter';
import type { BeliefState } from '@headrace/contract/rules/valve-belief';
import {
  customText,
  readCustom,
  readFilter,
  readSort,
  sortUnits,
  standing,
  writeCustom,
  writeFilter,
} from './group-filter.ts';
import { buildUnit } from './group-fixtures.ts';
import { unitMarkers } from './group-markers.ts';
import { unitCondition, unitLabel } from '../../device-records/unit-view-model.ts';

test.each([
  [{ filter: 'ok' }, filterKinds.Ok],
  [{ filter: 'error' }, filterKinds.Error],
  [{ filter: 'inhibited' }, filterKinds.Inhibit],
  [{ filter: 'outcomm' }, filterKinds.OutOfContact],
  [{ filter: 'active' }, filterKinds.Active],
  [{ filter: 'placeholder' }, filterKinds.Placeholder],
  [{ filter: 'locationless' }, filterKinds.Locationless],
  [{ filter: 'custom' }, filterKinds.Custom],
  [{ filter: 'clock' }, filterKinds.All],
  [{ show: 'clock' }, filterKinds.ClockError],
  [{}, filterKinds.All],
] as const)('the address %j filters by %d', (search, kind) => {
  expect(readFilter(search)).toBe(kind);
});

test('every filter finds its way through the address', () => {
  for (const kind of Object.values(filterKinds) as FilterKind[])
    expect(readFilter(writeFilter(kind))).toBe(kind);
});

describe('the custom filter', () => {
  it('is battery less than 50 % until it is set', () => {
    expect(readCustom({})).toEqual({ prop: 0, conditionType: 0, propValue: 50 });
    expect(readCustom({ prop: 'toString', cond: 'lt2', value: '-3' })).toEqual(readCustom({}));
    expect(customText(readCustom({}))).toBe('Battery less than 50 %');
  });
  it('goes through the address, zero too', () => {
    const filter = { prop: 1, conditionType: 3, propValue: 0 } as const;
    expect(writeCustom(filter)).toMatchObject({ filter: 'custom', prop: 'clock', cond: 'gte', value: '0' });
    expect(readCustom(writeCustom(filter))).toEqual(filter);
    expect(customText(filter)).toBe('Clock greater than or equal 0 sec');
  });
});

const context = {
  displaySpares: false,
  farmCentre: { lat: 0, lng: 0 },
  custom: { prop: 0, conditionType: 0, propValue: 50 },
} as const;

test('what a filter leaves out is faint; hidden spares are not there at all', () => {
  const out = buildUnit(1, { condition: conditions.outOfContact, isOutOfContact: true });
  const spare = buildUnit(2, { condition: conditions.outOfService, isSpareUnit: true });
  expect(standing(out, filterKinds.OutOfContact, context)).toBe('shown');
  expect(standing(buildUnit(3), filterKinds.OutOfContact, context)).toBe('faint');
  expect(standing(spare, filterKinds.All, context)).toBe('hidden');
  expect(standing(spare, filterKinds.Spares, context)).toBe('shown');
});

test('a unit that did not change keeps its marker', () => {
  const [one, other] = [buildUnit(1), buildUnit(2)];
  const before = unitMarkers([one, other], filterKinds.All, context);
  const after = unitMarkers([one, { ...other, condition: conditions.error }], filterKinds.All, context);
  expect(after[0]).toBe(before[0]);
  expect(after[1]?.condition).toBe('caution');
});

test.each([
  [conditions.inhibited, 'inhibited'],
  [conditions.ok, 'ok'],
  [conditions.outOfContact, 'issue'],
  [conditions.error, 'caution'],
  [conditions.outOfService, 'spare'],
  [conditions.convertedSpare, 'caution'],
  [conditions.active, 'watering'],
  [42, 'ok'],
])('condition %d is drawn as %s', (condition, look) => {
  expect(unitCondition({ condition })).toBe(look);
});

const believed = (state: BeliefState): IpcStatus['belief'] => ({
  state,
  since: 1,
  until: 2,
  basis: 'said',
  cause: 'schedule',
});

test.each([
  [{}, 'OK'],
  [{ active: true, belief: believed('open') }, 'Watering'],
  [{ active: true, belief: believed('mayBeOpen') }, 'Should be watering, not confirmed'],
  [{ active: true, belief: believed('openOverdue') }, 'Should be closed by now'],
  [
    { hasBatteryError: true, active: true, belief: believed('openOverdue') },
    'Should be closed by now, low battery',
  ],
  [{ belief: believed('unknown') }, 'OK'],
  [
    { hasBatteryError: true, hasClockError: true, active: true, belief: believed('open') },
    'Low battery, clock error, watering',
  ],
  [{ isOutOfContact: true, hasBatteryError: true }, 'Out of contact'],
  [{ isInhibited: true }, 'Inhibited'],
  [{ stopWanted: 1, isInhibited: true }, 'Inhibited'],
  [{ isInhibited: true, inc_crc: 'D6:DA', isSpareUnit: true }, 'Spare, no schedule'],
  [{ stopWanted: 1 }, 'To be inhibited, has not said so yet'],
  [{ stopWanted: null }, 'OK'],
  [{ isSpareUnit: true, outOfService: true }, 'Spare, out of service'],
])('%j is said as %s', (over, text) => {
  expect(unitLabel(buildUnit(1, over))).toBe(text);
});

test.each([
  ['name', ['A2', 'A10', 'B1']],
  ['name-desc', ['B1', 'A10', 'A2']],
  ['serial', ['B1', 'A2', 'A10']],
  ['serial-desc', ['A10', 'A2', 'B1']],
  ['oldest', ['B1', 'A10', 'A2']],
  ['newest', ['A2', 'A10', 'B1']],
  ['nonsense', ['A2', 'A10', 'B1']],
])('sorted by %s', (sort, names) => {
  const units = [
    { name: 'A10', serial: '100', statustime: 10 },
    { name: 'B1', serial: '9', statustime: 0 },
    { name: 'A2', serial: '20', statustime: 20 },
  ];
  expect(sortUnits(units, readSort(sort)).map(({ name }) => name)).toEqual(names);
});
