import { describe, expect, it } from 'vitest';
import { DAY_MS } from './clock.ts';
import { dayPart, joinedParts } from './day-parts.ts';
import { unknownStretch, type VolumeStretch } from './volume.ts';

const HOUR = 3_600_000;
const stretch = (
  from: number,
  to: number,
  m3: number | null,
  over: Partial<VolumeStretch> = {},
): VolumeStretch => ({
  from: from * HOUR,
  to: to * HOUR,
  m3,
  state: 'missing',
  before: 100,
  after: 100 + (m3 ?? 0),
  ...over,
});
/** As they are kept by days, and read again. */
const kept = (stretches: readonly VolumeStretch[], days: number, first = 0) =>
  joinedParts(
    Array.from({ length: days }, (_none, index) => (first + index) * DAY_MS).flatMap((day) =>
      stretches.flatMap((one) => dayPart(one, day, day + DAY_MS) ?? []),
    ),
    { from: first * DAY_MS, to: (first + days) * DAY_MS },
  );

describe('what is kept by days', () => {
  const gap = stretch(20, 52, 64);

  it('is one gap again, however many days it lasted', () => {
    expect(kept([gap], 3)).toEqual([gap]);
  });

  it.each([
    ['before the first', 2, 1],
    ['after the last', 2, 0],
    ['on both sides', 1, 1],
  ])('has no volume of a gap that goes on %s', (_where, days, first) => {
    const [part, ...others] = kept([gap], days, first);
    expect(others).toEqual([]);
    expect(part).toMatchObject({ m3: null, partOfGap: { from: -Infinity, to: Infinity, m3: 64 } });
  });

  it('keeps shares of what is not missing, and what is not known', () => {
    const measured = stretch(23, 25, 10, { state: 'measured' });
    const unknown = unknownStretch(25 * HOUR, 30 * HOUR);
    expect(kept([measured, unknown], 2).map(({ m3, state }) => [m3, state])).toEqual([
      [5, 'measured'],
      [5, 'measured'],
      [null, 'missing'],
    ]);
  });

  it('keeps the total of a gap in which the counter ran over its end, where all of it is there', () => {
    const over = stretch(20, 28, 20, { before: 65_530, after: 14 });
    expect(kept([over], 2)).toEqual([over]);
    // Of a part of it not even the total can be told.
    expect(kept([over], 1)).toMatchObject([{ m3: null }]);
    expect(kept([over], 1)[0]?.partOfGap).toBeUndefined();
  });
});
