import type { BodyOf } from '@headrace/contract/endpoint';
import { DAY_MS } from '@headrace/contract/rules/water-take/clock';
import {
  type addRegisterReading,
  type noteGap,
  TAKE_DAYS,
  TAKES,
  type WaterTake,
} from '@headrace/contract/water-takes';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import type { By } from '../devices/record-change.ts';
import { logTake } from './log-take.ts';
import { bestNote, replacedBy, type TakeNote } from '@headrace/contract/rules/water-take/note-fit';
import { loggedNote, loggedReading, presentTake } from './present-take.ts';
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
      const reading = { uid: newUid(by.now), meterId: meter.id, at: time, register, note, by: '' };
      await repo.inTransaction(farm.id, async (trx) => {
        const { by: _, ...row } = reading;
        await notes.addRegister(trx, farm.id, { ...row, accountId: by.accountId });
        await logTake(trx, farm, by, {}, { registerReading: loggedReading(take, reading) });
      });
      return presentTake(await one(farm, take.uid));
    },

    async removeReading(farm: FarmRow, readingUid: string, by: By): Promise<WaterTake> {
      const uid = readingUid.toLowerCase();
      const takes = await repo.takes(farm.id);
      const take = takes.find(({ readings }) => readings.some((reading) => reading.uid === uid));
      const reading = take?.readings.find((one) => one.uid === uid);
      if (!take || !reading) throw notFound();
      await repo.inTransaction(farm.id, async (trx) => {
        await notes.removeRegister(trx, farm.id, uid);
        await logTake(
          trx,
          farm,
          by,
          { registerReading: loggedReading(take, reading) },
          { registerReading: null },
        );
      });
      return presentTake(await one(farm, take.uid));
    },

    /** Throws invalid for a time to come, and for more days than are looked at at once. */
    async noteGap(
      farm: FarmRow,
      { uid, from, to, note }: Omit<BodyOf<typeof noteGap>, 'farmUID'>,
      by: By,
    ): Promise<{ note: string }> {
      const take = await one(farm, uid);
      const span = { from: new Date(from), to: new Date(to) };
      if (span.to <= span.from) throw invalid('to: this is before the start.', 'to');
      if (span.to > by.now) throw invalid('to: this time is still to come.', 'to');
      if (span.to.getTime() - span.from.getTime() > TAKE_DAYS.days * DAY_MS)
        throw invalid(`to: a note is of ${TAKE_DAYS.days} days at most.`, 'to');
      await repo.inTransaction(farm.id, async (trx) => {
        const known = await notes.notes(farm.id, take.id, trx);
        const replaced = ownNotes(known, { ...span, note });
        if (note !== '' && known.length - replaced.length >= TAKES.notes)
          throw conflict(
            `A take has ${TAKES.notes} notes at most: take the note of another gap away first.`,
            'note',
          );
        await notes.saveNote(trx, farm.id, take.id, { ...span, note }, { accountId: by.accountId, replaced });
        const texts = replaced.map((one) => loggedNote(take, one));
        const after = note === '' ? [] : [loggedNote(take, { ...span, note })];
        await logTake(trx, farm, by, { gapNotes: texts }, { gapNotes: after });
      });
      return { note };
    },
  };
}
export type TakeNotesService = ReturnType<typeof createTakeNotesService>;

/** What a note takes the place of; who takes one away means the one that is shown. */
function ownNotes(known: readonly TakeNote[], { from, to, note }: TakeNote): TakeNote[] {
  const gap = { from: from.getTime(), to: to.getTime() };
  const replaced = replacedBy(known, gap);
  const shown = note === '' ? bestNote(known, gap) : undefined;
  return shown && !replaced.includes(shown) ? [...replaced, shown] : replaced;
}
