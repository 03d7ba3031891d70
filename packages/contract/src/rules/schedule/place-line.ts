import { DAY_MINUTES, type Line, type PlanOptions } from './plan.ts';
import type { Run } from './programme.ts';

export type LineResult =
  | { readonly ok: true; readonly runs: readonly Run[]; readonly endMin: number }
  | {
      readonly ok: false;
      readonly needMin: number;
      /** Longest duration that fits; 0: none. */
      readonly longestMin: number;
      /** Lines to split it in; 0: no number is enough. */
      readonly linesThatFit: number;
    };

/** What the placing of a line depends on, besides the line. */
export type Placing = Pick<PlanOptions, 'isV3' | 'leveling' | 'startMin'>;

/**
 * One after another from `startMin`, back to back or with the spare minutes between them, on the ring of the cycle: one that begins
 * before its end may end in the next round. `moveMin`: how much later than `startMin`.
 */
export function placeLine(line: Line, placing: Placing, cycleMin: number, moveMin = 0): LineResult {
  const { durationMin, units } = line;
  const needMin = wateringOf(line, placing, placing.startMin + (placing.leveling ? 0 : moveMin));
  if (needMin > cycleMin)
    return {
      ok: false,
      needMin,
      longestMin: longestThatFits(line, placing, cycleMin),
      linesThatFit: linesThatFit(line, placing, cycleMin),
    };
  const turns = placing.leveling
    ? levelTurns(units.length, durationMin, placing, cycleMin, moveMin)
    : takeTurns(units.length, durationMin, placing.isV3, placing.startMin + moveMin, () => 0);
  const last = turns.at(-1);
  return {
    ok: true,
    runs: turns.map((turn, index) => toRun(line, line.units[index]?.id ?? '', turn, cycleMin)),
    endMin: last ? last.start + last.duration - placing.startMin : 0,
  };
}

/** Minutes counted on from a midnight, not yet on the ring. */
interface Turn {
  readonly start: number;
  readonly duration: number;
}

export function toRun(line: Line, unit: string, { start, duration }: Turn, cycleMin: number): Run {
  const onRing = start % cycleMin;
  return {
    unit,
    group: line.group,
    scheduleGroup: line.scheduleGroup,
    start: onRing,
    duration,
    cycle: 1 + Math.floor(onRing / DAY_MINUTES),
  };
}

/** Units of version 3 lose a minute at midnight: a run that midnight falls into or on the start of is given one more. */
export const v3Minute = (isV3: boolean, start: number, duration: number): 0 | 1 =>
  isV3 && Math.ceil(start / DAY_MINUTES) * DAY_MINUTES < start + duration ? 1 : 0;

function takeTurns(
  count: number,
  durationMin: number,
  isV3: boolean,
  from: number,
  gapAfter: (index: number) => number,
): Turn[] {
  const turns: Turn[] = [];
  let start = from;
  for (let index = 0; index < count; index += 1) {
    const duration = durationMin + v3Minute(isV3, start, durationMin);
    turns.push({ start, duration });
    start += duration + gapAfter(index);
  }
  return turns;
}

/** Minutes of water, back to back from a minute. */
function wateringOf(
  { units, durationMin }: Pick<Line, 'units' | 'durationMin'>,
  { isV3 }: Placing,
  from: number,
): number {
  return takeTurns(units.length, durationMin, isV3, from, () => 0).reduce(
    (sum, turn) => sum + turn.duration,
    0,
  );
}

/** Most minutes that units of version 3 can be given on top in one cycle: one for each midnight. */
export const mostExtra = (isV3: boolean, cycleMin: number) =>
  isV3 ? Math.max(1, Math.ceil(cycleMin / DAY_MINUTES)) : 0;

/**
 * Each run is followed by its share of what is spare, the first ones by a minute more. How much is spare depends on the minutes at
 * midnight, and those on where the runs come to lie: the number that agrees with itself is taken, and where none does the line
 * begins a minute later.
 */
function levelTurns(
  count: number,
  durationMin: number,
  { isV3, startMin }: Placing,
  cycleMin: number,
  moveMin: number,
): Turn[] {
  for (let move = moveMin; move < moveMin + cycleMin; move += 1)
    for (let extra = 0; extra <= mostExtra(isV3, cycleMin); extra += 1) {
      const spare = cycleMin - count * durationMin - extra;
      if (spare < 0) continue;
      const gapAfter = (index: number) => Math.floor(spare / count) + Number(index < spare % count);
      const turns = takeTurns(count, durationMin, isV3, startMin + move, gapAfter);
      if (turns.reduce((sum, turn) => sum + turn.duration - durationMin, 0) === extra) return turns;
    }
  throw new Error(`No place for ${count} × ${durationMin} min in ${cycleMin}`);
}

function longestThatFits(line: Line, placing: Placing, cycleMin: number): number {
  for (let durationMin = Math.floor(cycleMin / line.units.length); durationMin > 0; durationMin -= 1)
    if (wateringOf({ ...line, durationMin }, placing, placing.startMin) <= cycleMin) return durationMin;
  return 0;
}

function linesThatFit(line: Line, placing: Placing, cycleMin: number): number {
  for (let lines = 2; lines <= line.units.length; lines += 1) {
    const units = line.units.slice(0, Math.ceil(line.units.length / lines));
    if (wateringOf({ ...line, units }, placing, placing.startMin) <= cycleMin) return lines;
  }
  return 0;
}

/** What keeps a line from a cycle of a day, when it is little; null: it fits, or is far longer. */
export function nearlyDaily(line: Line, placing: Placing): { needMin: number; longestMin: number } | null {
  const needMin = wateringOf(line, placing, placing.startMin);
  if (needMin <= DAY_MINUTES || needMin >= DAY_MINUTES * 1.05) return null;
  return { needMin, longestMin: longestThatFits(line, placing, DAY_MINUTES) };
}
