import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toastSpot, type Box, type Obstacle, type Room, type Spot } from './toast-spot.ts';

const desk: Room = { width: 1440, height: 900, top: 66, edge: 12 };
const phone: Room = { width: 390, height: 844, top: 66, edge: 12 };
const button = (left: number, top: number, width: number, height = 44): Obstacle => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
  weight: 100,
});
const row = (top: number, width: number): Obstacle => ({ ...button(12, top, width, 56), weight: 1 });
const size = { width: 230, height: 54 };
const start: Spot = { top: 66, right: 12 };

describe('a message stands', () => {
  test.each<[string, Room, Obstacle[], Spot]>([
    ['at the top right where nothing can be pressed', desk, [button(12, 70, 44)], start],
    // The button begins at 1250: the message ends 8 px before it, 198 px from the right edge.
    ['left of the button in the title', desk, [button(1250, 70, 162)], { top: 66, right: 198 }],
    [
      'left of both buttons in the title',
      desk,
      [button(1250, 70, 162), button(1100, 70, 142)],
      { top: 66, right: 348 },
    ],
    // On a phone no room is left beside the button, which ends at 114.
    [
      'below the button on a phone',
      phone,
      [button(12, 70, 44), button(210, 70, 168)],
      { top: 122, right: 12 },
    ],
    [
      'on rows of a list rather than on the boxes that search it',
      phone,
      [
        button(210, 70, 168),
        button(12, 130, 366),
        ...Array.from({ length: 12 }, (_none, n) => row(180 + 56 * n, 366)),
      ],
      { top: 182, right: 12 },
    ],
  ])('%s', (_name, room, obstacles, expected) => {
    expect(toastSpot(size, room, obstacles, start)).toEqual(expected);
  });

  test('where it is while another place is no better', () => {
    const now = { top: 300, right: 400 };
    expect(toastSpot(size, desk, [], now)).toEqual(now);
    expect(toastSpot(size, desk, [{ left: 0, top: 0, right: 1440, bottom: 900, weight: 1 }], now)).toEqual(
      now,
    );
  });
});

test('a message that fits anywhere beside buttons covers none, and is never moved to a worse place', () => {
  const box = fc
    .record({ left: fc.nat(1400), top: fc.nat(860), width: fc.integer({ min: 20, max: 300 }) })
    .map(({ left, top, width }) => button(left, top, width));
  const covered = ({ top, right }: Spot, obstacles: Obstacle[]) => {
    const at: Box = { left: 1440 - right - 230, right: 1440 - right, top, bottom: top + 54 };
    return obstacles.filter(
      (one) => at.left < one.right && one.left < at.right && at.top < one.bottom && one.top < at.bottom,
    ).length;
  };
  fc.assert(
    fc.property(fc.array(box, { maxLength: 12 }), (obstacles) => {
      const spot = toastSpot(size, desk, obstacles, start);
      expect(covered(spot, obstacles)).toBeLessThanOrEqual(covered(start, obstacles));
      expect(spot.right).toBeGreaterThanOrEqual(12);
      expect(spot.right + 230).toBeLessThanOrEqual(1428);
      // Twelve buttons of 44 px height can't fill a window of 900 by 1440.
      expect(covered(spot, obstacles)).toBe(0);
    }),
  );
});
