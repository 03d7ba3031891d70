import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/client.ts';

export interface UsageRow {
  farmId: number;
  farmUid: string;
  farmName: string;
  ownerId: number;
  readings: number;
  refused: number;
  /** Readings of all farms of the owner. */
  ofAccount: number;
  newSeries: number;
  letters: number;
  /** Whole messages of the day that were kept, and how large they are. */
  keptMessages: number;
  keptBytes: number;
  told: Partial<Record<string, number>>;
}

export function createUsageRepo(db: Db) {
  return {
    /** What the farm wrote on that day (UTC). */
    async ofFarm(farmId: number, day: string) {
      const row = await usages(db, day).where('f.id', '=', farmId).executeTakeFirst();
      return { ...nothing, ...row };
    },

    /** Farms that wrote anything on that day. */
    ofDay: (day: string): Promise<UsageRow[]> => usages(db, day).where('u.day', 'is not', null).execute(),

    /** What of no known farm was kept on that day. */
    async unclaimed(day: string): Promise<{ messages: number; bytes: number }> {
      const row = await db
        .selectFrom('farm_usage')
        .select(['kept_messages as messages', sql<number>`kept_bytes::float8`.as('bytes')])
        .where('farm_id', '=', 0)
        .where('day', '=', day)
        .executeTakeFirst();
      return row ?? { messages: 0, bytes: 0 };
    },

    series: async (farmId: number): Promise<number> =>
      (
        await db
          .selectFrom('series')
          .select(sql<number>`count(*)::int`.as('count'))
          .where('farm_id', '=', farmId)
          .executeTakeFirstOrThrow()
      ).count,

    codecs: async (farmId: number): Promise<number> =>
      (
        await db
          .selectFrom('codec')
          .select(sql<number>`count(*)::int`.as('count'))
          .where('farm_id', '=', farmId)
          .executeTakeFirstOrThrow()
      ).count,

    keptBytes: async (farmId: number): Promise<number> =>
      (
        await db
          .selectFrom('kept_message')
          .select(sql<number>`coalesce(sum(bytes), 0)::float8`.as('bytes'))
          .where('farm_id', '=', farmId)
          .where('ready_at', 'is', null)
          .executeTakeFirstOrThrow()
      ).bytes,

    /** False when the farm's people were told of as much before, by whichever server. */
    async markNotified(farmId: number, day: string, what: string, percent: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('farm_usage')
        .set({ told: sql<string>`told || ${JSON.stringify({ [what]: percent })}::jsonb` })
        .where('farm_id', '=', farmId)
        .where('day', '=', day)
        .where(sql<SqlBool>`coalesce((told ->> ${what})::int, 0) < ${percent}`)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
export type UsageRepo = ReturnType<typeof createUsageRepo>;

const nothing = {
  readings: 0,
  refused: 0,
  ofAccount: 0,
  newSeries: 0,
  letters: 0,
  keptMessages: 0,
  keptBytes: 0,
  told: {},
};

function usages(db: Db, day: string) {
  return db
    .selectFrom('farm as f')
    .leftJoin('farm_usage as u', (join) => join.onRef('u.farm_id', '=', 'f.id').on('u.day', '=', day))
    .where('f.deleted_at', 'is', null)
    .select(['f.id as farmId', 'f.uid as farmUid', 'f.name as farmName', 'f.owner_id as ownerId'])
    .select([
      sql<number>`coalesce(u.readings, 0)::float8`.as('readings'),
      sql<number>`coalesce(u.refused, 0)::float8`.as('refused'),
      sql<number>`coalesce(u.letters, 0)::float8`.as('letters'),
      sql<number>`coalesce(u.kept_messages, 0)`.as('keptMessages'),
      sql<number>`coalesce(u.kept_bytes, 0)::float8`.as('keptBytes'),
      sql<number>`coalesce(u.new_series, 0)`.as('newSeries'),
      sql<UsageRow['told']>`coalesce(u.told, '{}')`.as('told'),
      sql<number>`(select coalesce(sum(a.readings), 0)::float8 from farm o
        join farm_usage a on a.farm_id = o.id and a.day = ${day} where o.owner_id = f.owner_id)`.as(
        'ofAccount',
      ),
    ]);
}
