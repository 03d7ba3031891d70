import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

export interface ChangesQuery {
  readonly farmId: number;
  /** Kinds that may be told of. */
  readonly kinds: readonly string[];
  readonly uid: string | undefined;
  /** Only what is older than this entry. */
  readonly before: string | undefined;
  /** Of what was done as one only the newest entry. */
  readonly isTogether: boolean;
  /** Only what was done as one with this entry. */
  readonly withId: string | undefined;
  readonly limit: number;
}

export function createChangesRepo(db: Db) {
  return {
    /** Newest first, with the name of who did it. */
    changes({ farmId, kinds, uid, before, isTogether, withId, limit }: ChangesQuery) {
      return db
        .selectFrom('change_log as log')
        .leftJoin('account', 'account.id', 'log.account_id')
        .leftJoin('change_batch as batch', (join) =>
          join.onRef('batch.farm_id', '=', 'log.farm_id').onRef('batch.id', '=', 'log.batch_id'),
        )
        .selectAll('log')
        .select([
          'account.name as by',
          'batch.uid as batchUid',
          'batch.act',
          'batch.title',
          'batch.undoes',
          'batch.undone_at',
        ])
        .select('batch.at as batchAt')
        .where('log.farm_id', '=', farmId)
        .where('log.kind', 'in', kinds)
        .$if(uid !== undefined, (query) => query.where('log.uid', '=', uid ?? ''))
        .$if(before !== undefined, (query) => query.where('log.id', '<', before ?? ''))
        .$if(isTogether, (query) => query.where(isNewestOfBatch(kinds)))
        .$if(withId !== undefined, (query) => query.where(isOfBatchOf(withId ?? '')))
        .orderBy('log.id', 'desc')
        .limit(limit)
        .execute();
    },

    /** How many entries each batch has. */
    async parts(
      farmId: number,
      kinds: readonly string[],
      batches: readonly string[],
    ): Promise<ReadonlyMap<string, number>> {
      if (batches.length === 0) return new Map();
      const rows = await db
        .selectFrom('change_log')
        .select(['batch_id', sql<number>`count(*)::int`.as('parts')])
        .where('farm_id', '=', farmId)
        .where('kind', 'in', kinds)
        .where('batch_id', 'in', batches)
        .groupBy('batch_id')
        .execute();
      return new Map(rows.map(({ batch_id: batch, parts }) => [batch ?? '', parts]));
    },
  };
}

/** Of those that may be told of: a batch may be about kinds that the caller can't read. */
const isNewestOfBatch = (kinds: readonly string[]) => sql<boolean>`not exists (
  select from change_log as newer where newer.farm_id = log.farm_id and newer.batch_id = log.batch_id
    and newer.id > log.id and newer.kind = any(${kinds}::text[]))`;

const isOfBatchOf = (id: string) => sql<boolean>`log.batch_id = (
  select batch_id from change_log as one where one.farm_id = log.farm_id and one.id = ${id})`;
export type ChangesRepo = ReturnType<typeof createChangesRepo>;
