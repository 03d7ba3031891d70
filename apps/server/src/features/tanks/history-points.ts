import type { Timezone } from '@headrace/contract/farms';
import { addDays, hourStart } from '@headrace/contract/rules/farm-time';
import { isPossible } from '@headrace/contract/rules/metric-limits';
import { median } from '@headrace/contract/rules/spread';
import { batteryPercent, isValidLevel, levelPercent, type TankShape } from '@headrace/contract/rules/tank';
import type { BatteryPoint, LevelPoint } from '@headrace/contract/tanks';
import { isoTime } from '@headrace/contract/rules/iso-time';
import { extremesOfValid, meanOfValid, rounded } from '../series/row-values.ts';
import type { Rollup, Span } from '../series/rollup-query.ts';

const HOUR = 3_600_000;
const LENGTH: Record<Span, number> = { hour: HOUR, day: 24 * HOUR };

interface Point {
  at: number;
  percent: number;
}
/** What was read, not filled in. */
interface MeasuredPoint extends Point {
  lowest: number | null;
  highest: number | null;
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
  const measured = rows.flatMap((row): MeasuredPoint[] => {
    const percent = percentOf(shape, row);
    if (percent === null) return [];
    const mm = extremesOfValid(row, (value) => isValidLevel(shape, value));
    const [lowest, highest] = [mm?.lowest ?? null, mm?.highest ?? null].map((one) =>
      levelPercent(shape, one),
    );
    return [{ at: row.at, percent, lowest: lowest ?? null, highest: highest ?? null }];
  });
  const interval = Math.max(LENGTH[span], deviceInterval ?? usualDistance(measured));
  return measured.flatMap((point, index) => {
    const before = measured[index - 1];
    const isGap = before && point.at - before.at > 2 * interval;
    const between = isGap ? fill(zone, span, interval, before, point) : [];
    return [...between, measuredPoint(point)];
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
    points.push(filledPoint({ at, percent: from.percent + share * (to.percent - from.percent) }));
  }
  return points;
}

const roundedOrNull = (value: number | null) => (value === null ? null : rounded(value));

const measuredPoint = ({ at, percent, lowest, highest }: MeasuredPoint): LevelPoint => ({
  time: isoTime(at),
  value: rounded(percent),
  lowest: roundedOrNull(lowest),
  highest: roundedOrNull(highest),
  generated: false,
});

const filledPoint = ({ at, percent }: Point): LevelPoint => ({
  time: isoTime(at),
  value: rounded(percent),
  lowest: null,
  highest: null,
  generated: true,
});

/** Mean and lowest voltage with their percentages, and whether the charger worked at any time in that hour or day. */
export function batteryPoints(volts: readonly Rollup[], charging: readonly Rollup[]): BatteryPoint[] {
  const chargedAt = new Map(charging.map((row) => [row.at, row.max > 0]));
  return volts.flatMap((row) => {
    const voltage = meanOfValid(row, isVoltage);
    const lowest = extremesOfValid(row, isVoltage)?.lowest;
    if (voltage === null || lowest === undefined) return [];
    return [
      {
        time: isoTime(row.at),
        value: roundedOrNull(batteryPercent(voltage)),
        voltage: rounded(voltage),
        lowest: roundedOrNull(batteryPercent(lowest)),
        lowestVoltage: rounded(lowest),
        charging: chargedAt.get(row.at) ?? null,
      },
    ];
  });
}
const isVoltage = isPossible('batteryV');
