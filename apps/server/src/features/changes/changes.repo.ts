import type { Db } from '../../db/client.ts';

export interface ChangesQuery {
  readonly farmId: number;
  /** Kinds that may be told of. */
  readonly kinds: readonly string[];
  readonly uid: string | undefined;
  /** Only what is older than this entry. */
  readonly before: string | undefined;
  readonly limit: number;
}

export function createChangesRepo(db: Db) {
  return {
    /** Newest first, with the name of who did it. */
    changes({ farmId, kinds, uid, before, limit }: ChangesQuery) {
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
        .orderBy('log.id', 'desc')
        .limit(limit)
        .execute();
    },
  };
}
export type ChangesRepo = ReturnType<typeof createChangesRepo>;
