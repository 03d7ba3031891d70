import { describe, expect, test } from 'vitest';
import type { Timezone } from '@headrace/contract/farms';
import { emptyText, leakText, pumpText } from './insight-labels.ts';

const zone: Timezone = {
  timeZoneId: 'Pacific/Auckland',
  rawOffset: 43_200,
  dstOffset: 3600,
  dstEnabled: true,
};
const empty = {
  days: 6,
  earliest: 5,
  latest: 8.4,
  litresPerDay: 1200,
  confidence: 'medium' as const,
  basis: '',
};

describe('days until empty', () => {
  test.each([
    [{}, 'May be empty in about 6 days (5 to 8½); medium confidence'],
    [{ latest: null }, 'May be empty in about 6 days (5 or more); medium confidence'],
    // Three years off is no day to plan by.
    [{ latest: 1105 }, 'May be empty in about 6 days (5 or more); medium confidence'],
    // 0.3 d = 7.2 h, 0.2 d = 4.8 h, 0.45 d = 10.8 h
    [
      { days: 0.3, earliest: 0.2, latest: 0.45 },
      'May be empty in about 7 hours (5 hours to 11 hours); medium confidence',
    ],
  ])('%o', (over, text) => expect(emptyText({ ...empty, ...over })).toBe(text));
});

test("a leak says since which of the farm's days", () => {
  const leak = {
    kind: 'night-flow' as const,
    // 02:00 on the 18th of a New Zealand summer.
    since: '2026-11-17T13:00:00.000Z',
    litresPerHour: 40.2,
    litresSoFar: 1904,
    confidence: 'medium' as const,
    basis: '',
  };
  const rest = 'about 40 L/h each night since 18 Nov, about 1,900 L so far; medium confidence';
  expect(leakText(leak, zone, false)).toBe(`May be leaking: ${rest}`);
  expect(leakText(leak, zone, true)).toBe(`Possible leak detected: ${rest}`);
});

test.each([
  [0.4, 'level up 0.4 %'],
  [-1.25, 'level down 1.3 %'],
])('a pump and a level that changed by %d %%', (risePercent, label) => {
  const pump = {
    since: '2026-11-21T04:00:00.000Z',
    minutes: 80,
    risePercent,
    confidence: 'low' as const,
    basis: '',
  };
  expect(pumpText(pump)).toBe(
    `Pump may be lifting too little: on for 1 hour, 20 minutes, ${label}; low confidence`,
  );
});
