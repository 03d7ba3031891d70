import type { Confidence, PumpSigns } from '../insights.ts';
import { PUMP_WATCH } from '../limits.ts';
import { counted, type Rolled, toTenth } from './rolled.ts';
import { median } from './spread.ts';
import { isOutOfContact, isValidLevel, type TankShape } from './tank.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

interface Run {
  from: number;
  to: number;
  reports: number;
  riseMm: number;
}

/**
 * A pump that runs longer than the level explains: worn, without water, or with a burst pipe behind it. A run is the hours in
 * a row in which `relayState` was on; where it began within an hour follows from the share of that hour's reports. Looked at
 * is the run that lasts until the newest report, from 30 minutes and 2 reports on. Its rise is held against the tank's usual
 * rise per pump hour: the median of its earlier runs (use while it runs is in both). Less than half of that is told.
 *
 * Without earlier runs a rise of less than 0.5 % of the tank is told, with low confidence. Null when the pump doesn't run, the
 * sensor is silent or its level invalid, and where earlier runs made the level fall: such a pump draws from the tank. Heavy use
 * during the run looks like a failing pump.
 */
export function pumpWatch(
  shape: TankShape,
  relay: readonly Rolled[],
  level: readonly Rolled[],
  now: number,
): PumpSigns | null {
  const newest = relay.at(-1);
  if (!newest || newest.lastValue <= 0 || isOutOfContact(newest.lastAt, now)) return null;
  const runs = runsOf(relay, level, shape);
  const run = runs.at(-1);
  if (!run || run.to !== newest.lastAt || run.reports < PUMP_WATCH.leastReports) return null;
  const minutes = (run.to - run.from) / MINUTE;
  if (minutes < PUMP_WATCH.leastMinutes) return null;
  const earlier = runs.slice(0, -1).filter(({ from, to }) => to - from >= PUMP_WATCH.leastMinutes * MINUTE);
  const usual = median(earlier.map(({ riseMm, from, to }) => (riseMm * HOUR) / (to - from)));
  if (usual !== null && usual <= 0) return null;
  const expected = usual === null ? null : (usual * minutes) / 60;
  const least =
    expected === null ? (PUMP_WATCH.leastPercent / 100) * shape.toplevel : PUMP_WATCH.leastShare * expected;
  if (run.riseMm >= least) return null;
  const rise = (100 * run.riseMm) / shape.toplevel;
  return {
    since: new Date(run.from).toISOString(),
    minutes: Math.round(minutes),
    risePercent: toTenth(rise),
    confidence: confidenceOf(earlier.length, expected === null ? 1 : run.riseMm / expected, minutes),
    basis: basisOf(shape, earlier.length, expected),
  };
}

function runsOf(relay: readonly Rolled[], level: readonly Rolled[], shape: TankShape): Run[] {
  const runs: Rolled[][] = [];
  for (const [index, row] of relay.entries()) {
    if (row.sum <= 0) continue;
    const before = relay[index - 1];
    const goesOn =
      before && before.lastValue > 0 && row.firstValue > 0 && row.firstAt - before.lastAt <= HOUR;
    const last = runs.at(-1);
    if (goesOn && last) last.push(row);
    else runs.push([row]);
  }
  return runs.flatMap((rows) => {
    const run = spanOf(rows);
    const from = run && levelAt(level, run.from, shape);
    const to = run && levelAt(level, run.to, shape);
    return run && typeof from === 'number' && typeof to === 'number' ? [{ ...run, riseMm: to - from }] : [];
  });
}

/** By the share of reports that were on, from the end of the first hour back and from the start of the last one on. */
function spanOf(rows: readonly Rolled[]): Omit<Run, 'riseMm'> | null {
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return null;
  const onTime = ({ sum, n, firstAt, lastAt }: Rolled) =>
    n > 1 ? ((sum - 1) / (n - 1)) * (lastAt - firstAt) : 0;
  const from = first.lastValue > 0 ? first.lastAt - onTime(first) : first.firstAt;
  const to = last.lastValue > 0 ? last.lastAt : last.firstAt + onTime(last);
  return { from, to, reports: rows.reduce((sum, row) => sum + row.sum, 0) };
}

/** mm between the nearest readings that hours keep, their first and last ones; null when they are over an hour away. */
function levelAt(level: readonly Rolled[], at: number, shape: TankShape): number | null {
  const points = level.flatMap((row) => [
    { at: row.firstAt, mm: row.firstValue },
    { at: row.lastAt, mm: row.lastValue },
  ]);
  const before = points.findLast((point) => point.at <= at);
  const after = points.find((point) => point.at >= at);
  const near = [before, after].filter((point) => point && Math.abs(point.at - at) <= HOUR);
  if (near.length === 0 || near.some((point) => !isValidLevel(shape, point?.mm ?? null))) return null;
  if (!before || !after || near.length < 2) return near[0]?.mm ?? null;
  if (after.at === before.at) return after.mm;
  return before.mm + ((at - before.at) / (after.at - before.at)) * (after.mm - before.mm);
}

function confidenceOf(earlier: number, share: number, minutes: number): Confidence {
  if (earlier >= 5 && share <= 0.1 && minutes >= 60) return 'high';
  return earlier >= 3 ? 'medium' : 'low';
}

function basisOf(shape: TankShape, earlier: number, expected: number | null): string {
  if (expected === null) return 'No earlier run is known to hold it against.';
  const percent = toTenth((100 * expected) / shape.toplevel);
  return `By ${counted(earlier, 'earlier run')} the level should have risen by about ${percent} %.`;
}
