import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countSprinklers, summariseSprinklers } from './sprinkler-counts.ts';
import type { BeliefState } from './valve-belief.ts';
import {
  customConditions,
  customProps,
  type FilterContext,
  type FilteredUnit,
  filterKinds,
  filterLabels,
  filterOfToken,
  firstCustomFilter,
  isShown,
} from './sprinkler-filter.ts';

const base: FilteredUnit = {
  condition: 0,
  isOutOfContact: false,
  isInhibited: false,
  hasError: false,
  hasBatteryError: false,
  hasClockError: false,
  hasScheduleError: false,
  isPlaceholder: false,
  isSpareUnit: false,
  outOfService: false,
  charge: 90,
  clock: 0,
  lat: -43.7,
  lng: 171.9,
};
const lowBattery = { hasError: true, hasBatteryError: true, charge: 40 };
const faulty = { ...lowBattery, hasClockError: true, hasScheduleError: true };

/** One unit of each kind that there is on a farm. */
const units = {
  well: base,
  watering: { ...base, condition: 1000 },
  lowBattery: { ...base, ...lowBattery, condition: 2 },
  wrongClock: { ...base, condition: 2, hasError: true, hasClockError: true, clock: -90 },
  wrongSchedule: { ...base, condition: 2, hasError: true, hasScheduleError: true },
  justConverted: { ...base, condition: 7 },
  silentLow: { ...base, ...lowBattery, condition: 1, isOutOfContact: true, hasClockError: true, clock: 99 },
  inhibitedLow: { ...base, ...lowBattery, condition: -1, isInhibited: true },
  spare: { ...base, condition: 5, isSpareUnit: true },
  spareLow: { ...base, ...lowBattery, condition: 5, isSpareUnit: true },
  spareFaulty: { ...base, ...faulty, condition: 5, isSpareUnit: true },
  spareOut: { ...base, ...lowBattery, condition: 5, isSpareUnit: true, outOfService: true },
  placeholder: { ...base, condition: 5, isPlaceholder: true, outOfService: true },
  placeholderLow: { ...base, ...faulty, condition: 5, isPlaceholder: true, outOfService: true },
  unplaced: { ...base, lat: null, lng: null },
  atCentre: { ...base, lat: -43.75, lng: 171.95 },
  mute: { ...base, charge: null, clock: null },
} satisfies Record<string, FilteredUnit>;
type Name = keyof typeof units;

const context: FilterContext = {
  displaySpares: true,
  farmCentre: { lat: -43.75, lng: 171.95 },
  custom: firstCustomFilter,
};
const shown = (filter: keyof typeof filterKinds, changes: Partial<FilterContext> = {}) =>
  Object.entries(units)
    .filter(([, unit]) => isShown(unit, filterKinds[filter], { ...context, ...changes }))
    .map(([name]) => name);

const spares: Name[] = ['spare', 'spareLow', 'spareFaulty', 'spareOut'];
const everyone = Object.keys(units);

describe('who is shown, with spares displayed', () => {
  const cases: [keyof typeof filterKinds, string[]][] = [
    ['All', everyone],
    ['Ok', ['well', 'watering', 'unplaced', 'atCentre', 'mute']],
    ['Active', ['watering']],
    ['OutOfContact', ['silentLow']],
    ['Inhibit', ['inhibitedLow']],
    ['Error', ['lowBattery', 'wrongClock', 'wrongSchedule', 'justConverted']],
    ['LowBattery', ['lowBattery', 'inhibitedLow']],
    ['ClockError', ['wrongClock']],
    ['ScheduleIssues', ['wrongSchedule']],
    ['Spares', [...spares, 'placeholder', 'placeholderLow']],
    ['Placeholder', ['placeholder', 'placeholderLow']],
    ['Locationless', ['unplaced', 'atCentre']],
    ['Custom', ['lowBattery', 'silentLow', 'inhibitedLow', 'spareLow', 'spareFaulty', 'placeholderLow']],
    ['Sensors', []],
    ['PointsOfInterest', []],
  ];
  it.each(cases)('%s', (filter, expected) => {
    expect(shown(filter)).toEqual(expected);
  });

  it('is said of every filter there is', () => {
    expect(cases.map(([filter]) => filter).toSorted()).toEqual(Object.keys(filterKinds).toSorted());
  });
});

it.each(Object.keys(filterKinds).filter((name) => name !== 'Spares') as (keyof typeof filterKinds)[])(
  'hides spares under %s unless they are displayed',
  (filter) => {
    const hidden = shown(filter, { displaySpares: false });
    expect(hidden).toEqual(shown(filter).filter((name) => !(spares as string[]).includes(name)));
  },
);

