import type { Timezone } from '@headrace/contract/farms';
import { addDays, dayStart, hourStart } from '@headrace/contract/rules/farm-time';
import { isValidTension, mmOfTips, type SoilProbe, soilProbes } from '@headrace/contract/rules/soil-moisture';
import type { SoilReading } from '@headrace/contract/soil-moisture';
import { withGaps, type Point } from './gaps.ts';

export type SoilSpan = 'reading' | 'hour' | 'day';

/** An hour's or a day's rain; `start` and `end` in epoch ms. */
export interface RainBin {
  start: number;
  end: number;
  mm: number;
}

export interface SoilRow {
  at: number;
  tensions: Record<SoilProbe, number | null>;
  /** Of sensors 1 and 2, where both are known. */
  average: number | null;
  temperature: number | null;
  /** mm since the first moment shown; null where the gauge said nothing. */
  accumulated: number | null;
}

export interface SoilSeries {
  span: SoilSpan;
  rows: readonly SoilRow[];
  /** Empty where only days are known. */
  rainHours: readonly RainBin[];
  rainDays: readonly RainBin[];
  /** Highest of any probe, kPa; null when none was valid. */
  peak: number | null;
}

const HOUR = 3_600_000;

/** What a site's readings say, ready to draw: tensions that can be none are gaps, tips are millimetres. */
export function soilSeries(readings: readonly SoilReading[], span: SoilSpan, zone: Timezone): SoilSeries {
  let tips = 0;
  const rows = readings.map((reading): SoilRow => {
    const tensions = tensionsOf(reading);
    const { swp1, swp2 } = tensions;
    tips += reading.rainfall ?? 0;
    return {
      at: Date.parse(reading.dateTime),
      tensions,
      average: swp1 === null || swp2 === null ? null : (swp1 + swp2) / 2,
      temperature: reading.temperature,
      accumulated: reading.rainfall === null ? null : twoDecimals(mmOfTips(tips)),
    };
  });
  const rain = readings.flatMap(({ dateTime, rainfall }) =>
    rainfall === null ? [] : [{ at: Date.parse(dateTime), tips: rainfall }],
  );
  const valid = rows.flatMap(({ tensions }) => soilProbes.flatMap((probe) => tensions[probe] ?? []));
  return {
    span,
    rows,
    rainHours:
      span === 'day'
        ? []
        : rainBins(rain, (at) => {
            const start = hourStart(zone, at);
            return { start, end: start + HOUR };
          }),
    rainDays: rainBins(rain, (at) => {
      const start = dayStart(zone, at);
      return { start, end: addDays(zone, start, 1) };
    }),
    peak: valid.length === 0 ? null : valid.reduce((a, b) => Math.max(a, b)),
  };
}

function tensionsOf(reading: SoilReading): Record<SoilProbe, number | null> {
  const of = (probe: SoilProbe) => {
    const kpa = reading[probe];
    return isValidTension(kpa) ? kpa : null;
  };
  return { swp1: of('swp1'), swp2: of('swp2'), swp3: of('swp3'), swp4: of('swp4') };
}

/** Rain by the farm's hours or days, in order of time. An hour of which nothing is known is absent; a dry one has 0. */
function rainBins(
  rain: readonly { at: number; tips: number }[],
  binOf: (at: number) => { start: number; end: number },
): RainBin[] {
  const bins: { start: number; end: number; tips: number }[] = [];
  for (const { at, tips } of rain) {
    const last = bins.at(-1);
    if (last && at >= last.start && at < last.end) last.tips += tips;
    else bins.push({ ...binOf(at), tips });
  }
  return bins.map(({ start, end, tips }) => ({ start, end, mm: twoDecimals(mmOfTips(tips)) }));
}

const twoDecimals = (value: number) => Math.round(value * 100) / 100;

/** A line of one of the rows' values, broken where nothing is known. */
export const lineOf = (rows: readonly SoilRow[], of: (row: SoilRow) => number | null): Point[] =>
  withGaps(rows.map((row) => [row.at, of(row)]));

/** Bins as the outline of columns that are exactly as wide as their time, days of 23 and 25 hours too. */
export function columnsOf(bins: readonly RainBin[], inset = 0.08): Point[] {
  return bins.flatMap(({ start, end, mm }): Point[] => {
    if (mm === 0) return [];
    const pad = (end - start) * inset;
    return [
      [start + pad, mm],
      [end - pad, mm],
      [end - pad, null],
    ];
  });
}
