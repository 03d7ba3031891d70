/** A day of a tank. */
export interface TankDay {
  /** The farm's day, YYYY-MM-DD. */
  readonly day: string;
  /** Of what was read on it, % of its capacity; null: nothing was, or nothing that can be. */
  readonly lowest: number | null;
  readonly highest: number | null;
  /** Litres that left it; null: not known. */
  readonly used: number | null;
  readonly source: 'meter' | 'level' | null;
  /** Nothing was read on the day: its share of what left over a longer time. */
  readonly isShared: boolean;
}

export interface TankDays {
  readonly uid: string;
  readonly name: string;
  /** All days that were asked for, the oldest first. */
  readonly days: readonly TankDay[];
}

export interface TankSum {
  /** Days on which a level was read. */
  readonly heard: number;
  readonly lowest: number | null;
  readonly highest: number | null;
  /** Of the days of which it is known; null: of none. */
  readonly used: number | null;
  readonly usedDays: number;
  readonly sharedDays: number;
}

/** What days come to; a day of which nothing is known counts for nothing. */
export function tankSum(days: readonly TankDay[]): TankSum {
  const known = days.flatMap(({ used }) => used ?? []);
  const ends = (of: (day: TankDay) => number | null) => days.flatMap((day) => of(day) ?? []);
  const [lows, highs] = [ends(({ lowest }) => lowest), ends(({ highest }) => highest)];
  return {
    heard: lows.length,
    lowest: lows.length === 0 ? null : Math.min(...lows),
    highest: highs.length === 0 ? null : Math.max(...highs),
    used: known.length === 0 ? null : known.reduce((sum, litres) => sum + litres, 0),
    usedDays: known.length,
    sharedDays: days.filter(({ isShared }) => isShared).length,
  };
}
