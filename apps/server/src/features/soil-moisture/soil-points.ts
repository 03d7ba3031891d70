import type { SoilReading } from '@headrace/contract/soil-moisture';
import { isValidTension, tipsOfMm } from '@headrace/contract/rules/soil-moisture';
import type { DeviceRow } from '../../db/schema.ts';
import { isPossible } from '@headrace/contract/rules/metric-limits';
import { isoTime } from '@headrace/contract/rules/iso-time';
import { meanOfValid, rounded } from '../series/row-values.ts';
import type { Rollup, RollupSeries } from '../series/rollup-query.ts';
import { namesOf, type SoilMetric } from './soil-site.ts';

/** A site's readings, hours or days of one metric; null: it never reported it. */
export type SoilSeries = (metric: SoilMetric) => RollupSeries | null;

/** How each kind of gauge tells of rain: the totals first, since they miss no lost message. */
const gauges = [
  { metric: 'rainTipsTotal', tips: ({ rises }: Rollup) => rises },
  { metric: 'rainTips', tips: ({ sum }: Rollup) => sum },
  { metric: 'rainTotalMm', tips: ({ rises }: Rollup) => tipsOfMm(rises) },
  { metric: 'rainMm', tips: ({ sum }: Rollup) => tipsOfMm(sum) },
] as const;

interface Rain {
  tips: number;
  lastAt: number;
}

/** Tips of 0.2 mm by reading, hour or day (start, epoch ms): of the first gauge that tells of it, and what was added to it. */
export function rainOf(series: SoilSeries): Map<number, Rain> {
  const rain = new Map<number, Rain>();
  for (const { metric, tips } of gauges.toReversed())
    for (const row of series(metric)?.rows ?? []) rain.set(row.at, { tips: tips(row), lastAt: row.lastAt });
  for (const { at, sum, lastAt } of series('rainTipsAdded')?.rows ?? []) {
    const told = rain.get(at);
    rain.set(at, { tips: (told?.tips ?? 0) + sum, lastAt: Math.max(told?.lastAt ?? 0, lastAt) });
  }
  return rain;
}

/**
 * The day (its start, epoch ms) on which the gauge spoke last, where that isn't one that a person added rain to: of what fell after its
 * last word nothing is known until it speaks again. Null: it has spoken since, after these days.
 */
export function lastDayOfGauge(series: SoilSeries): { at: number; lastAt: number } | null {
  const told = gauges.flatMap(({ metric }) => series(metric) ?? []);
  if (told.some(({ after }) => after !== null)) return null;
  const last = told
    .flatMap(({ rows }) => rows.at(-1) ?? [])
    .reduce<Rollup | null>((newest, row) => (newest && newest.lastAt >= row.lastAt ? newest : row), null);
  const isAdded = series('rainTipsAdded')?.rows.some(({ at }) => at === last?.at) ?? false;
  return last && !isAdded ? { at: last.at, lastAt: last.lastAt } : null;
}

const probes = [
  ['swp1', 'swp1Kpa'],
  ['swp2', 'swp2Kpa'],
] as const;
/** Drawn where a site has them. */
const moreProbes = [
  ['swp3', 'swp3Kpa'],
  ['swp4', 'swp4Kpa'],
] as const;

/** What a site said, oldest first: means of temperature and tension, tips summed. What it didn't say at a time is null. */
export function soilPoints(device: Pick<DeviceRow, 'uid' | 'settings'>, series: SoilSeries): SoilReading[] {
  const names = namesOf(device);
  const rain = rainOf(series);
  const means = (metric: SoilMetric, isValid: (value: number) => boolean) => {
    const rows = series(metric)?.rows ?? [];
    return new Map(rows.map((row) => [row.at, meanOfValid(row, isValid)]));
  };
  const temperature = means('temperatureC', isPossible('temperatureC'));
  const columns = [...probes, ...moreProbes.filter(([, metric]) => series(metric))].map(
    ([name, metric]) => [name, means(metric, isValidTension)] as const,
  );
  const times = [temperature, rain, ...columns.map(([, values]) => values)].flatMap((values) => [
    ...values.keys(),
  ]);
  const at = (values: Map<number, number | null>, time: number) => {
    const value = values.get(time) ?? null;
    return value === null ? null : rounded(value);
  };
  return [...new Set(times)]
    .toSorted((a, b) => a - b)
    .map((time) => ({
      id: `${device.uid}-${time}`,
      dateTime: isoTime(time),
      temperature: at(temperature, time),
      rainfall: roundedTips(rain.get(time)?.tips ?? null),
      swp1: null,
      swp2: null,
      ...Object.fromEntries(columns.map(([name, values]) => [name, at(values, time)])),
      ...names,
    }));
}

/** Gauges that tell mm have parts of tips. */
const roundedTips = (tips: number | null) => (tips === null ? null : rounded(tips));
