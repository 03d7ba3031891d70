import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sensorTypes } from '../sensor-types.ts';
import {
  batteryPercent,
  chargingText,
  deadBandPercent,
  fallsAtNight,
  fillPercent,
  flowsWithoutStop,
  isLowBattery,
  isLowLevel,
  isOutOfContact,
  isValidLevel,
  levelColour,
  levelPercent,
  litresAt,
  litresOfFall,
  measuresByFlow,
  pumpState,
  tankCondition,
  tankShape,
  trend,
} from './tank.ts';

const shape = { offset: 500, height: 3000, toplevel: 2500, volume: 30_000 };
const HOUR = 3_600_000;

describe('the shape of a tank', () => {
  it('is that of the specification where a record says nothing', () => {
    expect(tankShape({})).toEqual({ offset: 500, toplevel: 2400, height: 3000, volume: 0 });
  });

  it('keeps a zero that was entered, but not as the level of a full tank', () => {
    expect(tankShape({ offset: 0, height: 0, toplevel: 0, volume: 0 })).toEqual({
      offset: 0,
      height: 0,
      toplevel: 2400,
      volume: 0,
    });
  });
});

describe('level', () => {
  it.each([
    // (offset 500 + raw) / 2500
    [0, 20],
    [750, 50],
    [1000, 60],
    [2000, 100],
    [2400, 100],
    [-50, 18],
    [3500, 100],
  ])('of %d mm above the sensor is %d %%', (mm, percent) => {
    expect(levelPercent(shape, mm)).toBe(percent);
  });

  it.each([[null], [Number.NaN], [Number.POSITIVE_INFINITY], [-50.1], [3500.1], [9999]])(
    'of %s is none',
    (mm) => {
      expect(isValidLevel(shape, mm)).toBe(false);
      expect(levelPercent(shape, mm)).toBeNull();
    },
  );

  it('is given in litres of the volume', () => {
    expect(litresAt(shape, 60)).toBe(18_000);
    expect(litresAt(shape, null)).toBeNull();
    expect(litresOfFall(shape, 250)).toBe(3000);
  });

  it('has a part that the sensor does not see', () => {
    expect(deadBandPercent(shape)).toBe(20);
    expect(deadBandPercent({ ...shape, offset: 9000 })).toBe(100);
  });

  it('stays between 0 and 100 whatever is entered and measured, and never falls when water rises', () => {
    const shapes = fc.record({
      offset: fc.double({ min: 0, max: 5000, noNaN: true }),
      height: fc.double({ min: 0, max: 9000, noNaN: true }),
      toplevel: fc.double({ min: 1, max: 8000, noNaN: true }),
      volume: fc.double({ min: 0, max: 1e6, noNaN: true }),
    });
    const millimetres = fc.double({ min: -100, max: 10_000, noNaN: true });
    fc.assert(
      fc.property(shapes, millimetres, millimetres, (any, one, other) => {
        const lower = levelPercent(any, Math.min(one, other));
        const upper = levelPercent(any, Math.max(one, other));
        for (const percent of [lower, upper]) {
          if (percent === null) continue;
          expect(percent).toBeGreaterThanOrEqual(0);
          expect(percent).toBeLessThanOrEqual(100);
        }
        if (lower !== null && upper !== null) expect(upper).toBeGreaterThanOrEqual(lower);
      }),
    );
  });
});

describe('condition', () => {
  const now = Date.UTC(2026, 0, 15);
  it.each([
    ['never heard', null, true],
    ['exactly three hours ago', now - 3 * HOUR, false],
    ['a millisecond longer ago', now - 3 * HOUR - 1, true],
    ['by a clock that is a minute ahead', now + 60_000, false],
  ])('out of contact: %s', (_name, at, expected) => {
    expect(isOutOfContact(at, now)).toBe(expected);
  });

  it('has limits that are not low themselves: 3.5 V and 20 %', () => {
    expect([3.49, 3.5, null].map(isLowBattery)).toEqual([true, false, false]);
    expect([19.99, 20, null].map(isLowLevel)).toEqual([true, false, false]);
  });

  it.each([
    [{ isOutOfContact: true, batteryVoltage: 3.1, percent: 5 }, 1],
    [{ isOutOfContact: false, batteryVoltage: 3.1, percent: 80 }, 2],
    [{ isOutOfContact: false, batteryVoltage: 3.9, percent: 5 }, 2],
    [{ isOutOfContact: false, batteryVoltage: 3.5, percent: 20 }, 0],
    [{ isOutOfContact: false, batteryVoltage: null, percent: null }, 0],
  ])('%o is %d', (tank, condition) => {
    expect(tankCondition(tank)).toBe(condition);
  });

  it('has colours by level', () => {
    expect([null, 0, 19.9, 20, 49.9, 50, 100].map(levelColour)).toEqual([
      'unknown',
      'red',
      'red',
      'amber',
      'amber',
      'default',
      'default',
    ]);
  });

  it('never draws a tank quite empty or full', () => {
    expect([0, 5, 50, 95, 100].map(fillPercent)).toEqual([5, 5, 50, 95, 95]);
  });
});

