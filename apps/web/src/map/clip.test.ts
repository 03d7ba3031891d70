import { expect, it } from 'vitest';
import { decodeBasemap } from './basemap-data.ts';
import { clipRing } from './clip.ts';

const ring = (points: number[]) => ({
  points: Float64Array.from(points),
  minX: Math.min(...points.filter((_n, i) => i % 2 === 0)),
  maxX: Math.max(...points.filter((_n, i) => i % 2 === 0)),
  minY: Math.min(...points.filter((_n, i) => i % 2 === 1)),
  maxY: Math.max(...points.filter((_n, i) => i % 2 === 1)),
  widthKm: 1,
});
const view = { minX: 0, minY: 0, maxX: 1, maxY: 1, scale: 1000 };
const area = (p: ArrayLike<number>) => {
  let twice = 0;
  for (let i = 0, j = p.length - 2; i < p.length; j = i, i += 2) {
    twice += (p[j] ?? 0) * (p[i + 1] ?? 0) - (p[i] ?? 0) * (p[j + 1] ?? 0);
  }
  return Math.abs(twice) / 2;
};

it('keeps what lies inside, drops what lies outside, cuts what does both', () => {
  expect(clipRing(ring([0.2, 0.2, 0.8, 0.2, 0.5, 0.8]), view)).toEqual([0.2, 0.2, 0.8, 0.2, 0.5, 0.8]);
  expect(clipRing(ring([2, 2, 3, 2, 3, 3]), view)).toHaveLength(0);
  expect(area(clipRing(ring([0.5, 0.5, 2, 0.5, 2, 2, 0.5, 2]), view))).toBeCloseTo(0.25);
  expect(area(clipRing(ring([-5, -5, 5, -5, 5, 5, -5, 5]), view))).toBeCloseTo(1);
});

it('leaves out corners that fall on the same pixel', () => {
  expect(clipRing(ring([0, 0, 0.0001, 0.0001, 0.5, 0, 0.5, 0.5]), view)).toEqual([0, 0, 0.5, 0, 0.5, 0.5]);
});

it('decodes rings of steps to places on the map', () => {
  const map = decodeBasemap({
    scale: 1000,
    land: [[[0, 0, 90_000, 0, 0, -45_000]]],
    towns: [['Hinds', 171_570, -44_000, 5]],
  });
  expect([...(map.land[0]?.[0]?.points ?? [])].map((n) => n.toFixed(4))).toEqual([
    '0.5000',
    '0.5000',
    '0.7500',
    '0.5000',
    '0.7500',
    '0.6403',
  ]);
  expect(map.towns).toEqual([{ name: 'Hinds', lng: 171.57, lat: -44, rank: 5 }]);
});

it('knows how wide a lake is', () => {
  // A square of 0.1 degrees on the equator is 11.13 km wide: its area by half its shore is half of that.
  const map = decodeBasemap({ scale: 1000, land: [[[0, 0, 100, 0, 0, 100, -100, 0]]], towns: [] });
  expect(map.land[0]?.[0]?.widthKm).toBeCloseTo(11.13 / 2, 1);
});
