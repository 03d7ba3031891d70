import { describe, expect, test } from 'vitest';
import { heightAmong, higher, restAfter, sheetHeights, type SheetHeight } from './map-sheet.ts';

const withoutHalf: readonly SheetHeight[] = ['summary', 'full'];

describe('a list that is let go over a map of 700 px, of which half a list covers 385', () => {
  test.each<[number, number, SheetHeight]>([
    [0, 0, 'summary'],
    [190, 0, 'summary'],
    [195, 0, 'half'],
    [385, 0, 'half'],
    [540, 0, 'half'],
    [545, 0, 'full'],
    [700, 0, 'full'],
    // Slow: where it is counts.
    [190, 0.4, 'summary'],
    // A fling goes on to the next height, not to the last.
    [40, 0.9, 'half'],
    [400, 0.9, 'full'],
    [660, -0.9, 'half'],
    [380, -0.9, 'summary'],
    // There is none beyond the ends.
    [700, 2, 'full'],
    [0, -2, 'summary'],
  ])('at %i px, going up by %f px a ms: %s', (px, speed, rest) => {
    expect(restAfter({ px, roomPx: 700, speed }, sheetHeights)).toBe(rest);
  });

  test('where there is no half it covers nothing or all', () => {
    const at = (px: number, speed: number) => restAfter({ px, roomPx: 300, speed }, withoutHalf);
    expect([at(140, 0), at(160, 0), at(40, 0.9), at(280, -0.9)]).toEqual([
      'summary',
      'full',
      'full',
      'summary',
    ]);
  });
});

test('the next height is the next of those that there are', () => {
  expect(sheetHeights.map((height) => higher(height, sheetHeights))).toEqual(['half', 'full', null]);
  expect(withoutHalf.map((height) => higher(height, withoutHalf))).toEqual(['full', null]);
  expect(sheetHeights.map((height) => heightAmong(height, withoutHalf))).toEqual([
    'summary',
    'summary',
    'full',
  ]);
});
