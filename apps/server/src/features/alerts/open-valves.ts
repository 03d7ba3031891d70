import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

/** The newest words of thousands of valves are read so seldom: what opens is a run from its first word on, ms. */
const NEWEST_KEPT_MS = 10 * 60_000;

interface Newest {
  /** Epoch ms. */
  readonly at: number;
  readonly open: readonly number[];
}

/**
 * Sprinklers that last said that they are open, or that are in a run that nobody saw end: of the others nobody's valve is overdue. Runs are
 * few and asked for each time; whoever said "open" without one, as before runs were kept, is found some minutes later.
 */
export function createOpenValves(db: Db) {
  const kept = new Map<number, Newest>();

  async function newest(farmId: number, now: number): Promise<readonly number[]> {
    const known = kept.get(farmId);
    if (known && Math.abs(now - known.at) < NEWEST_KEPT_MS) return known.open;
    const { rows } = await sql<{ id: number }>`select s.device_id as id from series s
      join latest l on l.farm_id = s.farm_id and l.series_id = s.id and l.value = 1
      where s.farm_id = ${farmId} and s.metric = 'valve'`.execute(db);
    const open = rows.map(({ id }) => id);
    kept.set(farmId, { at: now, open });
    return open;
  }

  return async (farmId: number, now: number): Promise<ReadonlySet<number>> => {
    const runs = await db
      .selectFrom('watering_run')
      .select('device_id')
      .where('farm_id', '=', farmId)
      .where('closed_at', 'is', null)
      .execute();
    return new Set([...runs.map(({ device_id }) => device_id), ...(await newest(farmId, now))]);
  };
}
