import { describe, expect, it, test } from 'vitest';
import { readCredits } from './attribution.ts';
import { nextBoundaryMode } from './boundary-mode.ts';
import { placeLabels } from './labels.ts';
import { changedMarkers, markerLabel, popupName, type MapMarker } from './marker.ts';
import { hitMarker } from './placed-markers.ts';

const marker = (id: string, over: Partial<MapMarker> = {}): MapMarker => ({
  id,
  lat: 0,
  lng: 0,
  shape: 'tank',
  condition: 'ok',
  name: id,
  spoken: id,
  ...over,
});

test.each([
  ['House', 'House', 'House'],
  ['0123456789', '0123456789', '0123456789'],
  ['North Trough Line', 'North Trou…', 'North Trough Li…'],
  ['Ōhoka Ngā Puna x', 'Ōhoka Ngā…', 'Ōhoka Ngā Puna…'],
])('%s is cut to 10 characters on a marker and 15 in a popup', (name, label, popup) => {
  expect(markerLabel(name)).toBe(label);
  expect(popupName(name)).toBe(popup);
});

describe('a touch', () => {
  const at = (id: string, worldX: number, over: Partial<MapMarker> = {}) => ({
    marker: marker(id, { shape: 'sprinkler', ...over }),
    worldX,
    worldY: 0.1,
  });
  const projection = { scale: 1000, left: 0, top: 0 };
  const hit = (x: number, y: number, b = at('b', 0.13)) =>
    hitMarker([at('a', 0.1), b], { x, y }, projection)?.id ?? null;
  it('reaches 22 px, so that a target is 44', () => {
    expect(hit(78, 100)).toBe('a');
    expect(hit(77, 100)).toBeNull();
  });
  it('finds what lies on the other side of the date line', () => {
    // The map is at the world's right edge, 1,000 px, and goes on there: 0.01 of the next copy is at 1,010 px.
    expect(hit(1010, 100, at('b', 0.01))).toBe('b');
  });
  it('takes the nearest of two', () => {
    expect(hit(114, 100)).toBe('a');
    expect(hit(116, 100)).toBe('b');
  });
  it('takes what a filter shows before what it leaves out', () => {
    expect(hit(116, 100, at('b', 0.13, { isFaint: true }))).toBe('a');
  });
});

describe('a change', () => {
  const before = [marker('a'), marker('b')];
  it('of one marker repaints that one', () => {
    const changed = marker('b', { condition: 'issue' });
    expect(changedMarkers(before, [before[0] as MapMarker, changed])).toEqual([changed]);
  });
  it('of nothing repaints nothing', () => {
    expect(changedMarkers(before, [...before])).toEqual([]);
  });
  it.each([
    ['a new marker', [...before, marker('c')]],
    ['a moved one', [marker('a', { lat: 1 }), before[1] as MapMarker]],
    ['another order', [before[1] as MapMarker, before[0] as MapMarker]],
  ])('of %s repaints all', (_name, after) => {
    expect(changedMarkers(before, after)).toBe('all');
  });
});

test('the boundary goes from area to border to hidden and round again', () => {
  expect(nextBoundaryMode('area')).toBe('border');
  expect(nextBoundaryMode('border')).toBe('hidden');
  expect(nextBoundaryMode('hidden')).toBe('area');
});

describe('labels', () => {
  const town = (name: string, x: number, rank: number) => ({ name, lat: 0, lng: x, rank });
  const place = (towns: ReturnType<typeof town>[], zoom: number) =>
    placeLabels(
      towns,
      zoom,
      { width: 500, height: 300 },
      ({ lng }) => ({ x: lng, y: 100 }),
      (text) => text.length * 7,
    ).map(({ text }) => text);
  it('give way to larger towns', () => {
    expect(place([town('Hinds', 110, 5), town('Ashburton', 100, 2), town('Methven', 300, 4)], 12)).toEqual([
      'Ashburton',
      'Methven',
    ]);
  });
  it('of villages wait until one is near', () => {
    expect(place([town('Hinds', 110, 5), town('Ashburton', 300, 2)], 8)).toEqual(['Ashburton']);
  });
});

describe('a configured attribution', () => {
  it('is words and links, never markup', () => {
    expect(
      readCredits('Imagery © <a href="https://linz.govt.nz">LINZ</a> <img src=x onerror=alert(1)>CC BY 4.0'),
    ).toEqual([{ text: 'Imagery ©' }, { text: 'LINZ', href: 'https://linz.govt.nz' }, { text: 'CC BY 4.0' }]);
    expect(readCredits('<a href="javascript:alert(1)">x</a>')).toEqual([{ text: 'x' }]);
    expect(readCredits('')).toEqual([]);
  });
});
