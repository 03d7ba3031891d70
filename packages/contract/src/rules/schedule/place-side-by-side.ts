import {
  DAY_MINUTES,
  type Finding,
  type Line,
  LONGEST_CYCLE,
  type Planned,
  type PlanOptions,
} from './plan.ts';
import { type LineResult, mostExtra, nearlyDaily, placeLine } from './place-line.ts';

/** All lines at once, each by itself: in a cycle of a day where every line fits into one, else of two. */
export function placeSideBySide(lines: readonly Line[], options: PlanOptions): Planned {
  const cycles = options.cycleMin === null ? [DAY_MINUTES, LONGEST_CYCLE] : [options.cycleMin];
  const cycleMin = cycles.find((minutes) => lines.every((line) => placeLine(line, options, minutes).ok));
  const last = cycles.at(-1) ?? LONGEST_CYCLE;
  if (cycleMin === undefined)
    return { ok: false, findings: lines.flatMap((line) => doesNotFit(line, options, last)) };
  const moves = options.leveling ? levelMoves(lines, options, cycleMin) : [];
  const runs = lines.flatMap((line, index) => {
    const placed = placeLine(line, options, cycleMin, moves[index]);
    return placed.ok ? placed.runs : [];
  });
  const isByNeed = options.cycleMin === null && cycleMin === LONGEST_CYCLE;
  const findings = isByNeed ? lines.flatMap((line) => nearly(line, options)) : [];
  return { ok: true, plan: { cycleMin, runs, findings } };
}

/**
 * How much later each line begins, so that lines draw their first water one after another: within the shortest gap that one has behind its
 * last run, so that none goes on past the cycle's end. What midnight may add is reckoned as used.
 */
function levelMoves(lines: readonly Line[], { isV3 }: PlanOptions, cycleMin: number): number[] {
  const gaps = lines.map(({ units, durationMin }) => {
    const spare = cycleMin - units.length * durationMin - mostExtra(isV3, cycleMin);
    return Math.max(0, Math.floor(spare / units.length));
  });
  const shortest = gaps.reduce((least, gap) => Math.min(least, gap), cycleMin);
  return lines.map((_, index) => Math.floor((index * shortest) / lines.length));
}

function doesNotFit(line: Line, options: PlanOptions, cycleMin: number): Finding[] {
  const result: LineResult = placeLine(line, options, cycleMin);
  if (result.ok) return [];
  const { needMin, longestMin, linesThatFit } = result;
  const figures = { needMin, cycleMin, longestMin, linesThatFit };
  return [{ code: 'doesNotFit', severity: 'error', group: line.scheduleGroup, figures }];
}

function nearly(line: Line, options: PlanOptions): Finding[] {
  const figures = nearlyDaily(line, options);
  return figures ? [{ code: 'nearlyDaily', severity: 'warning', group: line.scheduleGroup, figures }] : [];
}
