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
  /** It is known of all of the day: it is over, and was heard at both of its ends. */
  readonly isWhole: boolean;
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
  /** Litres a day, of the days of which all is known; null: of none. */
  readonly mean: number | null;
}

/** What days come to; a day of which nothing is known counts for nothing. */
export function tankSum(days: readonly TankDay[]): TankSum {
  const known = days.flatMap(({ used }) => used ?? []);
  const whole = days.filter(({ isWhole }) => isWhole).flatMap(({ used }) => used ?? []);
  const ends = (of: (day: TankDay) => number | null) => days.flatMap((day) => of(day) ?? []);
  const [lows, highs] = [ends(({ lowest }) => lowest), ends(({ highest }) => highest)];
  return {
    heard: lows.length,
    lowest: lows.length === 0 ? null : Math.min(...lows),
    highest: highs.length === 0 ? null : Math.max(...highs),
    used: known.length === 0 ? null : added(known),
    usedDays: known.length,
    sharedDays: days.filter(({ isShared }) => isShared).length,
    mean: whole.length === 0 ? null : added(whole) / whole.length,
  };
}

const added = (litres: readonly number[]) => litres.reduce((sum, one) => sum + one, 0);
