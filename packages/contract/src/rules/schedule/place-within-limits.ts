import {
  DAY_MINUTES,
  type Finding,
  type Limits,
  type Line,
  LONGEST_CYCLE,
  type Main,
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
  const tooMuch = lines.flatMap((line) => tooMuchAlone(line, options.limits));
  if (tooMuch.length > 0) return { ok: false, findings: tooMuch };
  const cycles = options.cycleMin === null ? [DAY_MINUTES, LONGEST_CYCLE] : [options.cycleMin];
  for (const cycleMin of cycles) {
    const runs = runsWithin(lines, options, cycleMin);
    if (runs) return { ok: true, plan: { cycleMin, runs, findings: [] } };
  }
  return { ok: false, findings: [doesNotFit(lines, options, cycles.at(-1) ?? LONGEST_CYCLE)] };
}

/** Sprinklers that draw more by themselves than their main or the pump gives. */
function tooMuchAlone(line: Line, { maxLps, mains }: Limits): Finding[] {
  const main = mainsOf(line, mains).toSorted((one, other) => one.maxLps - other.maxLps)[0];
  return line.units.flatMap(({ name, lps }): Finding[] => {
    const found = { severity: 'error', group: line.scheduleGroup, unit: name } as const;
    if (maxLps !== null && lps > maxLps + TINY)
      return [{ ...found, code: 'overPump', figures: { lps, maxLps } }];
    if (main && lps > main.maxLps + TINY)
      return [{ ...found, code: 'overMain', main: main.name, figures: { lps, maxLps: main.maxLps } }];
    return [];
  });
}

const mainsOf = ({ group }: Line, mains: readonly Main[] = []) =>
  mains.filter(({ groups }) => groups.includes(group));

/** A line on its way through the night. */
interface Progress {
  readonly line: Line;
  /** Place among the lines, and of the next unit in it. */
  readonly order: number;
  readonly next: number;
  readonly freeAt: number;
  /** That it hangs on. */
  readonly mains: readonly Main[];
}

/** null: they don't end in time. */
function runsWithin(
  lines: readonly Line[],
  { startMin, limits, isV3 }: LimitedOptions,
  cycleMin: number,
): Run[] | null {
  const runway = runways(limits);
  const lastMin = startMin + cycleMin;
  let waiting = lines.map(
    (line, order): Progress => ({
      line,
      order,
      next: 0,
      freeAt: startMin,
      mains: mainsOf(line, limits.mains),
    }),
  );
  let open: { readonly endMin: number; readonly lps: number; readonly mains: readonly Main[] }[] = [];
  const runs: Run[] = [];
  for (let now = startMin; waiting.length > 0 && now < lastMin; now = nextMoment(now, open, runway)) {
    open = open.filter(({ endMin }) => endMin > now);
    let lps = open.reduce((sum, run) => sum + run.lps, 0);
    const through = new Map<Main, number>();
    const draw = (run: (typeof open)[number]) => {
      for (const main of run.mains) through.set(main, (through.get(main) ?? 0) + run.lps);
    };
    for (const run of open) draw(run);
    const begin = (progress: Progress): Progress => {
      const { line, next, freeAt, mains } = progress;
      const unit = line.units[next];
      const duration = line.durationMin + v3Minute(isV3, now, line.durationMin);
      const endMin = now + duration;
      const isTooSoon = freeAt > now || duration > (runway[now % DAY_MINUTES] ?? 0) || endMin > lastMin;
      if (!unit || isTooSoon || (limits.maxLps !== null && lps + unit.lps > limits.maxLps + TINY))
        return progress;
      if (mains.some((main) => (through.get(main) ?? 0) + unit.lps > main.maxLps + TINY)) return progress;
      lps += unit.lps;
      const run = { endMin, lps: unit.lps, mains };
      draw(run);
      open.push(run);
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
  { maxLps, mains = [] }: Pick<Limits, 'maxLps' | 'mains'>,
): { readonly lineMin: number; readonly flowMin: number } {
  const ofMains = mains.map((main) =>
    drawn(
      lines.filter(({ group }) => main.groups.includes(group)),
      main,
    ),
  );
  return {
    lineMin: lines.reduce((most, { units, durationMin }) => Math.max(most, units.length * durationMin), 0),
    flowMin: Math.max(maxLps === null ? 0 : drawn(lines, { maxLps }), ...ofMains),
  };
}

/** Minutes for which these lines take a flow. */
const drawn = (lines: readonly Line[], { maxLps }: { readonly maxLps: number }): number =>
  lines.reduce(
    (sum, { units, durationMin }) => sum + durationMin * units.reduce((lps, unit) => lps + unit.lps, 0),
    0,
  ) / maxLps;

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
