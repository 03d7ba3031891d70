import { describe, expect, it, test } from 'vitest';
import { patchSettings } from '@headrace/contract/rules/settings-patch';
import { filterTargets, type Settings } from '@headrace/contract/settings';
import { rakaia, waihao } from '../testing/fixtures.ts';
import { keepFilter, keptFilter, keptPeriod } from './kept-filter.ts';

const info = { id: rakaia._id };

test.each([
  [undefined, undefined],
  [{ target: 'Flow' }, undefined],
  [{ target: 'Flow', timeScale: 'Fortnight' }, undefined],
  [{ target: 'Flow', timeScale: 'Week' }, { period: 'Week' }],
  [
    { target: 'Flow', timeScale: 'Week', range: { from: '2026-11-01', to: '2026-11-02' } },
    { period: 'Week' },
  ],
  [{ target: 'Flow', timeScale: 'Custom', range: null }, { period: 'Custom' }],
  [
    { target: 'Flow', timeScale: 'Custom', range: { from: '2026-11-01', to: '2026-11-02' } },
    { period: 'Custom', from: '2026-11-01', to: '2026-11-02' },
  ],
  [
    { target: 'Flow', timeScale: 'Custom', range: { from: '31/11/26', to: '2026-11-02' } },
    { period: 'Custom' },
  ],
])('%j is understood as %j', (filter, choice) => {
  expect(keptPeriod(filter)).toEqual(choice);
});

test('the time of eight charts is kept, of each for itself', () => {
  expect(filterTargets).toEqual([
    'SoilMoisture',
    'Flow',
    'Level',
    'LevelUsage',
    'LevelBattery',
    'IPC',
    'Battery',
    'History',
  ]);
  const periods = ['Day', 'Week', 'Month', 'Year'] as const;
  const asked = filterTargets.map((target, nth) => [target, periods[nth % 4] ?? 'Day'] as const);
  const settings = asked.reduce<Settings>(
    (before, [target, period]) =>
      patchSettings(before, keepFilter(before, rakaia, target, { choice: { period } })),
    {},
  );
  expect(
    filterTargets.map((target) => [target, keptFilter(settings, rakaia._id, target)?.timeScale]),
  ).toEqual(asked);
});

describe('what is kept', () => {
  const settings: Settings = {
    filters: [{ target: 'Flow', timeScale: 'Year' }],
    farms: [{ info, filters: [{ target: 'SoilMoisture', timeScale: 'Day' }] }],
  };
  it("is the farm's own, else that for all farms", () => {
    expect(keptFilter(settings, rakaia._id, 'SoilMoisture')?.timeScale).toBe('Day');
    expect(keptFilter(settings, rakaia._id, 'Flow')).toBeUndefined();
    expect(keptFilter(settings, waihao._id, 'Flow')?.timeScale).toBe('Year');
  });

  it('changes alone: the unit stays with new days, and the days with a new unit', () => {
    const first = patchSettings(settings, keepFilter(settings, rakaia, 'Flow', { unit: 'lph' }));
    const choice = { period: 'Custom', from: '2026-11-01', to: '2026-11-02' } as const;
    const then = patchSettings(first, keepFilter(first, rakaia, 'Flow', { choice }));
    expect(then.farms?.[0]?.filters).toEqual([
      { target: 'SoilMoisture', timeScale: 'Day' },
      { target: 'Flow', unit: 'lph', timeScale: 'Custom', range: { from: '2026-11-01', to: '2026-11-02' } },
    ]);
    const last = patchSettings(then, keepFilter(then, rakaia, 'Flow', { choice: { period: 'Day' } }));
    expect(last.farms?.[0]?.filters?.[1]).toEqual({
      target: 'Flow',
      unit: 'lph',
      timeScale: 'Day',
      range: null,
    });
  });
});
