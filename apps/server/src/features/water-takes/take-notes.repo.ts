import type { Db } from '../../db/client.ts';
import type { TakeNote } from '@headrace/contract/rules/water-take/note-fit';
import type { RegisterRow } from './takes.repo.ts';

/** What people read off meters, and noted of what is missing. Every query stays on the farm. */
export function createTakeNotesRepo(db: Db) {
  return {
    async addRegister(
      trx: Db,
      farmId: number,
      { accountId, ...row }: Omit<RegisterRow, 'by'> & { accountId: number },
    ): Promise<void> {
      const { meterId, ...values } = row;
      await trx
        .insertInto('take_reading')
        .values({ farm_id: farmId, meter_id: meterId, account_id: accountId, ...values })
        .execute();
    },

    async removeRegister(trx: Db, farmId: number, uid: string): Promise<void> {
      await trx.deleteFrom('take_reading').where('farm_id', '=', farmId).where('uid', '=', uid).execute();
    },

    async notes(farmId: number, takeId: number, from: Db = db): Promise<TakeNote[]> {
      return from
        .selectFrom('take_note')
        .select(['from_at as from', 'to_at as to', 'note'])
        .where('farm_id', '=', farmId)
        .where('take_id', '=', takeId)
        .orderBy('from_at')
        .execute();
    },

    /** Instead of these; an empty one is none. */
    async saveNote(
      trx: Db,
      farmId: number,
      takeId: number,
      { from, to, note }: TakeNote,
      { accountId, replaced }: { accountId: number; replaced: readonly TakeNote[] },
    ): Promise<void> {
      if (replaced.length > 0)
        await trx
          .deleteFrom('take_note')
          .where('farm_id', '=', farmId)
          .where('take_id', '=', takeId)
          .where(
            'from_at',
            'in',
            replaced.map((one) => one.from),
          )
          .execute();
      if (note === '') return;
      await trx
        .insertInto('take_note')
        .values({ farm_id: farmId, take_id: takeId, from_at: from, to_at: to, note, account_id: accountId })
        .execute();
    },
  };
}
export type TakeNotesRepo = ReturnType<typeof createTakeNotesRepo>;
