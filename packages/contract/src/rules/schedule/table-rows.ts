import { clockText } from './clock-text.ts';
import { DAY_MINUTES } from './plan.ts';
import type { Run } from './programme.ts';

/** A row of a line's table: the heading of a day of the cycle, a time in which nothing of it waters, or a run and when it begins, HH:mm. */
export type TableRow =
  | { readonly kind: 'day'; readonly day: number }
  | { readonly kind: 'gap'; readonly fromMin: number; readonly minutes: number }
  | { readonly kind: 'run'; readonly run: Run; readonly startAt: string };

/** The runs of one line and the gaps between them over its cycle, by day; a run that goes on over midnight stands on the day it began. */
export function tableRows(runs: readonly Run[], cycleMin: number): readonly TableRow[] {
  const sorted = runs.toSorted((one, other) => one.start - other.start);
  const last = sorted.at(-1);
  const rows: TableRow[] = [];
  // What the last run still has to water after the cycle's end is at its beginning.
  let at = last ? Math.max(0, last.start + last.duration - cycleMin) : 0;
  for (let day = 1; (day - 1) * DAY_MINUTES < cycleMin; day += 1) {
    const [from, to] = [(day - 1) * DAY_MINUTES, Math.min(day * DAY_MINUTES, cycleMin)];
    rows.push({ kind: 'day', day });
    for (const run of sorted.filter(({ start }) => start >= from && start < to)) {
      rows.push(...gap(at, run.start), { kind: 'run', run, startAt: clockText(run.start) });
      at = run.start + run.duration;
    }
    rows.push(...gap(at, to));
    at = Math.max(at, to);
  }
  return rows;
}

const gap = (fromMin: number, toMin: number): TableRow[] =>
  toMin > fromMin ? [{ kind: 'gap', fromMin, minutes: toMin - fromMin }] : [];
