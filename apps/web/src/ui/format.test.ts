import { describe, expect, test } from 'vitest';
import type { Timezone } from '@headrace/contract/farms';
import { dayText, exactTime, minuteText, numberText, spanText } from './format.ts';

const zone = (timeZoneId: string, rawOffset: number, dstEnabled = true): Timezone => ({
  timeZoneId,
  rawOffset,
  dstOffset: 3600,
  dstEnabled,
});
const auckland = zone('Pacific/Auckland', 43_200);
const at = (iso: string) => Date.parse(iso);

describe('numbers', () => {
  test.each([
    [1234.5, 0, '1,235'],
    [0, 1, '0.0'],
    [-0.04, 1, '0.0'],
    [-3.26, 1, '-3.3'],
    [null, 0, '–'],
    [undefined, 0, '–'],
    [Number.NaN, 0, '–'],
  ])('%j with %d digits is %j', (value, digits, text) => {
    expect(numberText(value, digits)).toBe(text);
  });
});

describe('times', () => {
  test('are on the farm clock, in summer and in winter', () => {
    expect(minuteText(at('2026-11-21T05:04:00Z'), auckland)).toBe('18:04');
    expect(minuteText(at('2026-07-01T05:04:00Z'), auckland)).toBe('17:04');
  });

  test('of a farm that keeps standard time all year stay on it', () => {
    expect(minuteText(at('2026-11-21T05:04:00Z'), zone('Pacific/Auckland', 43_200, false))).toBe('17:04');
  });

  test('are right at half hours and quarters', () => {
    expect(minuteText(at('2026-07-01T05:00:00Z'), zone('Australia/Adelaide', 34_200))).toBe('14:30');
    expect(minuteText(at('2026-07-01T05:00:00Z'), zone('Pacific/Chatham', 45_900))).toBe('17:45');
  });

  test("name the farm's zone when the viewer's clock shows something else", () => {
    const viewerOffset = -new Date(at('2026-11-21T05:04:00Z')).getTimezoneOffset() * 60;
    const near = zone('Etc/GMT', viewerOffset, false);
    expect(exactTime(at('2026-11-21T05:04:00Z'), near, 'Pacific/Auckland')).not.toMatch(/[A-Z]/);
    const far = zone('Etc/GMT', viewerOffset + 5400, false);
    expect(exactTime(at('2026-11-21T05:04:00Z'), far, 'Pacific/Auckland')).toMatch(/ UTC[+−]\d\d:\d\d$/);
  });

  test('carry the name people use for the zone', () => {
    expect(exactTime(at('2026-11-21T05:04:00Z'), auckland, 'Pacific/Auckland')).toBe('21/11/2026 18:04 NZDT');
    expect(exactTime(at('2026-07-01T05:04:00Z'), zone('Australia/Sydney', 36_000), 'Pacific/Auckland')).toBe(
      '01/07/2026 15:04 AEST',
    );
    const brisbane = zone('Australia/Brisbane', 36_000, false);
    expect(exactTime(at('2026-11-21T05:04:00Z'), brisbane, 'Pacific/Auckland')).toBe('21/11/2026 15:04 AEST');
    const standard = zone('Pacific/Auckland', 43_200, false);
    expect(exactTime(at('2026-11-21T05:04:00Z'), standard, 'Pacific/Auckland')).toBe(
      '21/11/2026 17:04 UTC+12:00',
    );
  });
});

test.each([
  ['within a day', '2026-11-21T05:04:00Z', '2026-11-21T05:19:00Z', /18:04 NZDT to 18:19$/],
  ['over midnight', '2026-11-21T10:00:00Z', '2026-11-21T12:00:00Z', /23:00 NZDT to .*2026.* 01:00 NZDT$/],
  [
    'over the change of clocks',
    '2026-04-04T13:30:00Z',
    '2026-04-04T14:30:00Z',
    /02:30 NZDT to .*2026.* 02:30 NZST$/,
  ],
])('a time from and to has its day once %s only where it is one', (_what, from, to, text) => {
  expect(spanText({ from, to }, auckland)).toMatch(text);
});

test("days are DD/MM/YYYY for people in New Zealand, else the browser's own", () => {
  expect(dayText('2026-02-01', 'Pacific/Auckland')).toBe('01/02/2026');
  // The tests' browser is an American one.
  expect(dayText('2026-02-01', 'Australia/Sydney')).toBe('02/01/2026');
});
