import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';

/** A trial reads no more than this, however many devices it would watch. */
export const READINGS_MAX = 120_000;

export interface StoredReading {
  readonly device_id: number;
  readonly metric: string;
  /** Epoch ms. */
  readonly at: number;
  readonly value: number | null;
}

/** The sensors of a farm, by name. */
export const sensorsOf = (db: Db, farmId: number): Promise<DeviceRow[]> =>
  db
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'sensor')
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute();

/** What devices said since a time, of each in the order of time. */
export async function readingsOf(
  db: Db,
  farmId: number,
  deviceIds: readonly number[],
  metrics: readonly string[],
  since: Date,
): Promise<StoredReading[]> {
  const { rows } = await sql<StoredReading>`
    select s.device_id, s.metric, extract(epoch from r.at)::float8 * 1000 as at, r.value
    from series s join reading r on r.farm_id = s.farm_id and r.series_id = s.id
    where s.farm_id = ${farmId} and s.device_id = any(${[...deviceIds]}::int[]) and s.metric = any(${[...metrics]}::text[])
      and r.at >= ${since}
    order by s.device_id, r.at limit ${READINGS_MAX}`.execute(db);
  return rows;
}

/** How many readings each device has, about, by the days that are counted. */
export async function countsOf(
  db: Db,
  farmId: number,
  deviceIds: readonly number[],
  metrics: readonly string[],
  since: Date,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ device_id: number; count: number }>`
    select s.device_id, sum(d.n)::int as count
    from series s join reading_day d on d.farm_id = s.farm_id and d.series_id = s.id
    where s.farm_id = ${farmId} and s.device_id = any(${[...deviceIds]}::int[]) and s.metric = any(${[...metrics]}::text[])
      and d.at >= ${since}
    group by s.device_id`.execute(db);
  return new Map(rows.map(({ device_id, count }) => [device_id, count]));
}
