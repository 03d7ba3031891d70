import { describe, expect, it } from 'vitest';
import type { TakeAccount } from './account.ts';
import { DAY_MS, QUARTER_MS, standardTime, takeDayAt } from './clock.ts';
import type { TakeRow } from './rows.ts';
import { useNow } from './use-now.ts';

const time = standardTime({ rawOffset: 43_200 });
const day = (text: string) => takeDayAt(time, text) ?? 0;
/** Each quarter of days that follow each other has 9 m³, which are 10 L/s. */
const rows = (from: number, to: number): TakeRow[] =>
  Array.from({ length: (to - from) / QUARTER_MS }, (_none, nth) => ({
    end: from + (nth + 1) * QUARTER_MS,
    m3: 9,
    known: 9,
    state: 'measured',
    before: null,
    after: null,
  }));
const accountOf = (from: number, to: number, limits: object = {}): TakeAccount => ({
  time,
  take: {
    maxLps: null,
    maxM3Day: 1000,
    maxM37Day: null,
    maxM3Year: 10_000,
    validFrom: null,
    validTo: null,
    restrictions: [],
    meters: [],
    readings: [],
    ...limits,
  },
  volumes: { places: [], rows: rows(from, to), until: to, accuracy: 0.05, others: new Set() },
  range: { from, to },
  notes: [],
  outages: [],
  keptSince: 0,
});

describe('what is used and left', () => {
  const from = day('2026-06-27');
  const last = day('2026-06-30');

  it('of a day that is over has its last quarter: 96 × 9 = 864 m³', () => {
    const asOf = last + DAY_MS - 1;
    // The consent, the day and the water year all end with it.
    const { today, sevenDays, year, consent } = useNow(
      accountOf(from, last + DAY_MS, { validTo: '2026-06-30' }),
      asOf,
    );
    expect(consent).toBe('valid');
    expect(today).toMatchObject({ used: 864, left: 136, isWhole: true });
    expect(sevenDays.used).toBe(4 * 864);
    expect(year).toMatchObject({ used: 4 * 864, left: 10_000 - 4 * 864 });
  });

  it('of a day that goes on has the quarters that are over, and none of a later day', () => {
    const noon = last + DAY_MS / 2;
    const heard = { ...accountOf(from, last + DAY_MS) };
    expect(useNow(heard, noon).today.used).toBe(48 * 9);
    expect(useNow(heard, noon + QUARTER_MS / 2).today.used).toBe(48 * 9);
    expect(useNow(accountOf(from, last + 2 * DAY_MS), last + DAY_MS - 1).today.used).toBe(864);
  });
});
