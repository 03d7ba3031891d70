import type { Db } from '../../db/client.ts';
import { type RollupQuery, type RollupSeries, storedRollups } from './rollup-query.ts';
import type { WantedSeries } from './series-limits.ts';
import { withinLimits } from './within-limits.ts';

/**
 * With readings within their limits alone: oldest first, by series. One query of rollups and none of raw history, unless some
 * of them hold a reading that can't be: then two more for all of them.
 */
export async function readRollups(
  db: Db,
  query: RollupQuery,
  wanted: readonly WantedSeries[],
): Promise<ReadonlyMap<number, RollupSeries>> {
  const ids = wanted.map(({ id }) => id);
  return withinLimits(db, query, wanted, await storedRollups(db, query, ids));
}
