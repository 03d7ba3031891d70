import type { NotificationTimes } from '@headrace/contract/notification-ways';
import type { Db } from '../../db/client.ts';
import { invalid } from '../../http/errors.ts';
import { isZone } from '../farm-clock/is-zone.ts';
import type { Messages } from '../messages/messages.ts';
import { tellOfEscalations } from './refused-escalations.ts';
import { type Preference, readPreferences, writePreference } from './preferences.repo.ts';

/** When and by which ways a person wants to hear of alerts. */
export function createPreferencesService(db: Db, messages: Pick<Messages, 'notify'>) {
  const read = async (accountId: number): Promise<NotificationTimes> =>
    toTimes((await readPreferences(db, [accountId]))(accountId));
  return {
    read,

    /** Throws invalid for a zone that there is none of. Whoever counts on somebody who no longer takes escalations hears of it. */
    async write(
      accountId: number,
      { quiet, ways, ...wanted }: NotificationTimes,
      now: Date,
    ): Promise<NotificationTimes> {
      if (quiet && !isZone(quiet.zone)) throw invalid('There is no such time zone.', 'quiet.zone');
      const hours = quiet && { from: minuteOf(quiet.from), to: minuteOf(quiet.to), zone: quiet.zone };
      await db.transaction().execute(async (trx) => {
        const kept = (await readPreferences(trx, [accountId]))(accountId);
        const { digest = kept.digest, escalations = kept.escalations } = wanted;
        await writePreference(trx, accountId, { quiet: hours, ways, digest, escalations }, now);
        if (escalations !== kept.escalations)
          await tellOfEscalations(trx, messages, accountId, escalations, now);
      });
      return read(accountId);
    },
  };
}
export type PreferencesService = ReturnType<typeof createPreferencesService>;

function minuteOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

const clockOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

const toTimes = ({ quiet, ways, digest, escalations }: Preference): NotificationTimes => ({
  quiet: quiet && { from: clockOf(quiet.from), to: clockOf(quiet.to), zone: quiet.zone },
  ways,
  digest,
  escalations,
});
