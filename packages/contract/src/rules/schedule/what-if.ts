import { DAY_MINUTES } from './plan.ts';

/** A sprinkler's turn in a cycle: minutes from its start. */
export interface LineRun {
  readonly unit: string;
  readonly line: string;
  readonly start: number;
  readonly duration: number;
}

/** What is tried out. */
export interface WhatIf {
  /** Minutes that each watering lasts longer, negative: shorter. Those behind it on its line move. */
  readonly durationBy: number;
  /** Minutes that all begin later. */
  readonly startBy: number;
  /** How many lines water side by side; null: as they do. */
  readonly linesAtOnce: number | null;
}

export type WhatIfRuns =
  | { readonly ok: true; readonly runs: readonly LineRun[] }
  /** `needMin`: what it would take, of the cycle's minutes. */
  | { readonly ok: false; readonly why: 'tooShort' | 'tooLong'; readonly needMin: number };

/** The runs of a cycle as they would be; not where a watering would last no minute, or the cycle is too short for a line. */
export function whatIf(runs: readonly LineRun[], cycleMin: number, change: WhatIf): WhatIfRuns {
  const lines = linesOf(runs, cycleMin).map((line) => lengthened(line, change.durationBy));
  if (lines.some((line) => line.some(({ duration }) => duration < 1)))
    return { ok: false, why: 'tooShort', needMin: 0 };
  const placed = change.linesAtOnce === null ? lines : inLanes(lines, change.linesAtOnce);
  // Lines that water as they do take what each takes; those that wait for one another take it from the first on.
  const fromOf = change.linesAtOnce === null ? startOf : () => firstOf(placed);
  const needMin = Math.max(0, ...placed.map((line) => endOf(line) - fromOf(line)));
  if (needMin > cycleMin) return { ok: false, why: 'tooLong', needMin };
  const moved = placed.flat().map((run) => ({ ...run, start: modulo(run.start + change.startBy, cycleMin) }));
  return { ok: true, runs: moved };
}

/** By line, each in the order in which it waters. */
function linesOf(runs: readonly LineRun[], cycleMin: number): LineRun[][] {
  const byLine = new Map<string, LineRun[]>();
  for (const run of runs) {
    const line = byLine.get(run.line);
    if (line) line.push(run);
    else byLine.set(run.line, [run]);
  }
  return [...byLine.values()].map((line) => inOrder(line, cycleMin));
}

/** A line begins after its longest rest, which need not be at midnight; what comes after the cycle's end counts on from there. */
function inOrder(line: readonly LineRun[], cycleMin: number): LineRun[] {
  const sorted = line.toSorted((one, other) => one.start - other.start);
  let first = 0;
  let longest = Number.NEGATIVE_INFINITY;
  let end = endOf(sorted) - cycleMin;
  for (const [index, { start, duration }] of sorted.entries()) {
    if (start - end > longest) [first, longest] = [index, start - end];
    end = Math.max(end, start + duration);
  }
  const later = sorted.slice(0, first).map((run) => ({ ...run, start: run.start + cycleMin }));
  return [...sorted.slice(first), ...later];
}

/** Runs that begin together move together: they don't wait for one another. */
function lengthened(line: readonly LineRun[], by: number): LineRun[] {
  let turns = -1;
  return line.map((run, index) => {
    if (line[index - 1]?.start !== run.start) turns += 1;
    return { ...run, start: run.start + turns * by, duration: run.duration + by };
  });
}

/** Each line begins when the first of the lanes is free, the line that begins first now before the others. */
function inLanes(lines: readonly LineRun[][], lanes: number): LineRun[][] {
  const first = firstOf(lines);
  const freeAt = Array<number>(lanes).fill(first);
  return lines
    .toSorted((one, other) => startOf(one) - startOf(other))
    .map((line) => {
      const free = Math.min(...freeAt);
      const by = free - startOf(line);
      freeAt[freeAt.indexOf(free)] = endOf(line) + by;
      return line.map((run) => ({ ...run, start: run.start + by }));
    });
}

const startOf = (line: readonly LineRun[]) => line[0]?.start ?? 0;
const endOf = (line: readonly LineRun[]) =>
  Math.max(0, ...line.map(({ start, duration }) => start + duration));
const firstOf = (lines: readonly (readonly LineRun[])[]) =>
  lines.length === 0 ? 0 : Math.min(...lines.map(startOf));
const modulo = (minute: number, cycleMin: number) => ((minute % cycleMin) + cycleMin) % cycleMin;

/** A run as units keep it. */
export const entryOf = ({ start, duration }: Pick<LineRun, 'start' | 'duration'>) => ({
  start: start % DAY_MINUTES,
  duration,
  cycle: Math.floor(start / DAY_MINUTES) + 1,
});
