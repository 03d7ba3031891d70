import type { AnnexMonth, AnnexRain } from '../plan-annex.ts';

/** Days are YYYY-MM-DD. */
export interface GivenDay {
  readonly day: string;
  readonly mm: number;
  readonly mostMm: number;
  readonly notKnown: number;
}

/** A group's days, and how dry its soil was when its first watering of a day began, kPa; null or none: nothing tells. */
export interface GroupDays {
  readonly groupUID: string;
  readonly given: ReadonlyMap<string, GivenDay>;
  readonly kpaAtStart: ReadonlyMap<string, number | null>;
  readonly refillKpa: number | null;
}

/** Their days, YYYY-MM-DD in order, by calendar month. */
export function byMonth(days: readonly string[]): string[][] {
  const months: string[][] = [];
  for (const day of days) {
    const last = months.at(-1);
    if (last?.[0]?.slice(0, 7) === day.slice(0, 7)) last.push(day);
    else months.push([day]);
  }
  return months;
}

const spanOf = (days: readonly string[]) => ({
  from: days[0] ?? '',
  to: days.at(-1) ?? '',
  days: days.length,
});
const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/**
 * What a group was given in each month. Only days on which the farm was heard count: of the others "0 mm" would be silence. A group waters in
 * turns: its watering of a day begins with the first of them, and that is when its soil is looked at. Soil is wetter than its refill
 * point while its tension is below it.
 */
export function groupMonths(
  days: readonly string[],
  heard: ReadonlySet<string>,
  { groupUID, given, kpaAtStart, refillKpa }: GroupDays,
): AnnexMonth[] {
  return byMonth(days).map((of) => {
    const known = of.flatMap((day) => (heard.has(day) ? (given.get(day) ?? []) : []));
    const watered = known.filter(({ mm }) => mm > 0);
    const read = watered.flatMap(({ day }) => kpaAtStart.get(day) ?? []);
    return {
      groupUID,
      ...spanOf(of),
      known: known.length,
      mm: known.length === 0 ? null : sumOf(known.map(({ mm }) => mm)),
      mostMm: known.length === 0 ? null : sumOf(known.map(({ mostMm }) => mostMm)),
      notKnown: sumOf(known.map(({ notKnown }) => notKnown)),
      wateringDays: watered.length,
      read: read.length,
      kpa: read.length === 0 ? null : sumOf(read) / read.length,
      wetter: refillKpa === null ? null : read.filter((kpa) => kpa < refillKpa).length,
    };
  });
}

/** Rain by month; mm by day, null or none: nobody measured it. */
export const rainMonths = (days: readonly string[], rain: (day: string) => number | null): AnnexRain[] =>
  byMonth(days).map((of) => {
    const known = of.flatMap((day) => rain(day) ?? []);
    return { ...spanOf(of), known: known.length, mm: known.length === 0 ? null : sumOf(known) };
  });
