import { expect, it } from 'vitest';
import { withClock, withShortClock } from './whose-clock.ts';

const ashburton = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };
const summer = Date.parse('2026-11-20T21:00:00Z');
const text = 'Trough 4 is at 12 %, below 20 % since 05:40.';

it.each([
  ['in the same zone', 'Pacific/Auckland', summer, text],
  ['in another one that shows the same time', 'Antarctica/McMurdo', summer, text],
  ['nobody knows where', null, summer, text],
  ['in Perth', 'Australia/Perth', summer, `${text} Times are by the farm's clock (NZDT).`],
  [
    'in Perth, in winter',
    'Australia/Perth',
    Date.parse('2026-06-20T21:00:00Z'),
    `${text} Times are by the farm's clock (NZST).`,
  ],
])('a reader %s is told whose clock it is where that is another', (_where, reader, at, told) => {
  expect(withClock(text, reader, ashburton, at)).toBe(told);
});

it('a text without times needs none, and an SMS says it in few signs', () => {
  expect(withClock('The battery of A1 is low.', 'Australia/Perth', ashburton, summer)).toBe(
    'The battery of A1 is low.',
  );
  expect(withShortClock(text, 'Australia/Perth', ashburton, summer)).toBe(`${text} (NZDT)`);
});

it('a farm that keeps its winter time all year is named by how far it is ahead', () => {
  const winter = { ...ashburton, dstEnabled: false };
  expect(withShortClock(text, 'Pacific/Auckland', winter, summer)).toBe(`${text} (UTC+12:00)`);
});
