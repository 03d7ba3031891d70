import { type Selectable, sql } from 'kysely';
import { PACKS } from '@headrace/contract/water-takes';
import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { WaterTakeTables } from '../../db/schema/water-takes.ts';

type PackRow = Selectable<WaterTakeTables['take_pack']>;
type NewPack = Omit<PackRow, 'file_name' | 'content' | 'missing'>;
/** From when to when something was missing, epoch ms. */
export type Missing = readonly (readonly [from: number, to: number])[];

/** Packs that are made in the queue. */
export function createPacksRepo(db: Db) {
  const one = (farmId: number, uid: string): Promise<PackRow | undefined> =>
    db
      .selectFrom('take_pack')
      .selectAll()
      .where('farm_id', '=', farmId)
      .where('uid', '=', uid)
      .executeTakeFirst();

  return {
    one,

    /** One question at a time on a farm. */
    inTransaction: <T>(farmId: number, work: (trx: Db) => Promise<T>): Promise<T> =>
      db.transaction().execute(async (trx) => {
        await claimOnce(trx);
        await sql`select pg_advisory_xact_lock(hashtext('headrace take packs'), ${farmId})`.execute(trx);
        return work(trx);
      }),

    /** Those that are made, or are to be. */
    async count(farmId: number, trx: Db): Promise<number> {
      const { count } = await trx
        .selectFrom('take_pack as p')
        .leftJoin('long_job as j', (join) =>
          join.onRef('j.farm_id', '=', 'p.farm_id').onRef('j.uid', '=', 'p.job_uid'),
        )
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .where('p.farm_id', '=', farmId)
        .where((eb) => eb.or([eb('p.content', 'is not', null), eb('j.state', 'in', ['queued', 'running'])]))
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    async add(trx: Db, pack: NewPack): Promise<void> {
      await trx.insertInto('take_pack').values(pack).execute();
    },

    /** With how far each is, the newest first. */
    ofTake: (farmId: number, takeId: number) =>
      db
        .selectFrom('take_pack as p')
        .leftJoin('long_job as j', (join) =>
          join.onRef('j.farm_id', '=', 'p.farm_id').onRef('j.uid', '=', 'p.job_uid'),
        )
        .leftJoin('account as a', 'a.id', 'p.account_id')
        .select((eb) => [
          'p.uid',
          'p.job_uid',
          'p.from_day',
          'p.to_day',
          'p.codes',
          'p.gaps_left_out',
          'p.asked_at',
          'p.kept_until',
          'p.account_id',
          sql<number | null>`octet_length(${eb.ref('p.content')})`.as('bytes'),
          'j.state',
          'j.progress',
          'j.progress_text',
          'j.error',
          sql<string>`coalesce(nullif(${eb.ref('a.name')}, ''), ${eb.ref('a.email')}, '')`.as('by'),
        ])
        .where('p.farm_id', '=', farmId)
        .where('p.take_id', '=', takeId)
        .orderBy('p.asked_at', 'desc')
        .orderBy('p.uid', 'desc')
        .limit(PACKS.most)
        .execute(),

    /** Those of which something was missing when they were made. */
    ofGaps: (farmId: number, takeId: number): Promise<{ uid: string; missing: Missing | null }[]> =>
      db
        .selectFrom('take_pack')
        .select(['uid', 'missing'])
        .where('farm_id', '=', farmId)
        .where('take_id', '=', takeId)
        .where(sql<boolean>`jsonb_array_length(missing) > 0`)
        .orderBy('asked_at', 'desc')
        .limit(PACKS.most)
        .execute(),

    /** What a job makes; undefined where it is gone, or its farm. */
    async wanted(
      farmId: number,
      uid: string,
    ): Promise<{ pack: PackRow; takeUid: string; farm: FarmRow } | undefined> {
      const pack = await one(farmId, uid);
      if (!pack) return undefined;
      const farm = await db
        .selectFrom('farm')
        .selectAll()
        .where('id', '=', farmId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      const take = await db
        .selectFrom('water_take')
        .select('uid')
        .where('farm_id', '=', farmId)
        .where('id', '=', pack.take_id)
        .executeTakeFirst();
      return farm && take && { pack, takeUid: take.uid, farm };
    },

    async keep(
      farmId: number,
      uid: string,
      { fileName, content, missing }: { fileName: string; content: Uint8Array; missing: Missing },
    ): Promise<void> {
      await db
        .updateTable('take_pack')
        .set({ file_name: fileName, content: Buffer.from(content), missing: JSON.stringify(missing) })
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid)
        .execute();
    },

    async purge(now: Date): Promise<void> {
      await db.deleteFrom('take_pack').where('kept_until', '<=', now).execute();
    },
  };
}
export type PacksRepo = ReturnType<typeof createPacksRepo>;
