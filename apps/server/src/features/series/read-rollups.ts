import type { Db } from '../../db/client.ts';
import { type RollupQuery, type RollupSeries, storedHours, storedRollups } from './rollup-query.ts';
import type { WantedSeries } from './series-limits.ts';
import { withinLimits } from './within-limits.ts';

/**
 * Rollups by series, oldest first, computed from possible readings only. It takes one query of rollups, and two more of raw history if some
 * rollups hold an impossible reading.
 */
export async function readRollups(
  db: Db,
  query: RollupQuery,
  wanted: readonly WantedSeries[],
): Promise<ReadonlyMap<number, RollupSeries>> {
  const ids = wanted.map(({ id }) => id);
  return withinLimits(db, query, wanted, await storedRollups(db, query, ids));
}

/** The same for the hours that start at these times, epoch ms. */
export async function readHours(
  db: Db,
  farmId: number,
  starts: readonly number[],
  wanted: readonly WantedSeries[],
): Promise<ReadonlyMap<number, RollupSeries>> {
  const ids = wanted.map(({ id }) => id);
  return withinLimits(db, { span: 'hour', farmId }, wanted, await storedHours(db, farmId, ids, starts));
}
