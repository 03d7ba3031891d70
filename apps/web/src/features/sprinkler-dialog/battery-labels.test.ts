import { expect, test } from 'vitest';
import { forecastText } from './battery-labels.ts';

const battery = { charge: 70, replacedAt: null, threshold: 50, forecast: null };
const forecast = { perDay: -0.6, days: 34, earliest: 28, latest: 41, confidence: 'good' } as const;

test.each<[string, Parameters<typeof forecastText>[0]]>([
  [
    'Below 50 % in about 34 days (28 to 41), if it goes on falling by 0.60 % a day as in the last 21 days. The readings of these days agree well.',
    { ...battery, forecast },
  ],
  [
    "Below 50 % in about 1 day (1 at the earliest; the latest can't be said), if it goes on falling by 2.5 % a day as in the last 21 days. The readings of these days agree poorly: take it as a rough guess.",
    {
      ...battery,
      forecast: { perDay: -2.5, days: 1, earliest: 1, latest: null, confidence: 'low' },
    },
  ],
  [
    'Below 50 % within a day, if it goes on falling by 2.0 % a day as in the last 21 days. The readings of these days agree fairly well.',
    { ...battery, forecast: { perDay: -2, days: 0, earliest: 0, latest: 0, confidence: 'fair' } },
  ],
  [
    "When it will be below 50 % can't be said: its charge doesn't fall clearly, or fewer than ten days of it are known.",
    battery,
  ],
  // Exactly 50 isn't below 50.
  [
    "When it will be below 50 % can't be said: its charge doesn't fall clearly, or fewer than ten days of it are known.",
    { ...battery, charge: 50 },
  ],
  ['It is low: below 50 %.', { ...battery, charge: 49 }],
  ['It has said no charge yet.', { ...battery, charge: null }],
  ['It has said no charge since its battery was replaced.', { ...battery, charge: null, replacedAt: 1 }],
])('"%s"', (text, given) => {
  expect(forecastText(given)).toBe(text);
});
