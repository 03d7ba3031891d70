import { describe, expect, test } from 'vitest';
import { flags, levels, presets, type Permissions } from '@headrace/contract/permissions';
import { changesText, flagGroups, rightsText, uselessRights } from './rights-labels.ts';
import {
  validateEnd,
  dayOf,
  endOf,
  newRights,
  permissionsOf,
  withFlag,
  withLevel,
  withTemplate,
} from './rights-values.ts';

const rights = (over: Partial<Permissions>): Permissions => ({ ...presets.none, ...over });

test('every flag stands in one group', () => {
  expect(flagGroups.flatMap((group) => group.flags).sort()).toEqual([...flags].sort());
});

describe('rights in words', () => {
  test('of a guest: sees everything, and three flags', () => {
    expect(rightsText(presets.guest)).toEqual([
      'See: farm, groups, placeholders, sprinklers, sensors, schedules, gateways, repeaters and points of interest.',
      'Open the dashboard, see the maps and get notifications.',
    ]);
  });

  test('go from most to least', () => {
    const some = rights({ farms: levels.Read, sensors: levels.All, pois: levels.Read | levels.Edit });
    expect(rightsText(some)).toEqual([
      'See, add, change and delete: sensors.',
      'See and change: points of interest.',
      'See: farm.',
    ]);
  });

  test('say so when there are none', () => {
    expect(rightsText(presets.none)).toEqual(['Nothing yet.']);
  });
});

describe('what changes', () => {
  test('is said by resource, then by flag', () => {
    const before = rights({ farms: levels.Read, sensors: levels.Read | levels.Delete, dashboard: true });
    const after = rights({ farms: levels.Read, sensors: levels.Read | levels.Edit, toggleValve: true });
    expect(changesText(before, after)).toEqual([
      'Sensors: now Edit; no longer Delete.',
      'May now turn valves on and off.',
      'May no longer open the dashboard.',
    ]);
  });

  test('is nothing between equals', () => {
    expect(changesText(presets.agent, presets.agent)).toEqual([]);
  });
});

describe('rights of little use', () => {
  test.each([
    ['none at all', presets.none, ['Nothing is allowed: the person would see nothing of the farm.']],
    ['a guest', presets.guest, []],
    ['an agent', presets.agent, []],
    ['a manager', presets.farmManager, []],
    [
      'Edit without Read',
      { ...presets.guest, sensors: levels.Edit },
      ['Sensors: Edit without Read. The list of them stays closed.'],
    ],
    [
      'no Read on Farm',
      { ...presets.guest, farms: levels.None },
      ["Without Read on Farm the farm isn't shown on the person's home page."],
    ],
    [
      'valves without the maps',
      { ...presets.guest, sprinklersStatus: false, toggleValve: true },
      ['Turn valves on and off: of little use without “See the maps”.'],
    ],
  ])('%s', (_name, permissions, warnings) => {
    expect(uselessRights(permissions)).toEqual(warnings);
  });
});

describe('editing rights', () => {
  test('a template sets exactly its rights, and one change makes it Custom', () => {
    const agent = withTemplate(newRights, 3);
    expect(agent.permissions).toEqual(presets.agent);
    const changed = withLevel(agent, 'sensors', 'Delete', false);
    expect([changed.template, changed.permissions.sensors]).toEqual([1, 7]);
    expect(withFlag(agent, 'import', false)).toEqual({
      ...agent,
      template: 1,
      permissions: { ...presets.agent, import: false },
    });
  });

  test('Create, Edit and Delete bring no Read with them', () => {
    expect(withLevel(withTemplate(newRights, 1), 'pois', 'Edit', true).permissions.pois).toBe(levels.Edit);
  });

  test('Custom begins with nothing', () => {
    expect(withTemplate(newRights, 1).permissions).toEqual(presets.none);
  });

  test('what the server leaves out is none, and the bit of whole accounts is not edited', () => {
    expect(permissionsOf({ farms: 31, dashboard: true })).toEqual({
      ...presets.none,
      farms: 15,
      dashboard: true,
    });
  });
});

describe('the last day', () => {
  const noon = new Date(2026, 10, 21, 12).getTime();

  test('is its whole day on this clock', () => {
    expect(endOf('2026-11-30')).toBe(new Date(2026, 10, 30, 23, 59, 59).toISOString());
    expect(dayOf(endOf('2026-11-30'))).toBe('2026-11-30');
    expect([endOf(''), dayOf(null)]).toEqual([null, '']);
  });

  test.each([
    ['', null],
    ['2026-11-21', null],
    ['2026-11-20', 'Last day must be today or later.'],
    ['21/11/2026', 'Last day must be a day, as 31/12/2027.'],
  ])('%j', (day, fieldError) => {
    expect(validateEnd(day, noon)).toBe(fieldError);
  });
});
