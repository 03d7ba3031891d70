import type { Db } from '../../db/client.ts';
import { daysWithFalls } from './comebacks.ts';
import {
  emptySeries,
  type Rollup,
  type RollupQuery,
  type RollupSeries,
  storedHours,
  storedRollups,
} from './rollup-query.ts';
import { isCounter, type WantedSeries } from './series-limits.ts';
import { countedHours } from './turned-hours.ts';
import { withinLimits } from './within-limits.ts';

/**
 * Rollups by series, oldest first, computed from possible readings only. It takes one query of rollups, two more of raw history if some
 * rollups hold an impossible reading, and two of each total that fell.
 */
export async function readRollups(
  db: Db,
  query: RollupQuery,
  wanted: readonly WantedSeries[],
): Promise<ReadonlyMap<number, RollupSeries>> {
  const ids = wanted.map(({ id }) => id);
  return possibleRollups(db, query, wanted, await storedRollups(db, query, ids));
}

/** The same for the hours that start at these times, epoch ms. */
export async function readHours(
  db: Db,
  farmId: number,
  starts: readonly number[],
  wanted: readonly WantedSeries[],
): Promise<ReadonlyMap<number, RollupSeries>> {
  const ids = wanted.map(({ id }) => id);
  const stored = await storedHours(db, farmId, ids, starts);
  return possibleRollups(db, { span: 'hour', farmId }, wanted, stored);
}

/** Rollups as they were stored, without what can't be: impossible readings, and totals that fell and came back. */
export async function possibleRollups(
  db: Db,
  query: Pick<RollupQuery, 'span' | 'farmId'>,
  wanted: readonly WantedSeries[],
  stored: ReadonlyMap<number, RollupSeries>,
): Promise<ReadonlyMap<number, RollupSeries>> {
  const possible = new Map(await withinLimits(db, query, wanted, stored));
  const counters = wanted.filter(({ id, metric }) => possible.has(id) && isCounter(metric));
  const seriesOf = ({ id }: WantedSeries) => possible.get(id) ?? emptySeries;
  if (query.span === 'hour') {
    for (const one of counters)
      possible.set(one.id, await countedHours(db, query.farmId, one, seriesOf(one)));
    return possible;
  }
  // Meter by meter: of many that fall each day, a year's hours in one step would hold everybody else up.
  for (const one of counters) {
    const days = daysWithFalls(seriesOf(one));
    if (days.length === 0) continue;
    const hours = await hoursOf(db, query.farmId, one.id, days);
    const own = await countedHours(db, query.farmId, one, hours);
    possible.set(one.id, countedByHours(seriesOf(one), days, own.rows));
  }
  return possible;
}

/** From the first of the days to the last. */
async function hoursOf(db: Db, farmId: number, id: number, days: readonly Rollup[]): Promise<RollupSeries> {
  const [first, last] = [days.at(0), days.at(-1)];
  if (!first || !last) return emptySeries;
  const range = { from: first.at, to: last.lastAt + 1 };
  const hours = await storedRollups(db, { span: 'hour', farmId, range }, [id]);
  return hours.get(id) ?? emptySeries;
}

/** Days in which a total fell count what their hours do; days and hours oldest first. */
function countedByHours(
  series: RollupSeries,
  days: readonly Rollup[],
  hours: readonly Rollup[],
): RollupSeries {
  const recounted = new Map<Rollup, Rollup>();
  let nth = 0;
  for (const day of days) {
    while ((hours[nth]?.firstAt ?? Infinity) < day.firstAt) nth += 1;
    const first = nth;
    while ((hours[nth]?.lastAt ?? Infinity) <= day.lastAt) nth += 1;
    const rises = hours.slice(first, nth).reduce((sum, hour) => sum + hour.rises, 0);
    if (nth > first && rises < day.rises) recounted.set(day, { ...day, rises, fastest: null });
  }
  if (recounted.size === 0) return series;
  return { ...series, rows: series.rows.map((row) => recounted.get(row) ?? row) };
}
