import type { Timezone } from '@headrace/contract/farms';
import { addDays, hourStart } from '@headrace/contract/rules/farm-time';
import { median } from '@headrace/contract/rules/spread';
import { batteryPercent, isValidLevel, levelPercent, type TankShape } from '@headrace/contract/rules/tank';
import type { BatteryPoint, LevelPoint } from '@headrace/contract/tanks';
import type { Rollup, Span } from './rollup-query.ts';

const HOUR = 3_600_000;
const LENGTH: Record<Span, number> = { hour: HOUR, day: 24 * HOUR };

export const isoTime = (at: number) => new Date(at).toISOString();
/** Two decimals are more than any of these sensors can see. */
export const rounded = (value: number) => Math.round(value * 100) / 100;
export const meanOf = (row: Rollup) => row.sum / row.n;

/** Mean of an hour or day; where some of its readings can't be, the newest that is known and can; null when none is. */
export function meanOfValid(row: Rollup, isValid: (value: number) => boolean): number | null {
  if (isValid(row.min) && isValid(row.max)) return meanOf(row);
  if (isValid(row.lastValue)) return row.lastValue;
  return isValid(row.firstValue) ? row.firstValue : null;
}

interface Point {
  at: number;
  percent: number;
}

/**
 * Level in percent with gaps filled. A gap is longer than twice the expected interval: the device's own (ms) where it is
 * known, else the usual distance of these points, and never less than an hour or day of the chart. Nothing is made up
 * before the first or after the last measured point.
 */
export function levelPoints(
  zone: Timezone,
  span: Span,
  shape: TankShape,
  rows: readonly Rollup[],
  deviceInterval: number | null,
): LevelPoint[] {
  const measured = rows.flatMap((row): Point[] => {
    const percent = percentOf(shape, row);
    return percent === null ? [] : [{ at: row.at, percent }];
  });
  const interval = Math.max(LENGTH[span], deviceInterval ?? usualDistance(measured));
  return measured.flatMap((point, index) => {
    const before = measured[index - 1];
    const isGap = before && point.at - before.at > 2 * interval;
    const between = isGap ? fill(zone, span, interval, before, point) : [];
    return [...between, toLevelPoint(point, false)];
  });
}

export const percentOf = (shape: TankShape, row: Rollup): number | null =>
  levelPercent(
    shape,
    meanOfValid(row, (mm) => isValidLevel(shape, mm)),
  );

function usualDistance(points: readonly Point[]): number {
  return median(points.slice(1).map((point, index) => point.at - (points[index]?.at ?? point.at))) ?? 0;
}

function fill(zone: Timezone, span: Span, interval: number, from: Point, to: Point): LevelPoint[] {
  const steps = Math.max(1, Math.round(interval / LENGTH[span]));
  const next = (at: number) =>
    span === 'day' ? addDays(zone, at, steps) : hourStart(zone, at + steps * LENGTH.hour);
  const points: LevelPoint[] = [];
  for (let at = next(from.at); at < to.at; at = next(at)) {
    const share = (at - from.at) / (to.at - from.at);
    points.push(toLevelPoint({ at, percent: from.percent + share * (to.percent - from.percent) }, true));
  }
  return points;
}

const toLevelPoint = ({ at, percent }: Point, generated: boolean): LevelPoint => ({
  time: isoTime(at),
  value: rounded(percent),
  generated,
});

/** Mean voltage, its percentage, and whether the charger worked at any time in that hour or day. */
export function batteryPoints(volts: readonly Rollup[], charging: readonly Rollup[]): BatteryPoint[] {
  const chargedAt = new Map(charging.map((row) => [row.at, row.max > 0]));
  return volts.map((row) => {
    const voltage = meanOf(row);
    const percent = batteryPercent(voltage);
    return {
      time: isoTime(row.at),
      value: percent === null ? null : rounded(percent),
      voltage: rounded(voltage),
      charging: chargedAt.get(row.at) ?? null,
    };
  });
}
