import {
  DAY_MINUTES,
  type Finding,
  type Limits,
  type Line,
  LONGEST_CYCLE,
  type Planned,
  type PlanOptions,
} from './plan.ts';
import { toRun, v3Minute } from './place-line.ts';
import type { Run } from './programme.ts';
import { openMinutes, runways } from './windows.ts';

/** Flows are sums of decimals. */
const TINY = 1e-9;

type LimitedOptions = PlanOptions & { readonly limits: Limits };

/**
 * Lines side by side as far as flow and windows allow: whenever a line is free, there is flow for its next sprinkler and the run ends
 * inside the window, the line with the most minutes left begins. That is list scheduling: with equal flows and no windows it takes at
 * most twice as long as the best. All begin and end within a cycle from `startMin`: a day where that is enough, else two.
 */
export function placeWithinLimits(lines: readonly Line[], options: LimitedOptions): Planned {
  const tooMuch = lines.flatMap((line) => overPump(line, options.limits));
  if (tooMuch.length > 0) return { ok: false, findings: tooMuch };
  const cycles = options.cycleMin === null ? [DAY_MINUTES, LONGEST_CYCLE] : [options.cycleMin];
  for (const cycleMin of cycles) {
    const runs = runsWithin(lines, options, cycleMin);
    if (runs) return { ok: true, plan: { cycleMin, runs, findings: [] } };
  }
  return { ok: false, findings: [doesNotFit(lines, options, cycles.at(-1) ?? LONGEST_CYCLE)] };
}

function overPump(line: Line, { maxLps }: Limits): Finding[] {
  if (maxLps === null) return [];
  return line.units
    .filter(({ lps }) => lps > maxLps + TINY)
    .map(({ name, lps }) => ({
      code: 'overPump',
      severity: 'error',
      group: line.scheduleGroup,
      unit: name,
      figures: { lps, maxLps },
    }));
}

/** A line on its way through the night. */
interface Progress {
  readonly line: Line;
  /** Place among the lines, and of the next unit in it. */
  readonly order: number;
  readonly next: number;
  readonly freeAt: number;
}

/** null: they don't end in time. */
function runsWithin(
  lines: readonly Line[],
  { startMin, limits, isV3 }: LimitedOptions,
  cycleMin: number,
): Run[] | null {
  const runway = runways(limits);
  const lastMin = startMin + cycleMin;
  let waiting = lines.map((line, order): Progress => ({ line, order, next: 0, freeAt: startMin }));
  let open: { readonly endMin: number; readonly lps: number }[] = [];
  const runs: Run[] = [];
  for (let now = startMin; waiting.length > 0 && now < lastMin; now = nextMoment(now, open, runway)) {
    open = open.filter(({ endMin }) => endMin > now);
    let lps = open.reduce((sum, run) => sum + run.lps, 0);
    const begin = (progress: Progress): Progress => {
      const { line, next, freeAt } = progress;
      const unit = line.units[next];
      const duration = line.durationMin + v3Minute(isV3, now, line.durationMin);
      const endMin = now + duration;
      const isTooSoon = freeAt > now || duration > (runway[now % DAY_MINUTES] ?? 0) || endMin > lastMin;
      if (!unit || isTooSoon || (limits.maxLps !== null && lps + unit.lps > limits.maxLps + TINY))
        return progress;
      lps += unit.lps;
      open.push({ endMin, lps: unit.lps });
      runs.push(toRun(line, unit.id, { start: now, duration }, cycleMin));
      return { ...progress, next: next + 1, freeAt: endMin };
    };
    waiting = waiting.toSorted(byMinutesLeft).map(begin).filter(hasMore);
  }
  return waiting.length === 0 ? runs : null;
}

const minutesLeft = ({ line, next }: Progress) => (line.units.length - next) * line.durationMin;
const byMinutesLeft = (one: Progress, other: Progress) =>
  minutesLeft(other) - minutesLeft(one) || one.order - other.order;
const hasMore = ({ line, next }: Progress) => next < line.units.length;

/** When a run ends, or a window opens. */
function nextMoment(
  now: number,
  open: readonly { readonly endMin: number }[],
  runway: readonly number[],
): number {
  const ends = open.map(({ endMin }) => endMin).filter((endMin) => endMin > now);
  const end = ends.reduce((least, endMin) => Math.min(least, endMin), Number.POSITIVE_INFINITY);
  for (let minute = now + 1; minute <= now + DAY_MINUTES && minute < end; minute += 1)
    if ((runway[minute % DAY_MINUTES] ?? 0) > (runway[(minute - 1) % DAY_MINUTES] ?? 0)) return minute;
  return end;
}

/** With what it takes at least: the longest line, the water through the pump, the minutes that are open; and what would fit. */
function doesNotFit(lines: readonly Line[], options: LimitedOptions, cycleMin: number): Finding {
  const { lineMin, flowMin } = lowerBounds(lines, options.limits);
  const windowMin = openMinutes(runways(options.limits), cycleMin);
  const longestMin = longestThatFits(lines, options, cycleMin, windowMin);
  return {
    code: 'doesNotFitLimits',
    severity: 'error',
    figures: { cycleMin, lineMin, flowMin, windowMin, longestMin },
  };
}

/** No plan of these lines is shorter, minutes. */
export function lowerBounds(
  lines: readonly Line[],
  { maxLps }: Pick<Limits, 'maxLps'>,
): { readonly lineMin: number; readonly flowMin: number } {
  const minuteLitres = lines.reduce(
    (sum, { units, durationMin }) => sum + durationMin * units.reduce((lps, unit) => lps + unit.lps, 0),
    0,
  );
  return {
    lineMin: lines.reduce((most, { units, durationMin }) => Math.max(most, units.length * durationMin), 0),
    flowMin: maxLps === null ? 0 : minuteLitres / maxLps,
  };
}

/** A duration for all lines with which they fit; 0: none. */
function longestThatFits(
  lines: readonly Line[],
  options: LimitedOptions,
  cycleMin: number,
  windowMin: number,
): number {
  const shortened = (most: number) =>
    lines.map((line) => ({ ...line, durationMin: Math.min(most, line.durationMin) }));
  let [fits, fails] = [0, lines.reduce((most, { durationMin }) => Math.max(most, durationMin), 0)];
  while (fails - fits > 1) {
    const middle = Math.floor((fits + fails) / 2);
    const { lineMin, flowMin } = lowerBounds(shortened(middle), options.limits);
    const isPossible = lineMin <= windowMin && flowMin <= windowMin + TINY;
    if (isPossible && runsWithin(shortened(middle), options, cycleMin)) fits = middle;
    else fails = middle;
  }
  return fits;
}
