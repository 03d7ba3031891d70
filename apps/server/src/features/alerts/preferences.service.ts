import type { NotificationTimes } from '@headrace/contract/notification-ways';
import type { Db } from '../../db/client.ts';
import { invalid } from '../../http/errors.ts';
import { isZone } from '../farm-clock/is-zone.ts';
import { type Preference, readPreferences, writePreference } from './preferences.repo.ts';

/** When and by which ways a person wants to hear of alerts. */
export function createPreferencesService(db: Db) {
  const read = async (accountId: number): Promise<NotificationTimes> =>
    toTimes((await readPreferences(db, [accountId]))(accountId));
  return {
    read,

    /** Throws invalid for a zone that there is none of. */
    async write(
      accountId: number,
      { quiet, ways, digest }: NotificationTimes,
      now: Date,
    ): Promise<NotificationTimes> {
      if (quiet && !isZone(quiet.zone)) throw invalid('There is no such time zone.', 'quiet.zone');
      const hours = quiet && { from: minuteOf(quiet.from), to: minuteOf(quiet.to), zone: quiet.zone };
      const kept = (await readPreferences(db, [accountId]))(accountId).digest;
      await writePreference(db, accountId, { quiet: hours, ways, digest: digest ?? kept }, now);
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

const toTimes = ({ quiet, ways, digest }: Preference): NotificationTimes => ({
  quiet: quiet && { from: clockOf(quiet.from), to: clockOf(quiet.to), zone: quiet.zone },
  ways,
  digest,
});
