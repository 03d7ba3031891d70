import { describe, expect, test } from 'vitest';
import type { Settings } from '@headrace/contract/settings';
import { rakaia, uid } from '../../testing/fixtures.ts';
import { exchanged, headlineOf, headlinesOf, withHeadline } from './headline-configs.ts';

const farm = rakaia._id;
const tank = uid(1001);
const withHeadlines = (headlines: NonNullable<Settings['headlines']>): Settings => ({
  farms: [{ info: { id: farm }, headlines }],
});

describe('the slots of a farm', () => {
  test('are four, empty until something is put in', () => {
    expect(headlinesOf({}, farm).map(({ type, position }) => [position, type])).toEqual([
      [0, 'Empty'],
      [1, 'Empty'],
      [2, 'Empty'],
      [3, 'Empty'],
    ]);
  });

  test('are known by the numbers that are stored', () => {
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, -1];
    expect(numbers.map((type) => headlinesOf(withHeadlines([{ position: 2, type }]), farm)[2]?.type)).toEqual(
      [
        'Temperature',
        'RainfallAccumulated',
        'RainForecast',
        'TankLevel',
        'Flow',
        'AccumulatedFlow',
        'IO',
        'LocalTime',
        'TankFlow',
        'Metric',
        'None',
        'Empty',
      ],
    );
  });

  test("are the farm's own, else those for all farms", () => {
    const settings: Settings = {
      headlines: [{ position: 0, type: 8 }],
      farms: [{ info: { id: farm }, headlines: [{ position: 1, type: 8 }] }],
    };
    expect(headlinesOf(settings, farm).map(({ type }) => type)).toEqual([
      'Empty',
      'LocalTime',
      'Empty',
      'Empty',
    ]);
    expect(headlinesOf(settings, uid(2))[0]?.type).toBe('LocalTime');
  });
});

test.each([
  ['Temperature', { site: '', time: 9 }],
  ['RainfallAccumulated', { site: '', days: 1 }],
  ['RainForecast', { days: 1 }],
  ['TankLevel', { sensor: '', unit: '%' }],
  ['TankFlow', { sensor: '', sumType: 'today', metric: 'L' }],
  ['Flow', { sensor: '', unit: 'lps' }],
  ['AccumulatedFlow', { sensor: '', days: 'today' }],
  ['IO', { port: 'input1' }],
  ['LocalTime', {}],
  ['Metric', { sensor: '', metric: '' }],
] as const)('a new headline of kind %s starts with %j', (type, configs) => {
  expect(headlineOf(type)).toEqual({ type, configs });
});

test.each([
  ['an hour that there isn’t', 'Temperature', { time: 24 }, { time: 9 }],
  ['the last hour', 'Temperature', { time: 23 }, { time: 23 }],
  ['midnight', 'Temperature', { time: 0 }, { time: 0 }],
  ['29 days back', 'RainfallAccumulated', { days: 29 }, { days: 29 }],
  ['30 days back', 'RainfallAccumulated', { days: 30 }, { days: 1 }],
  ['9 days ahead', 'RainForecast', { days: 9 }, { days: 9 }],
  ['10 days ahead', 'RainForecast', { days: 10 }, { days: 1 }],
  ['a rate of an amount', 'TankFlow', { sumType: 'yesterday', metric: 'm3/h' }, { metric: 'L' }],
  ['an amount of a rate', 'TankFlow', { sumType: 'current', metric: 'L' }, { metric: 'L/min' }],
  ['no sensor’s id', 'TankLevel', { sensor: 'x' }, { sensor: '' }],
  ['a sensor’s id', 'TankLevel', { sensor: tank }, { sensor: tank }],
] as const)('stored options are read: %s', (_name, type, stored, read) => {
  expect(headlineOf(type, stored).configs).toMatchObject(read);
});

describe('storing', () => {
  const settings = withHeadlines([
    { position: 0, type: 8, configs: { ofLater: 1 } },
    { position: 2, type: 4, configs: { sensor: tank, unit: 'L' } },
  ]);

  test('puts a headline in its slot by its number and leaves the others as they were', () => {
    expect(withHeadline(settings, farm, 2, headlineOf('RainForecast', { days: 3 }))).toEqual([
      { position: 0, type: 8, configs: { ofLater: 1 } },
      { position: 2, type: 3, configs: { days: 3 } },
    ]);
  });

  test('clears a slot', () => {
    expect(withHeadline(settings, farm, 0, headlineOf('Empty'))[0]).toEqual({
      position: 0,
      type: -1,
      configs: {},
    });
  });

  test('moves a headline to an empty slot, and exchanges two', () => {
    expect(exchanged(settings, farm, 0, 1)).toEqual([
      { position: 1, type: 8, configs: { ofLater: 1 } },
      { position: 2, type: 4, configs: { sensor: tank, unit: 'L' } },
    ]);
    expect(exchanged(settings, farm, 2, 0).map(({ position, type }) => [position, type])).toEqual([
      [0, 4],
      [2, 8],
    ]);
  });
});
