import { describe, expect, it, test } from 'vitest';
import { defaultStressBands } from '@headrace/contract/default-settings';
import type { SiteInsight } from '@headrace/contract/insights';
import { patchSettings } from '@headrace/contract/rules/settings-patch';
import type { Settings } from '@headrace/contract/settings';
import { rakaia, uid } from '../../testing/fixtures.ts';
import { soilDays, zoomed } from './soil-days.ts';
import { chosenSite, keepPlot, plotOf, soilTypes } from './soil-plot.ts';
import { bandOf } from '@headrace/contract/rules/stress-bands';
import { refillText } from './soil-labels.ts';
import { daysText, halves } from '../insights/days-text.ts';

test.each([
  [0, 'Too full'],
  [9.9, 'Too full'],
  [10, 'Full'],
  [59.9, 'Normal'],
  [60, 'Refill'],
  [200, 'Stress'],
])('%s kPa lies in the band %s', (kpa, name) => {
  expect(bandOf(defaultStressBands, kpa)?.name).toBe(name);
});

test('below the first band there is none, and an empty band holds nothing', () => {
  const bands = defaultStressBands.map((band) => (band.idx < 2 ? { ...band, start: 5 } : band));
  expect(bandOf(bands, 4)).toBeNull();
  expect(bandOf(bands, 5)?.name).toBe('Full');
});

test.each([
  [0.4, '½'],
  [1.2, '1'],
  [1.3, '1½'],
  [2.9, '3'],
  [9.8, '10'],
  [12.4, '12'],
])('%s in halves is %s', (days, text) => expect(halves(days)).toBe(text));

test.each([
  [0.01, '1 hour'],
  [0.25, '6 hours'],
  [0.5, '½ day'],
  [1, '1 day'],
  [2.2, '2 days'],
])('%s days are %s', (days, text) => expect(daysText(days)).toBe(text));

describe('the forecast of the refill point', () => {
  const insight = (untilRefill: Partial<NonNullable<SiteInsight['untilRefill']>> | null): SiteInsight => ({
    _id: uid(1),
    name: 'Block 2',
    noForecast: untilRefill ? '' : 'The soil is getting wetter.',
    kpaNow: 42,
    refillKpa: 60,
    untilRefill: untilRefill && {
      days: 2.1,
      earliest: 1.5,
      latest: 3,
      kpaNow: 42,
      kpaPerDay: 8,
      refillKpa: 60,
      confidence: 'medium',
      basis: '',
      ...untilRefill,
    },
  });
  it.each([
    [{}, '18 kPa to Refill, about 2 days at the rate of the last days (1½ to 3); medium confidence'],
    [
      { latest: null, confidence: 'low' as const },
      '18 kPa to Refill, about 2 days at the rate of the last days (1½ or more); low confidence',
    ],
    [
      { days: 0.3, earliest: 0.2, latest: 0.6 },
      '18 kPa to Refill, about 7 hours at the rate of the last days (5 to 14); medium confidence',
    ],
    // Its driest sensor is there already.
    [
      { earliest: 0 },
      '18 kPa to Refill, about 2 days at the rate of the last days (now to 3); medium confidence',
    ],
    [{ days: 0, kpaNow: 63 }, 'At Refill: 63 kPa, Refill starts at 60 kPa (medium confidence)'],
    [null, "18 kPa to Refill. When it is there isn't known yet: The soil is getting wetter."],
  ])('%j', (given, text) => expect(refillText(insight(given), 'Refill')).toBe(text));

  it('of a silent site is only that there is none', () => {
    const silent = { ...insight(null), kpaNow: null, noForecast: 'The site is silent.' };
    expect(refillText(silent, 'Refill')).toBe('No forecast of Refill. The site is silent.');
  });
});

test.each([
  [{ period: 'Day' }, { from: '2026-11-20' }],
  [{ period: 'Week' }, { from: '2026-11-15' }],
  [{ period: 'Month' }, { from: '2026-10-23' }],
  [{ period: 'Custom' }, { from: '2026-09-23' }],
  [
    { period: 'Custom', from: '2026-11-01', to: '2026-11-09' },
    { from: '2026-11-01', to: '2026-11-09' },
  ],
  [{ period: 'Custom', from: '2026-11-01', to: '2026-11-21' }, { from: '2026-11-01' }],
] as const)('%j on 21 November asks for %j', (choice, days) => {
  expect(soilDays(choice, '2026-11-21')).toEqual(days);
});

test.each([
  ['Day', 'closer', 'Day'],
  ['Day', 'wider', 'Week'],
  ['Week', 'wider', 'Month'],
  ['Month', 'wider', 'Year'],
  ['Year', 'wider', 'Year'],
  ['Year', 'closer', 'Month'],
  ['Custom', 'closer', 'Month'],
  ['Custom', 'wider', 'Year'],
] as const)('two fingers on %s, %s: %s', (period, turn, next) => expect(zoomed(period, turn)).toBe(next));

test('the five soils have the names of their numbers', () => {
  expect(soilTypes).toEqual({
    1: 'Clay',
    2: 'Loam',
    3: 'Sandy loam',
    4: 'Fine sandy loam',
    5: 'Loamy sand',
  });
});

describe("a site's settings", () => {
  const info = { id: rakaia._id };
  const settings: Settings = {
    sites: [{ id: 'a', smPlot: { rain: false } }],
    farms: [
      { info, smCurrDisplayed: 'b', sites: [{ id: 'b', soilType: 2, smPlot: { swp1: false } }, { id: 'c' }] },
    ],
  };
  it('say what is shown', () => {
    expect(plotOf(settings, rakaia._id, 'a')).toMatchObject({ rain: false, swp1: true, rainHourly: false });
    expect(plotOf(settings, rakaia._id, 'b')).toMatchObject({ rain: true, swp1: false });
  });
  it('change by one line, and keep the rest', () => {
    const then = patchSettings(settings, keepPlot(settings, rakaia, 'b', 'rain', false));
    expect(then.farms?.[0]?.sites).toEqual([
      { id: 'c' },
      { id: 'b', soilType: 2, smPlot: { swp1: false, rain: false } },
    ]);
  });
  it('name the site that was looked at, while it is there', () => {
    const [a, b] = [{ id: 'a' }, { id: 'b' }];
    expect(chosenSite(settings, rakaia._id, [a, b])).toBe(b);
    expect(chosenSite(settings, rakaia._id, [a])).toBe(a);
    expect(chosenSite(settings, rakaia._id, [])).toBeUndefined();
  });
});