describe('trend over an hour', () => {
  it.each([
    [50, 48.9, 1],
    [50, 49, 0],
    [50, 51, 0],
    [50, 51.1, -1],
    [50, 50, 0],
    [null, 50, null],
    [50, null, null],
  ])('%s %% after %s %% is %s', (now, before, sign) => {
    expect(trend(now, before)).toBe(sign);
  });
});

describe('battery', () => {
  it.each([
    [3, 0],
    [2.5, 0],
    [4.1, 100],
    [4.3, 100],
    [null, null],
  ])('of %s V has %s %%', (volts, percent) => {
    expect(batteryPercent(volts)).toBe(percent);
  });

  it('is half full half way from 3.0 to 4.1 V', () => {
    expect(batteryPercent(3.55)).toBeCloseTo(50, 9);
  });

  it.each([
    [{ charge: true, fault: true, battery: 90 }, 'Charging Inhibited'],
    [{ charge: true, fault: false, battery: 10 }, 'Charging'],
    [{ charge: true, fault: null, battery: null }, 'Charging'],
    [{ charge: false, fault: true, battery: 80 }, 'Charged'],
    [{ charge: false, fault: false, battery: 79.9 }, 'Not Charging'],
    [{ charge: null, fault: null, battery: 85 }, 'Charged'],
    [{ charge: false, fault: false, battery: null }, 'Unknown'],
    [{ charge: null, fault: null, battery: null }, 'Unknown'],
  ])('%o: %s', (unit, text) => {
    expect(chargingText(unit)).toBe(text);
  });
});

describe('pump', () => {
  it.each([
    [{ relayControl: true, relayState: true }, 'running'],
    [{ relayControl: true, relayState: false }, 'stopped'],
    [{ relayControl: true, relayState: null }, 'stopped'],
    [{ relayControl: false, relayState: true }, 'disabled'],
    [{ relayControl: null, relayState: null }, 'disabled'],
  ])('%o is %s', (pump, state) => {
    expect(pumpState(pump)).toBe(state);
  });
});

describe('leaks', () => {
  const flows = { min: 0.4, count: 4 };
  const stops = { min: 0, count: 4 };
  it.each([
    ['six hours of flow', [stops, flows, flows, flows, flows, flows, flows], true],
    ['five hours of flow', [stops, flows, flows, flows, flows, flows], false],
    ['a stop in the last hour', [flows, flows, flows, flows, flows, flows, stops], false],
    ['an hour without a word', [flows, flows, null, flows, flows, flows], false],
    ['fewer than six hours known', [flows, flows, flows, flows, flows], false],
    ['an hour with one reading', [flows, flows, flows, flows, flows, { min: 0.4, count: 1 }], false],
    ['two readings in every hour', Array.from({ length: 6 }, () => ({ min: 0.4, count: 2 })), true],
    ['an hour of which nothing was valid', [flows, flows, flows, flows, flows, { min: 0, count: 0 }], false],
  ])('%s', (_name, hours, expected) => {
    expect(flowsWithoutStop(hours)).toBe(expected);
  });

  it.each([
    [80, 77.9, true],
    [80, 78, false],
    [80, 85, false],
    [null, 70, false],
    [80, null, false],
  ])('from %s %% to %s %% at night', (first, last, expected) => {
    expect(fallsAtNight(first, last)).toBe(expected);
  });
});

describe('usage', () => {
  it.each([
    [sensorTypes.TLM_V3, { enabledFlow: true }, true],
    [sensorTypes.TLM_V3, { enabledFlow: false }, false],
    [sensorTypes.TLM_V3, {}, false],
    [sensorTypes.LEVEL, { enabledFlow: true }, false],
  ])('of type %d with %o is measured by a meter: %s', (type, settings, expected) => {
    expect(measuresByFlow(type, settings)).toBe(expected);
  });
});
