import { describe, expect, it } from 'vitest';
import {
  ALMOST_FULL_TEXT,
  defaultIoSettings,
  ioFaults,
  isBlockedByLevel,
  overrideSince,
  relayThresholds,
  switchRefusal,
  UNKNOWN_LEVEL_TEXT,
} from './io-settings.ts';

const tank = 'a'.repeat(24);
const withRelay = (relay3: object) => ({ ...defaultIoSettings(), relay3: { title: 'Pump', ...relay3 } });

describe('settings of inputs and relays', () => {
  it('can be saved as everyone begins with them, and linked', () => {
    expect(ioFaults(defaultIoSettings(), [])).toEqual([]);
    expect(ioFaults(withRelay({ title: ' twelve chars ', binding: tank, maxOnTime: 30 }), [tank])).toEqual(
      [],
    );
  });

  it.each<[relay: object, field: string, message: string]>([
    [{ title: ' ' }, 'relay3.title', 'The label of Relay 3 is required.'],
    [{ title: 'x'.repeat(13) }, 'relay3.title', 'The label of Relay 3 can have at most 12 characters.'],
    [{ binding: '' }, 'relay3.binding', 'Relay 3 is linked: please choose its tank sensor.'],
    [
      { binding: 'b'.repeat(24) },
      'relay3.binding',
      'Relay 3 can only be linked to a tank sensor of this farm.',
    ],
    ...[-1, 31, 1.5].map((maxOnTime): [object, string, string] => [
      { maxOnTime },
      'relay3.maxOnTime',
      'The max on time of Relay 3 must be a whole number from 0 to 30 minutes (0: no limit).',
    ]),
  ])('%j is said of %s', (relay, field, message) => {
    expect(ioFaults(withRelay(relay), [tank])).toEqual([{ field, message }]);
  });

  it('each of the twelve labels is asked for', () => {
    const blank = Object.fromEntries(
      Object.keys(defaultIoSettings()).map((name) => [name, { title: '' }]),
    ) as ReturnType<typeof defaultIoSettings>;
    expect(ioFaults(blank, [])).toHaveLength(12);
  });
});

describe('a hand at a linked output', () => {
  it.each([
    [94.9, true, false],
    [95, true, true],
    [100, true, true],
    [100, false, false],
    [null, true, false],
  ])('at %s %%, on: %s, is blocked: %s', (level, set, isBlocked) => {
    expect(isBlockedByLevel(level, set)).toBe(isBlocked);
    expect(switchRefusal(level, set, 10)).toBe(isBlocked ? ALMOST_FULL_TEXT : null);
  });

  it.each([
    [true, 0, UNKNOWN_LEVEL_TEXT],
    [true, null, UNKNOWN_LEVEL_TEXT],
    [true, 10, null],
    [false, 0, null],
  ])('with an unknown level, on: %s, needs a max on time (%s)', (set, maxOnTime, text) => {
    expect(switchRefusal(null, set, maxOnTime)).toBe(text);
  });
});

describe('an override', () => {
  const overriddenAt = '2026-11-20T21:00:00.000Z';
  const begun = Date.parse(overriddenAt);
  it.each([
    [{ binding: tank, overriddenAt, maxOnTime: 10 }, 10 * 60_000 - 1, overriddenAt],
    [{ binding: tank, overriddenAt, maxOnTime: 10 }, 10 * 60_000, null],
    [{ binding: tank, overriddenAt, maxOnTime: 0 }, 86_400_000, overriddenAt],
    [{ binding: null, overriddenAt, maxOnTime: 10 }, 0, null],
    [{ binding: tank, overriddenAt: null, maxOnTime: 10 }, 0, null],
  ])('%j is after %d ms %s', (relay, ms, since) => {
    expect(overrideSince(relay, begun + ms)).toBe(since);
  });
});

describe('where a gateway switches', () => {
  it.each([
    // 2500 × 40 % - 500; 2500 × 95 % - 500
    [{ offset: 500, toplevel: 2500 }, { lowSetpoint: 40 }, 500, 1875],
    // Below 20 %, so not at it: 2400 × 20 % - 100 = 380
    [{ offset: 100, toplevel: 2400 }, null, 379, 2180],
    [{ offset: 100, toplevel: 2400 }, { lowSetpoint: null }, 379, 2180],
    // 20 % is below the diaphragm: 2400 × 20 % - 500 = -20
    [{ offset: 500, toplevel: 2400 }, null, 0, 1780],
    // Whole mm: 2449 × 33 % - 0 = 808.17, 2449 × 95 % = 2326.55
    [{ offset: 0, toplevel: 2449 }, { lowSetpoint: 33 }, 808, 2327],
    // On stays below off.
    [{ offset: 0, toplevel: 1000 }, { lowSetpoint: 98 }, 949, 950],
  ])('of %j with %j: on at %d mm, off at %d mm', (shape, pump, on, off) => {
    expect(relayThresholds(shape, pump)).toEqual({ onAtOrBelowMm: on, offAtOrAboveMm: off });
  });
});
