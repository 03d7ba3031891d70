import { expect, test } from 'vitest';
import { drawSmallMap } from './small-map.ts';

const numbers = (path: string) =>
  (path.match(/-?[\d.]+ -?[\d.]+/g) ?? []).map((at) => at.split(' ').map(Number));

test('a farm fills the small map from edge to edge of its longer way', () => {
  // At the equator a degree is the same both ways: 0.02 by 0.01 degrees is limited by the height, 88 high.
  const boundary = [
    { lat: 0.005, lng: 170 },
    { lat: 0.005, lng: 170.02 },
    { lat: -0.005, lng: 170.02 },
    { lat: -0.005, lng: 170 },
  ];
  const { outline, dots } = drawSmallMap(boundary, [{ lat: 0, lng: 170.01 }]);
  expect(numbers(outline)).toEqual([
    [12, 8],
    [188, 8],
    [188, 96],
    [12, 96],
  ]);
  expect(dots).toBe('M100.0 52.0h0');
});

test('one place alone stands in the middle, and two points enclose nothing', () => {
  const place = { lat: -43.7, lng: 172 };
  expect(drawSmallMap([place, place], [place])).toEqual({ outline: '', dots: 'M100.0 52.0h0' });
});

test('with nothing to draw there is nothing', () => {
  expect(drawSmallMap([], [])).toEqual({ outline: '', dots: '' });
});
