import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextName, nextPlace } from './next-in-line.ts';

describe('the next name', () => {
  test.each([
    ['A9', 'A10'],
    ['A1', 'A2'],
    [' A1 ', 'A2'],
    ['L3-07', 'L3-08'],
    ['L3-99', ''],
    ['A099', 'A100'],
    ['A999', 'A1000'],
    ['7', '8'],
    ['09', '10'],
    ['3b', '4b'],
    ['2N1', '2N2'],
    ['99999', ''],
    ['Ōkū1', 'Ōkū2'],
    ['North', ''],
    ['', ''],
  ])('after %j is %j', (name, next) => {
    expect(nextName(name, 5)).toBe(next);
  });

  test('is one that no other device has, in whatever case', () => {
    expect(nextName('A9', 5, new Set(['a10', 'A11 ']))).toBe('A12');
    expect(nextName('A8', 2, new Set(['A9']))).toBe('');
  });

  test('counts on from numbers of any length', () => {
    expect(nextName('Serial 99999999999999999999', 40)).toBe('Serial 100000000000000000000');
  });

  test('fits, is free, and differs from the one before', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.array(fc.string({ maxLength: 5 })), (name, taken) => {
        const next = nextName(name, 5, new Set(taken));
        if (next === '') return;
        expect(next.length).toBeLessThanOrEqual(5);
        expect(next).not.toBe(name.trim());
        expect(taken.map((one) => one.trim().toLowerCase())).not.toContain(next.toLowerCase());
      }),
    );
  });
});

describe('the next place', () => {
  const at = (lat: number, lng: number) => ({ lat, lng });
  test.each([
    ['carries the line on', at(-43.75, 172.02), at(-43.7501, 172.0203), at(-43.7502, 172.0206)],
    ['goes over 180°', at(-18, 179.9995), at(-18, -179.9999), at(-18, -179.9993)],
    ['is none after one place alone', null, at(-43.75, 172.02), null],
    ['is none after a unit without a place', at(-43.75, 172.02), null, null],
    ['is none after two at the same place', at(-43.75, 172.02), at(-43.75, 172.02), null],
    // 0.003° of latitude are 333.6 m, 0.0026° 289.1 m.
    ['is none after a step of 334 m: another line', at(-43.75, 172.02), at(-43.753, 172.02), null],
    ['is one after a step of 289 m', at(-43.75, 172.02), at(-43.7526, 172.02), at(-43.7552, 172.02)],
    // At 60° a degree of longitude is half as long: 0.005° are 278 m.
    ['is reckoned in metres', at(-60, 20), at(-60, 20.005), at(-60, 20.01)],
    ['is none beyond the pole', at(-89.998, 0), at(-90, 0), null],
  ])('%s', (_name, before, last, next) => {
    expect(nextPlace(before, last)).toEqual(next);
  });

  test('is as far from the last as that from the one before', () => {
    const step = fc.double({ min: -0.001, max: 0.001, noNaN: true });
    fc.assert(
      fc.property(
        fc.double({ min: -80, max: 80, noNaN: true }),
        fc.double({ min: -179, max: 179, noNaN: true }),
        step,
        step,
        (lat, lng, up, right) => {
          const last = at(lat + up, lng + right);
          const next = nextPlace(at(lat, lng), last);
          if (!next) return;
          expect(next.lat - last.lat).toBeCloseTo(up, 5);
          expect(next.lng - last.lng).toBeCloseTo(right, 5);
        },
      ),
    );
  });
});
