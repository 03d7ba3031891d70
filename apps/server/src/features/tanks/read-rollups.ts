import type { Db } from '../../db/client.ts';
import { type RollupSeries, type Span, storedRollups } from './rollup-query.ts';
import type { WantedSeries } from './series-limits.ts';
import { withinLimits } from './within-limits.ts';

/**
 * Hours or days that start in [from, to) (epoch ms), oldest first, by series, of readings within their limits. One query of
 * rollups and none of raw history, unless some of them hold a reading that can't be: then two more for all of them.
 */
export async function readRollups(
  db: Db,
  span: Span,
  farmId: number,
  wanted: readonly WantedSeries[],
  range: { from: number; to: number },
): Promise<ReadonlyMap<number, RollupSeries>> {
  const ids = wanted.map(({ id }) => id);
  const found = await storedRollups(db, span, farmId, ids, range);
  return withinLimits(db, span, farmId, wanted, found);
}
