import L from 'leaflet';
import { describe, expect, it } from 'vitest';
import { boxOf, isInside, padBox, toWorld } from './geometry.ts';
import type { MapMarker } from './marker.ts';
import { spread, spreadMarkers } from './spread.ts';

const square = [
  { lat: -43, lng: 171 },
  { lat: -43, lng: 172 },
  { lat: -44, lng: 172 },
  { lat: -44, lng: 171 },
];

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
  it('hold all points, padded by 0.007 degrees', () => {
    const box = boxOf(square);
    expect(box).toEqual({ south: -44, west: 171, north: -43, east: 172 });
    expect(box && padBox(box)).toEqual({ south: -44.007, west: 170.993, north: -42.993, east: 172.007 });
  });
  it('are null without points', () => {
    expect(boxOf([])).toBeNull();
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
