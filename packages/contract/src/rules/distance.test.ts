import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceKm, isInside, kmFromLand } from './distance.ts';

/** One degree of a great circle: 2 π 6371.0088 / 360 km. */
const DEGREE_KM = 111.195;
const square = [
  { lat: -44, lng: 172 },
  { lat: -44, lng: 173 },
  { lat: -43, lng: 173 },
  { lat: -43, lng: 172 },
];

describe('a distance', () => {
  it.each([
    ['a degree of latitude', { lat: -44, lng: 172 }, { lat: -43, lng: 172 }, DEGREE_KM],
    ['a degree of the equator', { lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 }, DEGREE_KM],
    // cos 60° is a half; the great circle is a little shorter than the parallel.
    ['a degree of longitude at 60°', { lat: 60, lng: 0 }, { lat: 60, lng: 1 }, 55.597],
    ['half round the Earth', { lat: 90, lng: 0 }, { lat: -90, lng: 50 }, 180 * DEGREE_KM],
    // Methven and Nelson, 290 km by the finding's map.
    [
      'Methven to the middle of the country',
      { lat: -43.63, lng: 171.65 },
      { lat: -41.2996, lng: 173.3023 },
      292,
    ],
  ])('of %s', (_name, one, other, km) => {
    expect(distanceKm(one, other) / km).toBeCloseTo(1, 2);
  });
});

describe('from a place to land', () => {
  it.each([
    ['within', { lat: -43.5, lng: 172.5 }, 0],
    ['a degree north', { lat: -42, lng: 172.5 }, DEGREE_KM],
    ['a degree south of a corner', { lat: -45, lng: 172 }, DEGREE_KM],
    ['a degree west at 43.5° S', { lat: -43.5, lng: 171 }, DEGREE_KM * Math.cos((43.5 * Math.PI) / 180)],
  ])('%s', (_name, place, km) => {
    expect(Math.abs(kmFromLand(place, square) - km)).toBeLessThan(0.6);
  });

  it('is the same over the date line', () => {
    const over = square.map(({ lat, lng }) => ({ lat, lng: lng + 7.5 > 180 ? lng + 7.5 - 360 : lng + 7.5 }));
    expect(isInside({ lat: -43.5, lng: 180 }, over)).toBe(true);
    expect(isInside({ lat: -43.5, lng: -179.9 }, over)).toBe(true);
    expect(kmFromLand({ lat: -43.5, lng: -178.5 }, over)).toBeCloseTo(80.66, 0);
  });

  const near = fc.record({
    lat: fc.double({ min: -46, max: -41, noNaN: true }),
    lng: fc.double({ min: 170, max: 175, noNaN: true }),
  });
  it('is never longer than to a corner, and nothing inside', () => {
    fc.assert(
      fc.property(near, (place) => {
        const km = kmFromLand(place, square);
        for (const corner of square) expect(km).toBeLessThanOrEqual(distanceKm(place, corner) + 1e-6);
        const isIn = place.lat > -44 && place.lat < -43 && place.lng > 172 && place.lng < 173;
        expect(km === 0).toBe(isIn);
      }),
    );
  });
});
