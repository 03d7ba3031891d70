import { expect, test } from 'vitest';
import fixture from '../../fixtures/paddocks.json' with { type: 'json' };
import { isInside } from './distance.ts';
import { innerPoint } from './inner-point.ts';

const ring = (...corners: [lng: number, lat: number][]) => corners.map(([lng, lat]) => ({ lat, lng }));

test.each([
  ['a square', ring([171, -44], [172, -44], [172, -43], [171, -43]), { lat: -43.5, lng: 171.5 }],
  // Arms of 1 beside a gap of 2: its centre of mass lies in the gap.
  [
    'a horseshoe',
    ring([0, 0], [4, 0], [4, 4], [3, 4], [3, 0.1], [1, 0.1], [1, 4], [0, 4]),
    { lat: 2, lng: 0.5 },
  ],
  [
    'a square over 180°',
    ring([179.9, -17], [-179.9, -17], [-179.9, -16.8], [179.9, -16.8]),
    { lat: -16.9, lng: -180 },
  ],
  ['a line', ring([171, -44], [172, -44], [173, -44]), { lat: -44, lng: 171 }],
])('of %s', (_of, corners, point) => {
  const { lat, lng } = innerPoint(corners);
  expect(lat).toBeCloseTo(point.lat, 6);
  expect(Math.abs(lng)).toBeCloseTo(Math.abs(point.lng), 6);
});

test('is inside each of 74 paddocks', () => {
  const outside = fixture.paddocks
    .map(({ ring: corners }) => corners.map(([lng = 0, lat = 0]) => ({ lat, lng })))
    .filter((corners) => !isInside(innerPoint(corners), corners));
  expect(outside).toEqual([]);
});
