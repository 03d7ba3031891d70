import { sql } from 'kysely';
import type { SupplyEntries } from '@headrace/contract/supply';
import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';

export interface SupplyRow extends SupplyEntries {
  /** 0: nobody has entered anything. */
  readonly version: number;
  readonly updatedAt: Date | null;
}

const nothing: SupplyRow = {
  maxLps: null,
  windows: [],
  avoid: [],
  mains: [],
  notes: '',
  version: 0,
  updatedAt: null,
};

/** Every query stays on the farm. */
export function createSupplyRepo(db: Db) {
  return {
    /** One change at a time on a farm. */
    inTransaction: <T>(farmId: number, work: (trx: Db) => Promise<T>): Promise<T> =>
      db.transaction().execute(async (trx) => {
        await claimOnce(trx);
        await sql`select pg_advisory_xact_lock(hashtext('headrace farm supply'), ${farmId})`.execute(trx);
        return work(trx);
      }),

    async of(farmId: number, from: Db = db): Promise<SupplyRow> {
      const row = await from
        .selectFrom('farm_supply')
        .select([
          'max_lps as maxLps',
          'windows',
          'avoid',
          'mains',
          'notes',
          'version',
          'updated_at as updatedAt',
        ])
        .where('farm_id', '=', farmId)
        .executeTakeFirst();
      return row ?? nothing;
    },

    /** By uid. */
    async groupNames(farmId: number): Promise<ReadonlyMap<string, string>> {
      const rows = await db
        .selectFrom('device_group')
        .select(['uid', 'name'])
        .where('farm_id', '=', farmId)
        .execute();
      return new Map(rows.map(({ uid, name }) => [uid, name]));
    },

    async save(
      trx: Db,
      farmId: number,
      { maxLps, windows, avoid, mains, notes, version }: SupplyEntries & { readonly version: number },
      { accountId, now }: { readonly accountId: number | null; readonly now: Date },
    ): Promise<void> {
      const values = {
        max_lps: maxLps,
        windows: JSON.stringify(windows),
        avoid: JSON.stringify(avoid),
        mains: JSON.stringify(mains),
        notes,
        version,
        updated_by: accountId,
        updated_at: now,
      };
      await trx
        .insertInto('farm_supply')
        .values({ farm_id: farmId, ...values })
        .onConflict((conflict) => conflict.column('farm_id').doUpdateSet(values))
        .execute();
    },
  };
}
export type SupplyRepo = ReturnType<typeof createSupplyRepo>;
