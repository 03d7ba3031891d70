import { describe, expect, test } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { pump } from '../../testing/tank-fixtures.ts';
import { validatePump, pumpValuesOf } from './pump-edit.ts';
import { hasPumpTab } from './tank-view-model.ts';

const stored = pumpValuesOf(pump({ lowSetpoint: 35, highSetpoint: 85, maxRunTime: 240 }));

describe('what can be sent to a pump', () => {
  test.each([
    ['as it is', {}, []],
    ['600 min', { maxRunTime: '600' }, []],
    ['601 min', { maxRunTime: '601' }, ['maxRunTime']],
    ['nothing for a time', { maxRunTime: '' }, ['maxRunTime']],
    ['half minutes', { maxRunTime: '1.5' }, ['maxRunTime']],
    ['on above off', { lowSetpoint: 85 }, ['lowSetpoint']],
  ])('%s', (_name, change, fields) => {
    expect(Object.keys(validatePump({ ...stored, ...change }, stored))).toEqual(fields);
  });

  test('a run time beyond the field that the unit has already stays', () => {
    const long = pumpValuesOf(pump({ maxRunTime: 1440 }));
    expect(validatePump({ ...long, lowSetpoint: 10 }, long)).toEqual({});
    expect(validatePump({ ...long, maxRunTime: '1439' }, long)).toEqual({
      maxRunTime: 'The max run time must be at most 600 minutes.',
    });
  });

  test('what the unit has not said begins at the levels of a relay without setpoints', () => {
    const values = pumpValuesOf(pump({ lowSetpoint: null, highSetpoint: null, relayControl: null }));
    expect(values).toMatchObject({ lowSetpoint: 20, highSetpoint: 95, relayControl: false });
  });
});

test.each([
  [sensorTypes.LEVEL, pump(), true],
  [sensorTypes.LEVEL, null, false],
  [sensorTypes.TLM_V3, pump(), false],
])('type %d with pump %o has the tab: %s', (type, pumpControl, expected) => {
  expect(hasPumpTab({ type, pumpControl })).toBe(expected);
});
