import { expect, it } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

const night = (zone: string) => ({ from: 21 * 60, to: 6 * 60, zone });
const until = (zone: string, at: string, hours = night(zone)) => {
  const end = quietUntil(hours, Date.parse(at));
  return end === null ? null : new Date(end).toISOString();
};

it.each([
  ['begins at its minute', 'Pacific/Auckland', '2026-11-20T08:00:00Z', '2026-11-20T17:00:00.000Z'],
  ['not before', 'Pacific/Auckland', '2026-11-20T07:59:59Z', null],
  ['goes on after midnight', 'Pacific/Auckland', '2026-11-20T16:59:59Z', '2026-11-20T17:00:00.000Z'],
  ['ends at its minute', 'Pacific/Auckland', '2026-11-20T17:00:00Z', null],
  [
    'is 8 h long when the clock goes forward',
    'Pacific/Auckland',
    '2026-09-26T09:00:00Z',
    '2026-09-26T17:00:00.000Z',
  ],
  ['is 10 h long when it goes back', 'Pacific/Auckland', '2026-04-04T08:00:00Z', '2026-04-04T18:00:00.000Z'],
  [
    'is 8 h 30 min long on Lord Howe',
    'Australia/Lord_Howe',
    '2026-10-03T10:30:00Z',
    '2026-10-03T19:00:00.000Z',
  ],
  ['is 8 h long on the Chathams', 'Pacific/Chatham', '2026-09-26T08:15:00Z', '2026-09-26T16:15:00.000Z'],
])('the night %s', (_name, zone, at, end) => {
  expect(until(zone, at)).toBe(end);
});

it('hours of one day, and none', () => {
  const noon = { from: 12 * 60, to: 13 * 60, zone: 'UTC' };
  expect(until('UTC', '2026-11-20T12:30:00Z', noon)).toBe('2026-11-20T13:00:00.000Z');
  expect(until('UTC', '2026-11-20T13:00:00Z', noon)).toBeNull();
  expect(until('UTC', '2026-11-20T12:30:00Z', { ...noon, to: noon.from })).toBeNull();
});