it('shows spares that are asked for, displayed or not', () => {
  expect(shown('Spares', { displaySpares: false })).toEqual(shown('Spares'));
});

describe('the custom filter', () => {
  const { Less, LessOrEqual, Greater, GreaterOrEqual } = customConditions;
  it.each([
    ['Battery', Less, 40, []],
    [
      'Battery',
      LessOrEqual,
      40,
      ['lowBattery', 'silentLow', 'inhibitedLow', 'spareLow', 'spareFaulty', 'placeholderLow'],
    ],
    ['Clock', Greater, 90, ['silentLow']],
    ['Clock', GreaterOrEqual, 90, ['wrongClock', 'silentLow']],
  ] as const)('%s, condition %d, %d', (prop, conditionType, propValue, expected) => {
    expect(shown('Custom', { custom: { prop: customProps[prop], conditionType, propValue } })).toEqual(
      expected,
    );
  });

  it('leaves out units that have not said, also below any value', () => {
    for (const prop of Object.values(customProps))
      expect(shown('Custom', { custom: { prop, conditionType: Less, propValue: 1e9 } })).not.toContain(
        'mute',
      );
  });
});

describe("a link's filter", () => {
  it.each([
    ['ok', 'Ok'],
    ['error', 'Error'],
    ['inhibited', 'Inhibit'],
    ['outcomm', 'OutOfContact'],
    ['active', 'Active'],
    ['placeholder', 'Placeholder'],
    ['locationless', 'Locationless'],
    ['custom', 'Custom'],
    ['all', 'All'],
    ['spares', 'All'],
    ['OK', 'All'],
    ['', 'All'],
    [undefined, 'All'],
  ] as const)('%s means %s', (token, name) => {
    expect(filterOfToken(token)).toBe(filterKinds[name]);
  });
});

it('has a label for every filter but placeholders', () => {
  const labelled = filterLabels.map(([kind]) => kind);
  expect(labelled.toSorted((a, b) => a - b)).toEqual(
    Object.values(filterKinds)
      .filter((kind) => kind !== filterKinds.Placeholder)
      .toSorted((a, b) => a - b),
  );
});

it('has the numbers of the specification, which are stored and sent', () => {
  expect(filterKinds).toEqual({
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
  });
  expect(customProps).toEqual({ Battery: 0, Clock: 1 });
  expect(Object.keys(customConditions)).toEqual(['Less', 'LessOrEqual', 'Greater', 'GreaterOrEqual']);
  expect(firstCustomFilter).toEqual({
    prop: customProps.Battery,
    conditionType: customConditions.Less,
    propValue: 50,
  });
});

const heardOnce = <Unit extends object>(unit: Unit) => ({
  ...unit,
  id: 'A1',
  statustime: 1,
  belief: null,
  activeAt: [],
  schedname: null,
});

