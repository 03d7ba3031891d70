import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import fixture from '../../fixtures/paddocks.json' with { type: 'json' };
import type { LatLng } from '../schemas.ts';
import { areaHectares, areaSquareMetres, areaText, corners, crossesItself } from './polygon.ts';

const { paddocks } = fixture;
const ringOf = ({ ring }: (typeof paddocks)[number]): LatLng[] =>
  ring.map(([lng = 0, lat = 0]) => ({ lat, lng }));
/** [lat, lng] pairs. */
const ring = (...points: [number, number][]): LatLng[] => points.map(([lat, lng]) => ({ lat, lng }));
const square = ring([-43.5, 171.5], [-43.5, 171.51], [-43.51, 171.51], [-43.51, 171.5]);

describe('area', () => {
  it('of 74 real paddocks is what geographiclib says, within 0.05 %', () => {
    for (const paddock of paddocks) {
      const error = Math.abs(areaSquareMetres(ringOf(paddock)) / 10_000 / paddock.hectares - 1);
      expect(error).toBeLessThan(0.0005);
    }
    expect(paddocks.slice(0, 3).map((paddock) => areaHectares(ringOf(paddock)))).toEqual([
      3.939, 1.109, 0.357,
    ]);
  });

  it('of an eighth of the earth is an eighth of 510,065,622 km²', () => {
    const eighth = ring([0, 0], [0, 45], [0, 90], [90, 90], [90, 45], [90, 0]);
    expect(areaSquareMetres(eighth) / 1e6).toBeCloseTo(510_065_621.724 / 8, 1);
  });

  it('is the same whichever way round, from whichever corner, closed or not', () => {
    const area = areaHectares(square);
    expect(areaHectares(square.toReversed())).toBe(area);
    expect(areaHectares([...square.slice(2), ...square.slice(0, 2)])).toBe(area);
    expect(areaHectares([...square, square[0] as LatLng])).toBe(area);
  });

  it('of a farm across 180° E is that of the same farm beside it', () => {
    const across = ring([-19, 179.99], [-19, -179.99], [-19.02, -179.99], [-19.02, 179.99]);
    const beside = ring([-19, 170.01], [-19, 170.03], [-19.02, 170.03], [-19.02, 170.01]);
    expect(areaHectares(across)).toBeCloseTo(areaHectares(beside), 2);
  });

  it.each([
    ['nothing', []],
    ['one point', ring([-43, 171])],
    ['two points', ring([-43, 171], [-43.1, 171])],
    ['a line there and back', ring([-43, 171], [-43.1, 171], [-43, 171])],
  ])('of %s is 0', (_name, points) => {
    expect(areaHectares(points)).toBe(0);
  });

  it.each([
    [0, '0.00 m²'],
    [0.95, '9,500.00 m²'],
    [1, '1.00 ha'],
    [204.472, '204.47 ha'],
    [9999.994, '9,999.99 ha'],
    [10_000, '100.00 km²'],
    [123_456, '1,234.56 km²'],
  ])('%d ha is written %s', (hectares, text) => {
    expect(areaText(hectares)).toBe(text);
  });
});

describe('corners', () => {
  it('leave out points drawn twice and the closing one', () => {
    const [a, b, c] = ring([1, 1], [1, 2], [2, 2]) as [LatLng, LatLng, LatLng];
    expect(corners([a, a, b, c, c, a])).toEqual([a, b, c]);
  });
});

describe('a boundary crosses or touches itself', () => {
  it.each([
    ['a bow tie', ring([0, 0], [1, 1], [1, 0], [0, 1])],
    ['two parts that meet in a corner', ring([0, 0], [1, 1], [0, 2], [2, 2], [1, 1], [2, 0])],
    ['a corner on another side', ring([0, 0], [0, 4], [2, 4], [0, 2], [2, 0])],
    ['a spike', ring([0, 0], [0, 2], [0, 5], [0, 2], [2, 2], [2, 0])],
    ['a line there and back', ring([0, 0], [0, 1], [0, 2], [0, 1])],
  ])('%s does', (_name, points) => {
    expect(crossesItself(points)).toBe(true);
    expect(crossesItself(points.toReversed())).toBe(true);
  });

  it.each([
    ['a triangle', ring([0, 0], [0, 1], [1, 0])],
    ['a square', square],
    ['a horseshoe', ring([0, 0], [0, 5], [5, 5], [5, 4], [1, 4], [1, 1], [5, 1], [5, 0])],
    ['a point in the middle of a side', ring([0, 0], [0, 1], [0, 2], [2, 2], [2, 0])],
  ])('%s does not', (_name, points) => {
    expect(crossesItself(points)).toBe(false);
    expect(crossesItself(points.toReversed())).toBe(false);
  });

  it('none of the real paddocks does', () => {
    expect(paddocks.map(ringOf).filter(crossesItself)).toEqual([]);
  });

  it('no star around a point does', () => {
    const reach = fc.array(fc.integer({ min: 10, max: 100 }), { minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(reach, (reaches) => {
        const points = reaches.map((far, index) => {
          const angle = (2 * Math.PI * index) / reaches.length;
          return { lat: -40 + (far * Math.sin(angle)) / 1e4, lng: 175 + (far * Math.cos(angle)) / 1e4 };
        });
        expect(crossesItself(points)).toBe(false);
      }),
    );
  });

  it('is told of 2,000 points', () => {
    const circle = Array.from({ length: 2000 }, (_, index) => ({
      lat: Math.sin((index * Math.PI) / 1000),
      lng: Math.cos((index * Math.PI) / 1000),
    }));
    expect(crossesItself(circle)).toBe(false);
    expect(crossesItself([...circle, { lat: 0, lng: -2 }])).toBe(true);
  });
});
