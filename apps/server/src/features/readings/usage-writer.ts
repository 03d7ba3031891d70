import type { Pool, PoolClient } from 'pg';
import { numberArray } from '../../db/sql-arrays.ts';

/** The day (UTC) on which what a farm writes is counted, as `2026-11-22`. */
export const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/** Readings of a farm on a day that are counted and not yet written. */
export interface UsageCount {
  readonly farmId: number;
  readonly day: string;
  readings: number;
  refused: number;
}

const usageText = `insert into farm_usage as u (farm_id, day, readings, refused)
  select * from unnest($1::int[], $2::text[], $3::int[], $4::int[]) order by 1, 2
  on conflict (farm_id, day) do update set readings = u.readings + excluded.readings, refused = u.refused + excluded.refused`;

/** Adds to what farms wrote, and to what they could not because of a limit. All of it or, when it throws, perhaps none. */
export async function addUsage(pool: Pool, counts: readonly UsageCount[]): Promise<void> {
  await pool.query({
    name: 'add-usage',
    text: usageText,
    values: [
      numberArray(counts.map(({ farmId }) => farmId)),
      counts.map(({ day }) => day),
      numberArray(counts.map(({ readings }) => readings)),
      numberArray(counts.map(({ refused }) => refused)),
    ],
  });
}

const newSeriesText = `insert into farm_usage as u (farm_id, day, new_series)
  select farm_id, $2, made from unnest($1::int[], $3::int[]) as k (farm_id, made) order by 1
  on conflict (farm_id, day) do update set new_series = u.new_series + excluded.new_series`;

export async function countNewSeries(
  client: PoolClient,
  now: Date,
  made: ReadonlyMap<number, number>,
): Promise<void> {
  if (made.size === 0) return;
  await client.query({
    name: 'count-new-series',
    text: newSeriesText,
    values: [numberArray([...made.keys()]), dayOf(now), numberArray([...made.values()])],
  });
}
