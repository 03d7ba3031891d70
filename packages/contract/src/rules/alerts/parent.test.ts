import { describe, expect, it, test } from 'vitest';
import { graceMs, type Parent, whoseSilence } from './parent.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const there: Parent = { awaySince: null, heardAt: 0, limitMs: 0, back: null };
const away: Parent = { ...there, awaySince: 0 };
const tank = { heardAt: -5 * MINUTE, limitMs: 3 * HOUR };
const back = (awayMs: number, grace: number): Parent => ({
  ...there,
  back: { at: 0, awayMs, graceMs: grace },
});

describe('the silence of a device', () => {
  it.each([
    ['is its own where its parent is there', tank, there, 4 * HOUR, 'own'],
    ['is that of its parent where both fell silent together', tank, away, 4 * HOUR, 'parent'],
    [
      'is its own where it was silent for too long before',
      { ...tank, heardAt: -4 * HOUR },
      away,
      HOUR,
      'own',
    ],
    ['is its own where it was heard since by another way', { ...tank, heardAt: HOUR }, away, 5 * HOUR, 'own'],
    [
      'is not known while its parent is as long silent, and not yet for too long',
      { heardAt: 0, limitMs: 10 * MINUTE },
      { ...there, limitMs: HOUR },
      HOUR + MINUTE,
      'unsure',
    ],
    [
      'is its own once the parent would have been called away',
      { heardAt: 0, limitMs: 10 * MINUTE },
      { ...there, limitMs: HOUR },
      HOUR + MINUTE + 1,
      'own',
    ],
    [
      'is not known while it has time after the return',
      { ...tank, heardAt: -5 * HOUR },
      back(4.9 * HOUR, 30 * MINUTE),
      29 * MINUTE,
      'unsure',
    ],
    [
      'is its own after that',
      { ...tank, heardAt: -5 * HOUR },
      back(4.9 * HOUR, 30 * MINUTE),
      30 * MINUTE,
      'own',
    ],
    [
      'is its own where a parent comes and goes for hours, each time shortly',
      { ...tank, heardAt: -4 * HOUR },
      back(15 * MINUTE, 10 * MINUTE),
      5 * MINUTE,
      'own',
    ],
  ] as const)('%s', (_name, child, parent, now, whose) => {
    expect(whoseSilence(child, parent, now)).toBe(whose);
  });
});

test('devices have half an hour after a return, or two of their intervals, and never more than three hours', () => {
  expect(graceMs([])).toBe(30 * MINUTE);
  expect(graceMs([10 * MINUTE, 60 * MINUTE])).toBe(2 * HOUR);
  expect(graceMs([24 * HOUR])).toBe(3 * HOUR);
});
