import type { RadioDay } from '../radio-health.ts';

/** Days put together. Null: nothing is known of it. */
export interface RadioFigures {
  /** A day (YYYY-MM-DD) or month (YYYY-MM). */
  readonly name: string;
  readonly asked: number;
  /** % of the units that were asked. */
  readonly answered: number | null;
  /** For each unit that was asked. */
  readonly tries: number | null;
  /** s for each answer while others waited. */
  readonly seconds: number | null;
  readonly hops: number | null;
}

const ratio = (sum: number, count: number): number | null => (count === 0 ? null : sum / count);

function figuresOf(name: string, days: readonly RadioDay[]): RadioFigures {
  const sum = (of: Exclude<keyof RadioDay, 'day'>) => days.reduce((all, day) => all + day[of], 0);
  const asked = sum('answered') + sum('silent');
  const share = ratio(sum('answered'), asked);
  return {
    name,
    asked,
    answered: share === null ? null : share * 100,
    tries: ratio(sum('tries'), sum('triedUnits')),
    seconds: ratio(sum('busyS'), sum('busyUnits')),
    hops: ratio(sum('hops'), sum('hopsUnits')),
  };
}

/** The newest first. */
export function radioFigures(days: readonly RadioDay[], by: 'day' | 'month'): RadioFigures[] {
  const names = new Map<string, RadioDay[]>();
  for (const one of days) {
    const name = by === 'day' ? one.day : one.day.slice(0, 7);
    names.set(name, [...(names.get(name) ?? []), one]);
  }
  return [...names]
    .toSorted(([one], [other]) => other.localeCompare(one))
    .map(([name, of]) => figuresOf(name, of));
}
