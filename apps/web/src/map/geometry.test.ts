import L from 'leaflet';
import { describe, expect, it, test } from 'vitest';
import { middleOf } from './draft.ts';
import { boxOf, isInside, toWorld } from './geometry.ts';
import { caughtBy } from './lasso.ts';
import type { MapMarker } from './marker.ts';
import { drawSmallMap } from './small-map.ts';
import { spread, spreadMarkers } from './spread.ts';

const square = [
  { lat: -43, lng: 171 },
  { lat: -43, lng: 172 },
  { lat: -44, lng: 172 },
  { lat: -44, lng: 171 },
];

const overDateLine = [
  { lat: -17, lng: 179.9 },
  { lat: -17, lng: -179.9 },
  { lat: -16.8, lng: -179.9 },
  { lat: -16.8, lng: 179.9 },
];

test('a farm over the date line holds what is on both of its sides, and nothing far away', () => {
  expect(isInside(overDateLine, { lat: -16.9, lng: 179.95 })).toBe(true);
  expect(isInside(overDateLine, { lat: -16.9, lng: -179.95 })).toBe(true);
  expect(isInside(overDateLine, { lat: -16.9, lng: 0 })).toBe(false);
  expect(isInside(overDateLine, { lat: -16.9, lng: 179.8 })).toBe(false);
  const devices = [179.95, -179.95, 179.8, 0].map((lng, id) => ({ id: String(id), lat: -16.9, lng }));
  expect(caughtBy(overDateLine, devices).map(({ id }) => id)).toEqual(['0', '1']);
  expect(middleOf(overDateLine, 0)).toEqual({ lat: -17, lng: 180 });
  const { outline } = drawSmallMap(overDateLine, []);
  // 88 high, and 88 times the cosine of 16.9° wide, 84.2: from 57.9 to 142.1.
  expect(outline).toBe('M57.9 96.0L142.1 96.0L142.1 8.0L57.9 8.0Z');
});

describe('point in polygon', () => {
  /** A U open to the north: its notch is outside. */
  const u = [
    { lat: 0, lng: 0 },
    { lat: 0, lng: 6 },
    { lat: 6, lng: 6 },
    { lat: 6, lng: 4 },
    { lat: 2, lng: 4 },
    { lat: 2, lng: 2 },
    { lat: 6, lng: 2 },
    { lat: 6, lng: 0 },
  ];
  it.each([
    ['the middle of a square', square, { lat: -43.5, lng: 171.5 }, true],
    ['west of it', square, { lat: -43.5, lng: 170.9 }, false],
    ['east of it', square, { lat: -43.5, lng: 172.1 }, false],
    ['north of it', square, { lat: -42.9, lng: 171.5 }, false],
    ['a leg of a U', u, { lat: 5, lng: 1 }, true],
    ['the notch of a U', u, { lat: 5, lng: 3 }, false],
    ['the foot of a U', u, { lat: 1, lng: 3 }, true],
    ['two corners only', square.slice(0, 2), { lat: -43, lng: 171.5 }, false],
    ['no boundary', [], { lat: 0, lng: 0 }, false],
  ])('%s', (_name, polygon, point, inside) => {
    expect(isInside(polygon, point)).toBe(inside);
  });
});

describe('bounds', () => {
  it('hold all points', () => {
    expect(boxOf(square)).toEqual({ south: -44, west: 171, north: -43, east: 172 });
  });
  it('are null without points', () => {
    expect(boxOf([])).toBeNull();
    // A farm of 0.2° on both sides of the date line is no farm round the world.
    expect(boxOf([...overDateLine])).toEqual({
      south: -17,
      west: 179.9,
      north: -16.8,
      east: expect.closeTo(180.1, 9) as number,
    });
  });
});

describe('web projection', () => {
  it('puts 0/0 in the middle and goes south and east', () => {
    expect(toWorld(0, 0)).toEqual([0.5, 0.5]);
    const there = L.CRS.EPSG3857.latLngToPoint(L.latLng(-41.3, 173.3), 0);
    const [x, y] = toWorld(-41.3, 173.3);
    expect(x).toBeCloseTo(there.x / 256, 10);
    expect(y).toBeCloseTo(there.y / 256, 10);
  });
});

describe('devices that share a location', () => {
  it('spread on a grid of 0.0008 degrees, the first staying where it is', () => {
    const here = { lat: -43.7, lng: 171.6 };
    const devices = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, ...here }));
    const placed = spread(devices).map(({ id, lat, lng }) => [id, lat.toFixed(4), lng.toFixed(4)]);
    expect(placed).toEqual([
      ['a', '-43.7000', '171.6000'],
      ['b', '-43.7000', '171.6008'],
      ['c', '-43.7000', '171.6016'],
      ['d', '-43.7008', '171.6000'],
      ['e', '-43.7008', '171.6008'],
    ]);
  });
  it('keep to a grid of their kind: 0.00048 degrees for sprinklers, 0.0008 for all others', () => {
    const at = (id: string, shape: MapMarker['shape']): MapMarker => ({
      id,
      name: id,
      spoken: id,
      shape,
      condition: 'ok',
      lat: 0,
      lng: 0,
    });
    const placed = spreadMarkers([
      at('a', 'sprinkler'),
      at('b', 'gateway'),
      at('c', 'sprinkler'),
      at('d', 'poi'),
    ]);
    expect(placed.map(({ id, lng }) => [id, lng])).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 0.00048],
      ['d', 0.0008],
    ]);
  });
  it('are apart too when they lie a few centimetres on both sides of a line of the grid', () => {
    const devices = [
      { id: 'a', lat: -43.0000049, lng: 171.6000049 },
      { id: 'b', lat: -43.0000051, lng: 171.6000051 },
    ];
    const [first, second] = spread(devices);
    expect(first).toEqual(devices[0]);
    expect(second?.lng).toBeCloseTo(171.6008, 5);
  });
  it('are never moved onto somebody else', () => {
    const devices = [
      { id: 'a', lat: -43.7, lng: 171.6 },
      { id: 'b', lat: -43.7, lng: 171.6 },
      { id: 'c', lat: -43.7, lng: 171.6008 },
      { id: 'd', lat: -43.7, lng: 171.6 },
    ];
    // Two columns: the place beside the first is c's.
    expect(spread(devices).map(({ id, lat, lng }) => [id, lat.toFixed(4), lng.toFixed(4)])).toEqual([
      ['a', '-43.7000', '171.6000'],
      ['b', '-43.7008', '171.6000'],
      ['c', '-43.7000', '171.6008'],
      ['d', '-43.7008', '171.6008'],
    ]);
  });
  it('leave others alone and keep their order', () => {
    const devices = [
      { id: 'a', lat: -43.7, lng: 171.6 },
      { id: 'b', lat: -43.8, lng: 171.6 },
      { id: 'c', lat: -43.7, lng: 171.6 },
    ];
    expect(spread(devices, 0.00048)).toEqual([
      devices[0],
      devices[1],
      { id: 'c', lat: -43.7, lng: 171.60048 },
    ]);
  });
});
