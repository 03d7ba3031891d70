import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TankSupply } from '@headrace/demo/profile';
import { ballcock, pump, tankModel } from '@headrace/demo/devices';
import { startTank, stepTank, type TankRates, type TankState } from './tank.ts';

const volume = 20_000;
const still: TankRates = { demandLpm: 0, leakLpm: 0, otherInLpm: 0, mainOn: true };
const full = (fraction: number, supply: TankSupply) =>
  startTank(volume, tankModel({ startFraction: fraction, supply }));

const rates = fc.record({
  demandLpm: fc.double({ min: 0, max: 200, noNaN: true }),
  leakLpm: fc.constantFrom(0, 3),
  otherInLpm: fc.constantFrom(0, 0, 40),
  mainOn: fc.boolean(),
});
const supply = fc.constantFrom<TankSupply>(
  ballcock(30),
  pump(100),
  pump(100, { maxRunTime: 20 }),
  pump(60, { relayControl: false }),
  { kind: 'roof', roofM2: 200 },
);
const stretch = fc.tuple(fc.double({ min: 0.01, max: 90, noNaN: true }), rates);

describe('a tank', () => {
  it('never holds less than nothing or more than full, and its sums balance', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        supply,
        fc.array(stretch, { maxLength: 40 }),
        (start, kind, steps) => {
          let state = full(start, kind);
          const before = state.litres;
          for (const [minutes, rate] of steps) {
            state = stepTank(state, minutes, rate, volume, kind);
            expect(state.litres).toBeGreaterThanOrEqual(0);
            expect(state.litres).toBeLessThanOrEqual(volume);
          }
          const balance = state.inLitres - state.drawnLitres - state.leakedLitres - state.spiltLitres;
          expect(state.litres - before).toBeCloseTo(balance, 4);
        },
      ),
    );
  });

  it('comes out the same however time is divided', () => {
    fc.assert(
      fc.property(supply, stretch, fc.integer({ min: 2, max: 9 }), (kind, [minutes, rate], parts) => {
        const once = stepTank(full(0.5, kind), minutes, rate, volume, kind);
        let often: TankState = full(0.5, kind);
        for (let part = 0; part < parts; part += 1)
          often = stepTank(often, minutes / parts, rate, volume, kind);
        expect(often.litres).toBeCloseTo(once.litres, 3);
        expect(often.drawnLitres).toBeCloseTo(once.drawnLitres, 3);
      }),
    );
  });

  it('gives what rain brings when it is empty, for hours on end', () => {
    const kind: TankSupply = { kind: 'roof', roofM2: 100 };
    const draw = { ...still, otherInLpm: 2, demandLpm: 50 };
    const after = stepTank(full(0, kind), 600, draw, volume, kind);
    // 2 L/min for ten hours, all of it drawn.
    expect(after.drawnLitres).toBeCloseTo(1200, 3);
    expect(after.litres).toBeCloseTo(0, 3);
  });

  it('starts its pump at the low setpoint and stops it at the high one', () => {
    const kind = pump(100, { lowSetpoint: 40, highSetpoint: 80 });
    const draw = { ...still, demandLpm: 50 };
    // From 50 % (10,000 L) at 50 L/min: 40 % (8,000 L) after 40 minutes.
    const before = stepTank(full(0.5, kind), 39.9, draw, volume, kind);
    expect(before.supplyOn).toBe(false);
    const filling = stepTank(before, 0.2, draw, volume, kind);
    expect(filling.supplyOn).toBe(true);
    // 8,000 L to 16,000 L at 50 L/min net takes 160 minutes more.
    const almost = stepTank(filling, 159, draw, volume, kind);
    expect(almost).toMatchObject({ supplyOn: true });
    const done = stepTank(almost, 2, draw, volume, kind);
    expect(done.supplyOn).toBe(false);
    expect(done.litres).toBeLessThanOrEqual(16_000 + 1e-3);
  });

  it('stops a pump that ran its longest, and lets it rest half an hour', () => {
    const kind = pump(10, { lowSetpoint: 40, highSetpoint: 80, maxRunTime: 30 });
    const running = stepTank(full(0.3, kind), 29, still, volume, kind);
    expect(running.supplyOn).toBe(true);
    const resting = stepTank(running, 20, still, volume, kind);
    expect(resting.supplyOn).toBe(false);
    // 30 minutes at 10 L/min and no more.
    expect(resting.litres).toBeCloseTo(6300, 3);
    expect(stepTank(resting, 15, still, volume, kind).supplyOn).toBe(true);
  });

  it('does not pump when pump control is off', () => {
    const kind = pump(100, { relayControl: false });
    expect(stepTank(full(0.1, kind), 600, still, volume, kind).litres).toBeCloseTo(2000, 6);
  });

  it('spills what a full tank gets from the roof', () => {
    const kind: TankSupply = { kind: 'roof', roofM2: 100 };
    const state = stepTank(full(1, kind), 60, { ...still, otherInLpm: 5 }, volume, kind);
    expect(state).toMatchObject({ litres: volume });
    expect(state.spiltLitres).toBeCloseTo(300, 6);
  });
});
