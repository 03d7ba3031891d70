import { expect, test } from 'vitest';
import { countBehind, fellSilentWith, type UnitBehind } from './behind-gateways.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LIMIT = 3 * HOUR;
const gatewayAt = Date.parse('2026-11-21T05:00:00Z');

test.each([
  ['in the same minute', 0, true],
  ['as long before as keeps it in contact', -LIMIT, true],
  ['a millisecond longer before: it was silent already', -LIMIT - 1, false],
  ['a little later, as clocks differ', 10 * MINUTE, true],
  ['later: by another way', 10 * MINUTE + 1, false],
])('a device that was last heard %s', (_when, after, isWith) => {
  expect(fellSilentWith(gatewayAt + after, gatewayAt, LIMIT)).toBe(isWith);
});

test('units are counted behind the gateway that is their only way', () => {
  const unit = (gatewayUID: string | null, hoursBefore: number, isOutOfContact = true): UnitBehind => ({
    gatewayUID,
    statustime: gatewayAt - hoursBefore * HOUR,
    isOutOfContact,
  });
  const units = [
    unit('a', 1, false),
    unit('a', 2),
    // Silent before its gateway: nothing is heard of it either way, but the gateway isn't the cause.
    unit('a', 4),
    unit('a', -1, false),
    { gatewayUID: 'a', statustime: 0, isOutOfContact: true },
    unit('b', 1),
    unit(null, 1),
  ];
  const gateways = [
    { uid: 'a', contactAt: gatewayAt },
    { uid: 'b', contactAt: null },
    { uid: 'c', contactAt: gatewayAt },
  ];
  expect(countBehind(units, gateways, LIMIT)).toEqual([{ gatewayUID: 'a', units: 3, silent: 1 }]);
});
