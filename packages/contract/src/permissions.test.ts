import { describe, expect, it } from 'vitest';
import {
  can,
  flag,
  flags,
  isWithin,
  levels,
  meets,
  presets,
  resources,
  templates,
  toPermissions,
} from './permissions.ts';

/** The lists and figures of spec 2 §6, by hand: shares are stored and sent by these names and numbers. */
const everyFlag = [
  'dashboard',
  'sprinklersStatus',
  'convertIrrigationDevices',
  'sendScheduleToSite',
  'sendScheduleToGroup',
  'replaceSprinkler',
  'pollSprinkler',
  'inhibitGroup',
  'inhibitSprinkler',
  'toggleValve',
  'import',
  'export',
  'notifications',
  'manageGroupDevices',
  'sendGatewaySettings',
  'sendRelayValues',
];
const everyResource = [
  'farms',
  'groups',
  'placeholders',
  'irrigationDevices',
  'sensors',
  'schedules',
  'gateways',
  'repeaters',
  'pois',
];
const rights = (level: number, allowed: readonly string[]) => ({
  ...Object.fromEntries(everyResource.map((name) => [name, level])),
  ...Object.fromEntries(everyFlag.map((name) => [name, allowed.includes(name)])),
});

describe('permissions', () => {
  it('have 16 flags, nine resources, five levels and four templates', () => {
    expect(flags).toEqual(everyFlag);
    expect(resources).toEqual(everyResource);
    expect(levels).toEqual({ None: 0, Read: 1, Create: 2, Edit: 4, Delete: 8, Account: 16, All: 15 });
    expect(templates).toEqual({ Custom: 1, FarmManager: 2, Agent: 3, Guest: 4 });
  });

  it.each([
    ['farmManager', rights(15, everyFlag)],
    ['agent', { ...rights(15, everyFlag), farms: 1 }],
    ['guest', rights(1, ['dashboard', 'sprinklersStatus', 'notifications'])],
    ['none', rights(0, [])],
  ] as const)('of the preset %s are exactly these', (name, expected) => {
    expect(presets[name]).toEqual(expected);
  });

  it('are each tested by its own bit', () => {
    const edit = { ...presets.none, sensors: 4, toggleValve: true };
    const opened = (['Read', 'Create', 'Edit', 'Delete', 'Account'] as const).filter((level) =>
      meets(edit, { anyOf: [can('sensors', level)] }),
    );
    expect(opened).toEqual(['Edit']);
    expect(meets(edit, { allOf: [can('sensors', 'Edit'), flag('toggleValve')] })).toBe(true);
    expect(meets(edit, { allOf: [can('sensors', 'Edit'), flag('dashboard')] })).toBe(false);
    expect(meets(edit, { anyOf: [can('gateways', 'Edit'), flag('dashboard')] })).toBe(false);
  });
});

describe('rights as they were stored', () => {
  it.each([
    ['those of today', presets.agent, presets.agent],
    [
      'before a flag and a resource were there',
      { farms: 1, dashboard: true },
      { ...presets.none, farms: 1, dashboard: true },
    ],
    ['with one that is gone', { ...presets.guest, fertigation: true }, presets.guest],
    [
      'with what is no level or flag',
      { farms: '15', groups: -1.5, pois: null, import: 'yes', export: 1 },
      presets.none,
    ],
    ['with more bits than there are', { farms: 4095 }, { ...presets.none, farms: 31 }],
    ['nothing', null, presets.none],
    ['a text', 'all', presets.none],
  ])('%s', (_, stored, expected) => {
    expect(toPermissions(stored)).toEqual(expected);
  });
});

it.each([
  ['the same', presets.agent, presets.agent, true],
  ['a guest of an agent', presets.guest, presets.agent, true],
  ['an agent of a guest', presets.agent, presets.guest, false],
  ['a level less', { ...presets.agent, sensors: levels.Read }, presets.agent, true],
  ['a level more', presets.agent, { ...presets.agent, sensors: levels.Read }, false],
  ['a flag more', { ...presets.guest, export: true }, presets.guest, false],
])('rights are within others: %s', (_, these, others, is) => {
  expect(isWithin(these, others)).toBe(is);
});
