import type { et0Sources, rainSources } from '@headrace/contract/irrigation-advice';
import type { KnownDay } from '@headrace/contract/rules/schedule/water-balance';
import type { AppliedRow, WeatherRow } from './advice.repo.ts';

const DAY = 86_400_000;

/** YYYY-MM-DD, so many days on. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);

/** Each day from one to another, both included. */
export function daysFrom(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = dayAfter(day)) days.push(day);
  return days;
}

/** A day's weather, and where each number comes from. */
export interface DayWeather {
  readonly et0Mm: number | null;
  readonly et0From: (typeof et0Sources)[number] | null;
  readonly rainMm: number | null;
  readonly rainFrom: (typeof rainSources)[number] | null;
  readonly forecastMm: number | null;
}

export interface WeatherFacts {
  readonly rows: readonly WeatherRow[];
  /** mm by day, of the farm's gauge. */
  readonly gauge: ReadonlyMap<string, number>;
  readonly usualEt0Mm: number | null;
}

/** What a person entered counts before what was measured, and that before what was forecast for the day; rain that was forecast never does. */
export function weatherOf({ rows, gauge, usualEt0Mm }: WeatherFacts): (day: string) => DayWeather {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  return (day) => {
    const row = byDay.get(day);
    const measured = gauge.get(day) ?? null;
    const entered = row?.enteredEt0Mm ?? null;
    const forecast = row?.et0Mm ?? null;
    const et0Mm = entered ?? forecast ?? usualEt0Mm;
    const et0From = entered !== null ? 'entered' : forecast !== null ? 'forecast' : 'usual';
    const enteredRain = row?.enteredRainMm ?? null;
    const rainMm = enteredRain ?? measured;
    return {
      et0Mm,
      et0From: et0Mm === null ? null : et0From,
      rainMm,
      rainFrom: rainMm === null ? null : enteredRain !== null ? 'entered' : 'gauge',
      forecastMm: row?.rainMm ?? null,
    };
  };
}

/** The days of a group, as its balance takes them. */
export function knownDays(
  days: readonly string[],
  weather: (day: string) => DayWeather,
  applied: ReadonlyMap<string, AppliedRow>,
): KnownDay[] {
  return days.map((day) => {
    const { et0Mm, rainMm } = weather(day);
    const given = applied.get(day);
    return { day, et0Mm, rainMm, appliedMm: given?.mm ?? null, mostMm: given?.mostMm ?? null };
  });
}
