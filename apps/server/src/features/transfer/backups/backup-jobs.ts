import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import type { Db } from '../../../db/client.ts';
import { toZone } from '../../farm-clock/farm-zone.ts';
import type { Messages } from '../../messages/messages.ts';
import type { BackupStore } from './backup-store.ts';
import type { BackupsRepo } from './backups.repo.ts';
import { prove } from './prove.ts';
import type { RestoreParts } from './restore.ts';

/** By the farm's clock: 02:30 doesn't exist on one night a year. */
const NIGHT = '04:10';

/** What becomes of backups by itself: one a night where something has changed, and a trial of each. */
export function createBackupJobs(
  db: Db,
  { backups, store }: { readonly backups: BackupsRepo; readonly store: BackupStore },
  parts: RestoreParts & { readonly messages: Pick<Messages, 'notify'> },
) {
  /** Restores it on trial, notes how that went, and tells the owner where it failed. */
  async function proveOne(farmId: number, uid: string, now: Date): Promise<void> {
    const farm = await backups.farm(farmId, db);
    const fault = await store
      .read(db, farmId, uid)
      .then(({ snapshot }) => prove(db, parts, farm, snapshot, now))
      .catch((error: unknown) => `It could not be restored on trial: ${(error as Error).message}`);
    await backups.noteProof(farmId, uid, fault, now);
    if (fault === '') return;
    const note = {
      title: `A backup of ${farm.name} can't be relied on`,
      message: `${fault} Please make another one.`,
      dedupeKey: `backup ${uid}`,
    };
    await parts.messages.notify(farm.owner_id, note, now);
  }

  return {
    proveOne,

    /** Of the farms whose night it is, those where something was changed since their newest backup. */
    async nightly(now: Date): Promise<void> {
      for (const farm of await backups.changed()) {
        const local = (at: Date) =>
          new Date(at.getTime() + farmOffsetSeconds(toZone(farm), at.getTime()) * 1000).toISOString();
        const isNight = local(now).slice(11, 16) >= NIGHT;
        const wasToday = farm.lastNight && local(farm.lastNight).slice(0, 10) === local(now).slice(0, 10);
        if (!isNight || wasToday) continue;
        const of = { description: 'Nightly', cause: 'night' } as const;
        await db.transaction().execute((trx) => store.write(trx, farm.id, of, { accountId: null, now }));
      }
    },

    async proveAll(now: Date): Promise<void> {
      for (const { farmId, uid } of await backups.unproved()) await proveOne(farmId, uid, now);
    },
  };
}
export type BackupJobs = ReturnType<typeof createBackupJobs>;
