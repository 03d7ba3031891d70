import type { Timezone } from '@headrace/contract/farms';
import type { PreviewFigures, SchedulePreview } from '@headrace/contract/preview';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { busyTimes } from '@headrace/contract/rules/schedule/busy-times';
import { farmMinute } from '@headrace/contract/rules/schedule/clock-seams';
import { minutesIn } from '@headrace/contract/rules/schedule/hours-share';
import { occurrences } from '@headrace/contract/rules/schedule/occurrences';
import { DAY_MINUTES } from '@headrace/contract/rules/schedule/plan';
import { plannedFlow } from '@headrace/contract/rules/schedule/planned-flow';
import {
  entryOf,
  type LineRun,
  type WhatIf,
  type WhatIfRuns,
  whatIf,
} from '@headrace/contract/rules/schedule/what-if';
import type { SupplyTime } from '@headrace/contract/supply';
import { groupBy } from '../../group-by.ts';
import type { LineUnit } from './turn-units.ts';

const MINUTE = 60_000;
const STEP_MS = 15 * MINUTE;

/** A watering with what it gives. Epoch ms. */
interface Watering {
  readonly unit: string;
  readonly line: string;
  readonly startAt: number;
  readonly endAt: number;
  readonly lps: number;
  readonly mmPerMin: number;
}

export interface PreviewChange extends WhatIf {
  readonly skipToday: boolean;
  /** Epoch ms. */
  readonly hold: { readonly line: string; readonly until: number } | null;
}

export interface PreviewTime {
  readonly zone: Timezone;
  /** When water may be taken, as the farm's supply has it. */
  readonly windows: readonly SupplyTime[];
  readonly from: number;
  readonly days: number;
  readonly now: number;
}

export type Previewed =
  | { readonly ok: true; readonly preview: Omit<SchedulePreview, 'farmUID'> }
  | Extract<WhatIfRuns, { ok: false }>;

/** What is now, and what would be. Units of cycles of other lengths are reckoned by themselves. */
export function previewOf(units: readonly LineUnit[], change: PreviewChange, time: PreviewTime): Previewed {
  const before: Watering[] = [];
  const after: Watering[] = [];
  const to = addDays(time.zone, time.from, time.days);
  for (const sameCycle of groupBy(units.filter(hasEntries), cycleOf)) {
    const cycleDays = sameCycle[0] ? cycleOf(sameCycle[0]) : 1;
    const runs = sameCycle.flatMap(runsOf);
    const tried = whatIf(runs, cycleDays * DAY_MINUTES, change);
    if (!tried.ok) return tried;
    const ratesOf = new Map(sameCycle.map((unit) => [unit.status.id, unit]));
    before.push(...wateringsOf(runs, cycleDays, ratesOf, { ...time, to }));
    after.push(...wateringsOf(tried.runs, cycleDays, ratesOf, { ...time, to }));
  }
  const kept = after.filter((watering) => !isLeftOut(watering, change, time));
  const lines = groupBy(kept, ({ line }) => line).map((ofLine) => ({
    id: ofLine[0]?.line ?? '',
    busy: busyTimes(
      ofLine.map((watering) => ({ ...watering, sign: 'will' as const })),
      (to - time.from) / 400,
    ).map(({ startAt, endAt, turns }) => ({ startAt, endAt, turns })),
  }));
  const figures = (waterings: readonly Watering[]) => figuresOf(waterings, units, { ...time, to });
  return {
    ok: true,
    preview: { from: time.from, to, lines, before: figures(before), after: figures(kept) },
  };
}

const spanOf = ({ held }: LineUnit) => held.at(-1);
const hasEntries = (unit: LineUnit) => (spanOf(unit)?.entries ?? []).length > 0;
const cycleOf = (unit: LineUnit) => spanOf(unit)?.cycleDays ?? 1;

const runsOf = (unit: LineUnit): LineRun[] =>
  (spanOf(unit)?.entries ?? []).map(({ start, duration, cycle }) => ({
    unit: unit.status.id,
    line: unit.line,
    start: (cycle - 1) * DAY_MINUTES + start,
    duration,
  }));

function wateringsOf(
  runs: readonly LineRun[],
  cycleDays: number,
  unitOf: ReadonlyMap<string, LineUnit>,
  { zone, from, to }: PreviewTime & { readonly to: number },
): Watering[] {
  return runs.flatMap((run) => {
    const { lps = 0, mmPerMin = 0 } = unitOf.get(run.unit) ?? {};
    const { unit, line } = run;
    return occurrences({ entries: [entryOf(run)], cycleDays }, zone, from, to).map(({ startAt, endAt }) => ({
      unit,
      line,
      startAt,
      endAt,
      lps,
      mmPerMin,
    }));
  });
}

function isLeftOut(
  { line, startAt }: Watering,
  { skipToday, hold }: PreviewChange,
  { zone, now }: PreviewTime,
): boolean {
  const isToday = skipToday && dayStart(zone, startAt) === dayStart(zone, now) && startAt >= now;
  return isToday || (hold !== null && hold.line === line && startAt < hold.until);
}

function figuresOf(
  waterings: readonly Watering[],
  units: readonly LineUnit[],
  { zone, from, to, days, windows }: PreviewTime & { readonly to: number },
): PreviewFigures {
  const steps = { from, stepMs: STEP_MS, steps: Math.ceil((to - from) / STEP_MS) };
  const minutes = ({ startAt, endAt }: Watering) => (endAt - startAt) / MINUTE;
  const starts = Array.from({ length: days + 1 }, (_, day) => addDays(zone, from, day));
  const mm = groupBy(units, ({ line }) => line).map((ofLine) => {
    const line = ofLine[0]?.line ?? '';
    const own = waterings.filter((watering) => watering.line === line);
    const onDay = (day: number) =>
      own.filter(({ startAt }) => startAt >= (starts[day] ?? 0) && startAt < (starts[day + 1] ?? 0));
    const mean = (some: readonly Watering[]) =>
      some.reduce((sum, watering) => sum + minutes(watering) * watering.mmPerMin, 0) / ofLine.length;
    return { line, days: Array.from({ length: days }, (_, day) => rounded(mean(onDay(day)))) };
  });
  return {
    peakLps: Math.max(0, ...plannedFlow(waterings, steps)),
    endAt: waterings.length === 0 ? null : waterings.reduce((last, { endAt }) => Math.max(last, endAt), 0),
    litres: Math.round(waterings.reduce((sum, one) => sum + litresIn(one, minutes(one)), 0)),
    hours: windows.map((window) => ({ ...window, share: shareIn(window, waterings, zone) })),
    mm: mm.toSorted((one, other) => compareNatural(one.line, other.line)),
  };
}

const litresIn = ({ lps }: Watering, minutes: number) => minutes * 60 * lps;

/** Of their water, how much runs in these hours of the farm's day. */
function shareIn(window: SupplyTime, waterings: readonly Watering[], zone: Timezone): number | null {
  let [inside, all] = [0, 0];
  for (const watering of waterings) {
    const minutes = (watering.endAt - watering.startAt) / MINUTE;
    all += litresIn(watering, minutes);
    inside += litresIn(watering, minutesIn(window, farmMinute(zone, watering.startAt), minutes));
  }
  return all === 0 ? null : inside / all;
}

const rounded = (value: number) => Math.round(value * 100) / 100;
