import { describe, expect, it } from 'vitest';
import { type KeptBackup, tooMany } from './kept-backups.ts';

const now = new Date('2026-11-20T15:10:00Z');
const DAY_MS = 86_400_000;
const agoDays = (days: number) => new Date(now.getTime() - days * DAY_MS);
const backup = (cause: KeptBackup['cause'], days: number): KeptBackup => ({
  id: days,
  uid: `${days}`,
  cause,
  createdAt: agoDays(days),
});
const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_none, n) => from + n);
const goneOf = (backups: readonly KeptBackup[]) => tooMany(backups, now).toSorted((a, b) => a - b);

describe('backups that go', () => {
  it('are none while there are few', () => {
    expect(goneOf(days(0, 6).map((ago) => backup('night', ago)))).toEqual([]);
  });

  it('are nights beyond seven, but for the newest of each week and month', () => {
    // Weeks begin on Thursdays, as days are counted from 1 January 1970: 19, 12, 5 November and 29 October. Months: 31 October is the newest.
    const nights = days(0, 30).map((ago) => backup('night', ago));
    const kept = [0, 1, 2, 3, 4, 5, 6, 2, 9, 16, 20];
    expect(goneOf(nights)).toEqual(days(0, 30).filter((ago) => !kept.includes(ago)));
  });

  it('are those from before an import that can no longer be undone', () => {
    expect(goneOf([backup('before', 30), backup('before', 31)])).toEqual([31]);
  });

  it('are those from before a change beyond the newest five, and no night for twenty of them', () => {
    const nights = days(30, 40).map((ago) => backup('night', ago));
    const before = days(0, 19).map((ago) => backup('before', ago));
    // 30 to 36 are the last seven, and 37, 14 October, is the newest of its week.
    expect(goneOf([...nights, ...before])).toEqual([...days(5, 19), ...days(38, 40)]);
  });

  it('are older ones from before a change ahead of any night, but never the newest of them', () => {
    const own = days(100, 112).map((ago) => backup('person', ago));
    const nights = days(5, 11).map((ago) => backup('night', ago));
    const before = days(0, 4).map((ago) => backup('before', ago));
    expect(goneOf([...own, ...nights, ...before])).toEqual([1, 2, 3, 4, 11]);
  });

  it('are the oldest that were made by themselves beyond twenty, and never a person’s own', () => {
    const own = days(100, 114).map((ago) => backup('person', ago));
    const before = days(1, 8).map((ago) => backup('before', ago));
    expect(goneOf([...own, ...before])).toEqual([6, 7, 8]);
  });

  it('are neither the newest night nor the one that is being restored', () => {
    const own = days(100, 114).map((ago) => backup('person', ago));
    const before = days(1, 6).map((ago) => backup('before', ago));
    const nights = [backup('night', 20), backup('night', 21)];
    expect(tooMany([...own, ...before, ...nights], now, '21').toSorted((a, b) => a - b)).toEqual([4, 5, 6]);
  });
});
