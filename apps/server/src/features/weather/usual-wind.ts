import type { SourceDay } from './weather-driver.ts';

const HOURS = 24;
/** Of fewer days nothing is usual. */
const FEWEST_DAYS = 3;

/** km/h at each hour of the day, the middle of these days; null where an hour is known of too few of them. */
export function usualWind(days: readonly Pick<SourceDay, 'wind'>[]): number[] | null {
  const byHour = Array.from({ length: HOURS }, (_, hour) =>
    middle(days.flatMap(({ wind }) => wind[hour] ?? [])),
  );
  return byHour.every((kmh) => kmh !== null) ? byHour : null;
}

function middle(values: readonly number[]): number | null {
  if (values.length < FEWEST_DAYS) return null;
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? null;
}
