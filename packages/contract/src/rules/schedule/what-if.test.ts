import { describe, expect, it } from 'vitest';
import { type LineRun, type WhatIf, whatIf } from './what-if.ts';

/** Lines of `count` × 28 min, one after another from `start` on. */
const line = (name: string, count: number, start = 0): LineRun[] =>
  Array.from({ length: count }, (_, n) => ({
    unit: `${name}${n + 1}`,
    line: name,
    start: start + n * 28,
    duration: 28,
  }));
const none: WhatIf = { durationBy: 0, startBy: 0, linesAtOnce: null };
const summary = (runs: readonly LineRun[], change: Partial<WhatIf>, cycle = 1440) => {
  const tried = whatIf(runs, cycle, { ...none, ...change });
  return tried.ok
    ? tried.runs.map(({ unit, start, duration }) => `${unit} ${start}+${duration}`)
    : `${tried.why} ${tried.needMin}`;
};

describe('what if', () => {
  it('nothing changes, nothing does', () => {
    expect(summary(line('A', 3), {})).toEqual(['A1 0+28', 'A2 28+28', 'A3 56+28']);
  });

  it('waterings are shorter or longer: those behind on the line move', () => {
    expect(summary(line('A', 3), { durationBy: -6 })).toEqual(['A1 0+22', 'A2 22+22', 'A3 44+22']);
    expect(summary(line('A', 3), { durationBy: 2 })).toEqual(['A1 0+30', 'A2 30+30', 'A3 60+30']);
    // Those that begin together go on doing so.
    const together = [...line('A', 1), { ...line('A', 1)[0], unit: 'B1' } as LineRun];
    expect(summary(together, { durationBy: 2 })).toEqual(['A1 0+30', 'B1 0+30']);
  });

  it('all begin later or earlier, around the cycle', () => {
    expect(summary(line('A', 2), { startBy: 1430 })).toEqual(['A1 1430+28', 'A2 18+28']);
    expect(summary(line('A', 2), { startBy: -10 })).toEqual(['A1 1430+28', 'A2 18+28']);
  });

  it('one line at a time, or two', () => {
    const three = [...line('A', 2), ...line('B', 1), ...line('C', 1)];
    expect(summary(three, { linesAtOnce: 1 })).toEqual(['A1 0+28', 'A2 28+28', 'B1 56+28', 'C1 84+28']);
    expect(summary(three, { linesAtOnce: 2 })).toEqual(['A1 0+28', 'A2 28+28', 'B1 0+28', 'C1 28+28']);
  });

  it('a line waters over midnight, it stays one', () => {
    // 48 × 10 min from 20:00 to 04:00; the cycle's minutes count on from midnight.
    const night = Array.from({ length: 48 }, (_, n) => ({
      unit: `A${n + 1}`,
      line: 'A',
      start: (1200 + n * 10) % 1440,
      duration: 10,
    }));
    const longer = summary(night, { durationBy: 5 });
    expect(longer.slice(0, 2)).toEqual(['A1 1200+15', 'A2 1215+15']);
    // The 48th: 1200 + 47 × 15 = 1905, which is 465 of the next day.
    expect(longer.at(-1)).toBe('A48 465+15');
  });

  it('lines far apart are each as long as they are', () => {
    const far = [...line('A', 1), { unit: 'B1', line: 'B', start: 1200, duration: 200 }];
    expect(summary(far, { durationBy: 100 })).toEqual(['A1 0+128', 'B1 1200+300']);
  });

  it('a line does not fit, that is said with what it needs', () => {
    expect(summary(line('A', 51), { durationBy: 1 })).toBe('tooLong 1479');
    expect(summary(line('A', 2), { durationBy: -28 })).toBe('tooShort 0');
  });
});
