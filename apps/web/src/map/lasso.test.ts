import { describe, expect, it, test } from 'vitest';
import { caughtBy, chosenWith, isStep, rectangleOf } from './lasso.ts';
import { spacingOf, placeMarkers, unitSize } from './placed-markers.ts';
import { spreadMarkers } from './spread.ts';
import type { MapMarker } from './marker.ts';

const device = (id: string, lat: number, lng: number, over: Partial<MapMarker> = {}): MapMarker => ({
  id,
  name: id,
  spoken: id,
  lat,
  lng,
  shape: 'sprinkler',
  condition: 'ok',
  ...over,
});

describe('what is drawn around', () => {
  const devices = [device('in', 1, 1), device('out', 3, 1), device('edge', 1.9, 1.9)];
  it('catches those inside', () => {
    const ring = rectangleOf({ lat: 0, lng: 0 }, { lat: 2, lng: 2 });
    expect(caughtBy(ring, devices).map(({ id }) => id)).toEqual(['in', 'edge']);
  });
  it('catches by its shape, not by the box around it', () => {
    const triangle = [
      { lat: 0, lng: 0 },
      { lat: 0, lng: 2 },
      { lat: 2, lng: 0 },
    ];
    expect(
      caughtBy([...triangle, { lat: 0, lng: 0 }], [device('a', 0.4, 0.4), device('b', 1.5, 1.5)]),
    ).toHaveLength(1);
  });
  it('catches nothing with two corners', () => {
    expect(
      caughtBy(
        [
          { lat: 0, lng: 0 },
          { lat: 2, lng: 2 },
        ],
        devices,
      ),
    ).toEqual([]);
  });
});

test('choosing adds or removes, and nothing new is the same choice', () => {
  const chosen = new Set(['a', 'b']);
  expect([...chosenWith(chosen, ['b', 'c'], 'add')]).toEqual(['a', 'b', 'c']);
  expect([...chosenWith(chosen, ['b', 'c'], 'remove')]).toEqual(['a']);
  expect(chosenWith(chosen, ['a'], 'add')).toBe(chosen);
  expect(chosenWith(chosen, ['z'], 'remove')).toBe(chosen);
});

test('a freehand line keeps a point every 4 px', () => {
  expect(isStep(undefined, { x: 0, y: 0 })).toBe(true);
  expect(isStep({ x: 0, y: 0 }, { x: 3, y: 2 })).toBe(false);
  expect(isStep({ x: 0, y: 0 }, { x: 4, y: 0 })).toBe(true);
});

test('sprinklers spread by 0.00048 degrees, others by 0.0008, and neither moves the other', () => {
  const here = { lat: -43.7, lng: 171.6 };
  const markers = [
    device('u1', here.lat, here.lng),
    device('g1', here.lat, here.lng, { shape: 'gateway' }),
    device('u2', here.lat, here.lng),
    device('p1', here.lat, here.lng, { shape: 'poi' }),
  ];
  expect(spreadMarkers(markers).map(({ id, lng }) => [id, lng.toFixed(5)])).toEqual([
    ['u1', '171.60000'],
    ['g1', '171.60000'],
    ['u2', '171.60048'],
    ['p1', '171.60080'],
  ]);
});

test.each([
  [60, 1],
  [25, 1],
  [24, 0.7],
  [13, 0.5],
  [9, 0.36],
  [2, 0.36],
])('sprinklers %d px apart are drawn at %d of their size', (spacing, size) => {
  expect(unitSize(spacing)).toBe(size);
});

test('how far apart sprinklers stand counts sprinklers alone', () => {
  // Four of them on a square of 0.01 degrees of longitude at the equator: 0.01 / 360 wide, for 4 units.
  const corners = [
    device('a', 0, 0),
    device('b', 0, 0.01),
    device('c', 0.01, 0),
    device('d', 0.01, 0.01),
    device('far', 10, 10, { shape: 'gateway' }),
  ];
  expect(spacingOf(placeMarkers(corners, []))).toBeCloseTo(0.01 / 360 / 2, 9);
});

test('sprinklers of one line stand as far apart as it is long for each, so that they are not drawn as dots', () => {
  const line = [device('a', 0, 0), device('b', 0, 0.01), device('c', 0, 0.02)];
  expect(spacingOf(placeMarkers(line, []))).toBeCloseTo(0.01 / 360, 9);
});
