import { expect, test } from 'vitest';
import type { CommandFinish } from '@headrace/contract/commands';
import type { Timezone } from '@headrace/contract/farms';
import { dayText } from '../../ui/format.ts';
import { finishText, paceText, shortFinish } from './finish-labels.ts';

const zone: Timezone = {
  timeZoneId: 'Pacific/Auckland',
  rawOffset: 43_200,
  dstOffset: 3600,
  dstEnabled: true,
};
/** On the farm's clock, 13 hours ahead in November. */
const at = (time: string, day = 20) =>
  new Date(Date.parse(`2026-11-${day}T${time}:00Z`) - 13 * 3_600_000).toISOString();
const range = (expected: string, low = expected, high = expected): CommandFinish => ({
  expected: at(expected),
  low: at(low),
  high: at(high),
});
const said = (finish: CommandFinish | null, firstFinish: CommandFinish | null = null) =>
  finishText({ finish, firstFinish }, zone, Date.parse(at('12:00')));

test.each([
  [range('14:20', '14:05', '14:40'), null, 'about 14:20, between 14:05 and 14:40'],
  [range('14:20'), null, 'about 14:20'],
  [range('14:20'), range('14:16'), 'about 14:20'],
  [range('14:20'), range('12:40'), 'about 14:20; first said: 12:40'],
  [null, range('12:40'), ''],
] as const)('a send that is %j is done %s: %s', (finish, first, text) => {
  expect(said(finish, first)).toBe(text);
});

test('a time that is over is told as such', () => {
  const late = range('11:20', '11:00', '11:59');
  expect(said(late, range('10:40'))).toBe('later than was said: 11:20');
  expect(said({ atMost: at('11:30') })).toBe('later than was said: 11:30');
  expect(shortFinish(late, zone, Date.parse(at('12:00')))).toBe('later than was said: 11:20');
  expect(said(range('11:50', '11:40', '12:10'))).toBe('about 11:50, between 11:40 and 12:10');
});

test('while the pace is unknown no more is said than is known, and another day is named', () => {
  expect(said({ atMost: at('02:24', 22) })).toBe(
    `by ${dayText('2026-11-22')} 02:24 at the latest: how fast its units answer is not known yet`,
  );
});

test.each([
  [12.4, 'about 12 a minute'],
  [2, 'about 2 a minute'],
  [1.5, 'about 90 an hour'],
  [0.33, 'about 20 an hour'],
  [null, ''],
])('%s units a minute are told as "%s"', (perMinute, text) => {
  expect(paceText(perMinute)).toBe(text);
});
