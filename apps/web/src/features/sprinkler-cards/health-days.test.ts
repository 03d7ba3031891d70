import { expect, test } from 'vitest';
import { countedDays, historyDays, namedOn } from './health-days.ts';

const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const a1 = { id: '6b04f24d5ebe27fc94afe3f8', name: 'A1', serialNumber: 'SN-1' };
const a2 = { id: null, name: 'A2', serialNumber: 'SN-2' };
const history = (start: string, stop: string) => ({
  farmUID: 'f',
  description: 'Low battery',
  start,
  stop,
  type: 3,
  data: [{ date: '2026-09-27', value: 2, inContact: 8, units: [a1, a2] }],
});

test.each([
  [{ period: 'Day' }, '2026-11-20', '2026-11-20', false],
  [{ period: 'Week' }, '2026-11-14', '2026-11-20', false],
  [{ period: 'Month' }, '2026-10-22', '2026-11-20', false],
  // 365 days that end on 20 November 2026.
  [{ period: 'Year' }, '2025-11-21', '2026-11-20', false],
  [{ period: 'Custom', from: '2026-11-01', to: '2026-11-21' }, '2026-11-01', '2026-11-21', false],
  // Of two years the last 366 days.
  [{ period: 'Custom', from: '2024-11-21', to: '2026-11-20' }, '2025-11-20', '2026-11-20', true],
] as const)('%o asks for the days %s to %s', (choice, start, stop, isCut) => {
  expect(historyDays(choice, '2026-11-21')).toEqual({ start, stop, isCut });
});

test('each day is there, over a change of the clock, and is not known where nothing was counted', () => {
  expect(countedDays(zone, history('2026-09-26', '2026-09-28'))).toEqual([
    // The clock goes forward on the 27th, which has 23 hours.
    {
      date: '2026-09-26',
      start: Date.parse('2026-09-25T12:00:00Z'),
      end: Date.parse('2026-09-26T12:00:00Z'),
      value: null,
    },
    {
      date: '2026-09-27',
      start: Date.parse('2026-09-26T12:00:00Z'),
      end: Date.parse('2026-09-27T11:00:00Z'),
      value: 2,
    },
    {
      date: '2026-09-28',
      start: Date.parse('2026-09-27T11:00:00Z'),
      end: Date.parse('2026-09-28T11:00:00Z'),
      value: null,
    },
  ]);
});

test('units of a day are taken from an answer of up to 31 days, of more they are asked for', () => {
  expect(namedOn(history('2026-08-28', '2026-09-27'), '2026-09-27')).toEqual([a1, a2]);
  expect(namedOn(history('2026-08-27', '2026-09-27'), '2026-09-27')).toBeNull();
});
