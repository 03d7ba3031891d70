import { describe, expect, it } from 'vitest';
import { batteryChanges } from './battery-changes.ts';

const always = { from: 0, to: 1000 };
const row = (at: number, how: 'battery' | 'unit', by = 'Ann') => ({ at: new Date(at), how, by });
const summary = (...args: Parameters<typeof batteryChanges>) =>
  batteryChanges(...args).map(({ at, how, by }) => `${Date.parse(at)} ${how} ${by}`);

describe('changes of a battery', () => {
  it('are those of the history from when the unit came here', () => {
    const rows = [row(1, 'battery'), row(2, 'unit'), row(3, 'battery'), row(4, 'unit'), row(5, 'battery')];
    expect(summary(rows, 5, always)).toEqual(['4 unit Ann', '5 battery Ann']);
    expect(summary([row(1, 'battery'), row(3, 'battery')], 3, always)).toEqual([
      '1 battery Ann',
      '3 battery Ann',
    ]);
  });

  it('have what only the record knows', () => {
    expect(summary([], 7, always)).toEqual(['7 battery ']);
    expect(summary([row(8, 'unit')], 7, always)).toEqual(['7 battery ', '8 unit Ann']);
    expect(summary([], null, always)).toEqual([]);
  });

  it('lie in the range', () => {
    const rows = [row(1, 'battery'), row(2, 'battery'), row(3, 'battery')];
    expect(summary(rows, 3, { from: 2, to: 3 })).toEqual(['2 battery Ann']);
  });
});