describe('counts', () => {
  it('tell of those out of contact how many were never heard', () => {
    const silent = { ...heardOnce(units.silentLow), statustime: 0 };
    expect(countSprinklers([silent, silent, heardOnce(units.silentLow)], 0)).toMatchObject({
      failed: 3,
      neverContacted: 2,
    });
  });

  it('have each unit in service once; active ones are among the ok', () => {
    expect(countSprinklers(Object.values(units).map(heardOnce), 0)).toEqual({
      failed: 1,
      neverContacted: 0,
      ok: 5,
      inhibited: 1,
      stopWanted: 0,
      active: 1,
      attention: 4,
      total: 11,
      watering: { said: 0, planned: 0, overdue: 0, unplanned: 0 },
      next: null,
      troubled: { silent: ['A1'], oneError: ['A1', 'A1', 'A1'] },
    });
  });

  it('name who fell silent and who has one error alone, each while they are few', () => {
    const named = (...farm: FilteredUnit[]) =>
      countSprinklers(
        farm.map((unit, n) => ({ ...heardOnce(unit), id: `U${n}` })),
        0,
      ).troubled;
    const two = { ...units.wrongClock, hasBatteryError: true };
    expect(named(units.well, units.wrongClock, two, units.justConverted, units.silentLow)).toEqual({
      silent: ['U4'],
      oneError: ['U1'],
    });
    const never = { ...heardOnce(units.silentLow), statustime: 0 };
    expect(countSprinklers([never], 0)).not.toHaveProperty('troubled');
    const many = Array.from({ length: 21 }, () => units.lowBattery);
    expect(named(...many)).toBeUndefined();
    expect(named(units.silentLow, ...many)).toEqual({ silent: ['U0'], oneError: [] });
  });

  it('tell of what is taken to water on what that rests, also of units with an error, but of no spare', () => {
    const taken = (unit: FilteredUnit, state: BeliefState) => ({
      ...heardOnce(unit),
      belief: { state, since: 1, until: 2, basis: 'said', cause: 'schedule' } as const,
    });
    const farm = [
      taken(units.watering, 'open'),
      taken(units.lowBattery, 'open'),
      taken(units.watering, 'mayBeOpen'),
      taken(units.silentLow, 'openOverdue'),
      taken(units.well, 'closed'),
      taken(units.mute, 'unknown'),
      taken(units.spare, 'open'),
      heardOnce(units.well),
    ];
    expect(countSprinklers(farm, 0).watering).toEqual({
      said: 2,
      planned: 1,
      overdue: 1,
      unplanned: 0,
      stuck: { overdue: ['A1'], unplanned: [] },
    });
    // So many that a list says less than their number.
    const many = Array.from({ length: 21 }, () => taken(units.well, 'openOverdue'));
    expect(countSprinklers(many, 0).watering).toEqual({ said: 0, planned: 0, overdue: 21, unplanned: 0 });
  });

  it('tell of those that say open though nothing asks for it, once clocks and radio explain it no more', () => {
    const open = (cause: 'none' | 'foreign' | 'schedule', clock = 0, unit: FilteredUnit = units.well) => ({
      ...heardOnce(unit),
      clock,
      belief: { state: 'open', since: 0, until: null, basis: 'said', cause } as const,
    });
    const farm = [
      open('none'),
      open('none', 60),
      open('foreign'),
      open('schedule'),
      open('none', 0, units.spare),
    ];
    const at = (minutes: number) => countSprinklers(farm, minutes * 60_000).watering.unplanned;
    // Five minutes, and the minute that its clock is off.
    expect([at(5), at(5.01), at(6), at(6.01)]).toEqual([0, 1, 1, 2]);
  });

  it('tell of stops that are wanted and were not said yet, also of spares', () => {
    const stopped = (unit: FilteredUnit) => ({ ...heardOnce(unit), stopWanted: 1 });
    const farm = [
      stopped(units.well),
      stopped(units.spare),
      stopped(units.inhibitedLow),
      heardOnce(units.well),
    ];
    // The one that says that it is inhibited is known to be.
    expect(countSprinklers(farm, 0).stopWanted).toBe(2);
  });

  it('name the next start and who begins then: no unit that waters already, is inhibited or out of service', () => {
    const runs = (unit: FilteredUnit, schedname: string | null, starts: number[], activeNow = false) => ({
      ...heardOnce(unit),
      schedname,
      activeAt: starts.map((startAt) => ({ startAt, endAt: startAt + 30, cycle: 1, activeNow })),
    });
    const farm = [
      runs(units.well, 'Line 3', [500, 900]),
      runs(units.lowBattery, 'Line 3', [500]),
      runs(units.well, 'Line 4', [700]),
      runs(units.watering, 'Line 1', [100], true),
      runs(units.inhibitedLow, 'Line 2', [200]),
      runs(units.spare, 'Line 2', [200]),
    ];
    expect(countSprinklers(farm, 0).next).toEqual({ startAt: 500, units: 2, group: 'Line 3' });
    const both = [...farm, runs(units.well, 'Line 5', [500])];
    expect(countSprinklers(both, 0).next).toEqual({ startAt: 500, units: 3, group: null });
  });

  it('of a summary leave out what is out of contact, but for those themselves', () => {
    expect(summariseSprinklers(Object.values(units))).toEqual({
      numberOfIpcs: 11,
      ipcsOOC: 1,
      ipcsActive: 1,
      ipcsClock: 1,
      ipcsCharge: 2,
      ipcsSched: 1,
      ipcsSpare: 6,
    });
  });

  it('are as many as the filters that they link to show, whatever is displayed', () => {
    const some = fc.array(fc.constantFrom(...Object.values(units)));
    fc.assert(
      fc.property(some, fc.boolean(), (farm, displaySpares) => {
        const number = (filter: keyof typeof filterKinds) =>
          farm.filter((unit) => isShown(unit, filterKinds[filter], { ...context, displaySpares })).length;
        const counts = countSprinklers(farm.map(heardOnce), 0);
        expect(counts).toMatchObject({
          failed: number('OutOfContact'),
          ok: number('Ok'),
          inhibited: number('Inhibit'),
          active: number('Active'),
          attention: number('Error'),
        });
        expect(counts.ok + counts.attention + counts.failed + counts.inhibited).toBe(counts.total);
        expect(summariseSprinklers(farm)).toMatchObject({
          ipcsOOC: number('OutOfContact'),
          ipcsActive: number('Active'),
          ipcsClock: number('ClockError'),
          ipcsCharge: number('LowBattery'),
          ipcsSched: number('ScheduleIssues'),
          ipcsSpare: number('Spares'),
        });
      }),
    );
  });
});
