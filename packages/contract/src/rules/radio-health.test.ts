import { describe, expect, it } from 'vitest';
import type { RadioDay } from '../radio-health.ts';
import { radioFigures } from './radio-health.ts';

const build = (day: string, over: Partial<RadioDay> = {}): RadioDay => ({
  day,
  answered: 0,
  silent: 0,
  triedUnits: 0,
  tries: 0,
  busyS: 0,
  busyUnits: 0,
  hopsUnits: 0,
  hops: 0,
  ...over,
});

describe('how a radio fared', () => {
  it('is told for each month by the sums of its days, the newest first', () => {
    const days = [
      build('2026-10-30', { answered: 9, silent: 1, triedUnits: 10, tries: 15, busyS: 90, busyUnits: 9 }),
      // A busy day counts more than a quiet one.
      build('2026-11-01', { answered: 90, silent: 10, triedUnits: 100, tries: 200, hopsUnits: 4, hops: 10 }),
      build('2026-11-02', { answered: 0, silent: 10 }),
    ];
    expect(radioFigures(days, 'month')).toEqual([
      { name: '2026-11', asked: 110, answered: (90 / 110) * 100, tries: 2, seconds: null, hops: 2.5 },
      { name: '2026-10', asked: 10, answered: 90, tries: 1.5, seconds: 10, hops: null },
    ]);
  });

  it('is not known of a day on which nobody was asked', () => {
    expect(radioFigures([build('2026-11-01', { hopsUnits: 2, hops: 3 })], 'day')).toEqual([
      { name: '2026-11-01', asked: 0, answered: null, tries: null, seconds: null, hops: 1.5 },
    ]);
  });
});
