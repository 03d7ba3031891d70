import type { BodyOf } from '@headrace/contract/endpoint';
import { type addRegisterReading, type noteGap, TAKES, type WaterTake } from '@headrace/contract/water-takes';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import type { By } from '../devices/record-change.ts';
import { presentTake } from './present-take.ts';
import type { TakeNotesRepo } from './take-notes.repo.ts';
import type { TakesService } from './takes.service.ts';
import type { TakeRecord, TakesRepo } from './takes.repo.ts';

/** What people read off meters, and know of what is missing. */
export function createTakeNotesService(
  repo: TakesRepo,
  notes: TakeNotesRepo,
  { one }: Pick<TakesService, 'one'>,
) {
  async function withMeter(farm: FarmRow, meterUid: string): Promise<TakeRecord> {
    const takes = await repo.takes(farm.id);
    const take = takes.find(({ meters }) => meters.some(({ uid }) => uid === meterUid.toLowerCase()));
    if (!take) throw notFound();
    return take;
  }

  return {
    /** Throws invalid for a time to come, and one at which the meter was not in place. */
    async addReading(
      farm: FarmRow,
      { meterUID, at, register, note }: Omit<BodyOf<typeof addRegisterReading>, 'farmUID'>,
      by: By,
    ): Promise<WaterTake> {
      const take = await withMeter(farm, meterUID);
      const meter = take.meters.find(({ uid }) => uid === meterUID.toLowerCase());
      if (!meter) throw notFound();
      const time = new Date(at);
      if (time > by.now) throw invalid('at: this time is still to come.', 'at');
      if (time < meter.startsAt || (meter.endsAt && time > meter.endsAt))
        throw invalid('at: the meter was not in place at this time.', 'at');
      const own = take.readings.filter(({ meterId }) => meterId === meter.id);
      if (own.length >= TAKES.readings)
        throw conflict(`A meter has ${TAKES.readings} readings at most: take old ones back first.`, 'at');
      await repo.inTransaction(farm.id, (trx) =>
        notes.addRegister(trx, farm.id, {
          uid: newUid(by.now),
          meterId: meter.id,
          at: time,
          register,
          note,
          accountId: by.accountId,
        }),
      );
      return presentTake(await one(farm, take.uid));
    },

    async removeReading(farm: FarmRow, readingUid: string): Promise<WaterTake> {
      const uid = readingUid.toLowerCase();
      const takes = await repo.takes(farm.id);
      const take = takes.find(({ readings }) => readings.some((reading) => reading.uid === uid));
      if (!take) throw notFound();
      await repo.inTransaction(farm.id, (trx) => notes.removeRegister(trx, farm.id, uid));
      return presentTake(await one(farm, take.uid));
    },

    async noteGap(
      farm: FarmRow,
      { uid, from, to, note }: Omit<BodyOf<typeof noteGap>, 'farmUID'>,
      by: By,
    ): Promise<{ note: string }> {
      const take = await one(farm, uid);
      const span = { from: new Date(from), to: new Date(to) };
      if (span.to <= span.from) throw invalid('to: this is before the start.', 'to');
      await repo.inTransaction(farm.id, async (trx) => {
        if (note !== '' && (await notes.countNotes(trx, farm.id, take.id)) >= TAKES.notes)
          throw conflict(`A take has ${TAKES.notes} notes at most.`, 'note');
        await notes.saveNote(trx, farm.id, take.id, { ...span, note }, by.accountId);
      });
      return { note };
    },
  };
}
export type TakeNotesService = ReturnType<typeof createTakeNotesService>;
