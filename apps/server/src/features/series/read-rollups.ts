import type { Db } from '../../db/client.ts';
import { type RollupQuery, type RollupSeries, storedHours, storedRollups } from './rollup-query.ts';
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

/** Hours with these starts (epoch ms) alone, in the same way. */
export async function readHours(
  db: Db,
  farmId: number,
  starts: readonly number[],
  wanted: readonly WantedSeries[],
): Promise<ReadonlyMap<number, RollupSeries>> {
  const ids = wanted.map(({ id }) => id);
  return withinLimits(db, { span: 'hour', farmId }, wanted, await storedHours(db, farmId, ids, starts));
}
