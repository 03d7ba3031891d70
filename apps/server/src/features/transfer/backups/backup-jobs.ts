import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import type { Db } from '../../../db/client.ts';
import { toZone } from '../../farm-clock/farm-zone.ts';
import type { Messages } from '../../messages/messages.ts';
import type { BackupFailures, Fails } from './backup-failures.ts';
import { type BackupStore, DamagedBackup } from './backup-store.ts';
import type { BackupsRepo, ChangedFarm } from './backups.repo.ts';
import { prove } from './prove.ts';
import type { RestoreParts } from './restore.ts';

/** By the farm's clock: 02:30 doesn't exist on one night a year. */
const NIGHT = { from: '04:10', to: '06:00' } as const;
/** A night that was missed is made up for by day, when nobody has changed anything for so long, ms. */
const QUIET_MS = 3_600_000;
/** Other jobs wait for the place: what is left is done a minute later, ms. */
const RUN_MS = 20_000;
/** What has failed is tried again after so long, so that others have their turn first, ms. */
const AGAIN_MS = 3_600_000;
/** What fails for so long is told, ms. */
const DAY_MS = 24 * 3_600_000;

interface Parts extends RestoreParts {
  readonly messages: Pick<Messages, 'notify'>;
  readonly log: { error(details: object, message: string): void };
}

interface Kept {
  readonly backups: BackupsRepo;
  readonly store: BackupStore;
  readonly failures: BackupFailures;
}

/** What becomes of backups by itself: one a night where something has changed, and a trial of each. */
export function createBackupJobs(
  db: Db,
  { backups, store, failures }: Kept,
  { messages, log, ...parts }: Parts,
) {
  /** The nights of farms and the trials of backups (by uid) that have failed: when. */
  const failed = new Map<string, number>();

  /** What fails for one farm is noted, and keeps no other farm from its turn. Where it fails for a day, the owner is told. */
  async function guarded(
    key: string,
    { farmId, what }: { farmId: number; what: Fails },
    now: Date,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
      await failures.forget(farmId, what);
    } catch (error) {
      failed.set(key, now.getTime());
      log.error({ err: error, farmId, of: key }, 'a backup was not made or tried');
      // The database may be what has failed.
      await noteFailure(farmId, what, error, now).catch(() => {});
    }
  }

  async function noteFailure(farmId: number, what: Fails, error: unknown, now: Date): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    const { since } = await failures.note(farmId, what, reason, now);
    if (now.getTime() - since.getTime() < DAY_MS) return;
    const farm = await backups.farm(farmId, db);
    const dedupeKey = `backup fails ${farm.uid} ${what} ${since.toISOString()}`;
    await messages.notify(farm.owner_id, { ...noteOf(what, farm.name), dedupeKey }, now);
  }

  function justFailed(now: Date): string[] {
    for (const [key, at] of failed) if (Math.abs(now.getTime() - at) >= AGAIN_MS) failed.delete(key);
    return [...failed.keys()];
  }

  async function nightly(now: Date, isTime: () => boolean): Promise<void> {
    const waiting = new Set(justFailed(now));
    const farms = await backups.changed();
    for (const { id } of farms.filter((farm) => isDue(farm, now) && !waiting.has(`night ${farm.id}`))) {
      if (!isTime()) return;
      await guarded(`night ${id}`, { farmId: id, what: 'night' }, now, async () => {
        const captured = await store.capture(db, id);
        const of = { description: 'Nightly', cause: 'night', captured } as const;
        await db.transaction().execute((trx) => store.write(trx, id, of, { accountId: null, now }));
      });
    }
  }

  /** Null where it can't be said now: another server tries it, or it is deleted or was tried. */
  const tryOut = (farmId: number, uid: string, now: Date) =>
    db.transaction().execute(async (trx) => {
      if (!(await backups.takeForTrial(trx, farmId, uid))) return null;
      const farm = await backups.farm(farmId, trx);
      const fault = await store
        .read(trx, farmId, uid)
        .then(({ snapshot }) => prove(trx, parts, farm, snapshot, now), damageOf);
      await backups.noteProof(trx, farmId, uid, fault, now);
      return { farm, fault };
    });

  /**
   * Restores it on trial, notes how that went, and tells the owner where the backup is at fault. A database that is away, busy or restarted
   * says nothing of the backup: it waits for another trial.
   */
  const proveOne = (farmId: number, uid: string, now: Date) =>
    guarded(uid, { farmId, what: uid }, now, async () => {
      const trial = await tryOut(farmId, uid, now);
      if (!trial || trial.fault === '') return;
      const note = {
        title: `A backup of ${trial.farm.name} can't be relied on`,
        message: `${trial.fault} Please make another one.`,
        dedupeKey: `backup ${uid}`,
      };
      await messages.notify(trial.farm.owner_id, note, now);
    });

  async function proveAll(now: Date, isTime: () => boolean): Promise<void> {
    for (const { farmId, uid } of await backups.unproved(justFailed(now))) {
      if (!isTime()) return;
      await proveOne(farmId, uid, now);
    }
  }

  return {
    proveOne,

    /** One job, as each has one of the few places of jobs. What it finds no time for is done at its next turn. */
    async run(now: Date): Promise<void> {
      const until = performance.now() + RUN_MS;
      const isTime = () => performance.now() < until;
      await nightly(now, isTime);
      await proveAll(now, isTime);
    },
  };
}
export type BackupJobs = ReturnType<typeof createBackupJobs>;

/** Once a day of the farm, and not while people are at work. */
function isDue(farm: ChangedFarm, now: Date): boolean {
  const local = (at: Date) =>
    new Date(at.getTime() + farmOffsetSeconds(toZone(farm), at.getTime()) * 1000).toISOString();
  const [day, time] = [local(now).slice(0, 10), local(now).slice(11, 16)];
  if (time < NIGHT.from || (farm.lastNight && local(farm.lastNight).slice(0, 10) === day)) return false;
  return time < NIGHT.to || now.getTime() - farm.changedAt.getTime() >= QUIET_MS;
}

const noteOf = (what: Fails, farm: string) =>
  what === 'night'
    ? {
        title: `No backup of ${farm} is made`,
        message:
          'The backup of the night has failed for a day. Please make one yourself under Backup & Restore, and tell whoever runs this server.',
      }
    : {
        title: `A backup of ${farm} can't be tried`,
        message:
          'Its trial restore has failed for a day, so nobody knows whether it can be relied on. Please make another one under Backup & Restore, and tell whoever runs this server.',
      };

function damageOf(error: unknown): string {
  if (error instanceof DamagedBackup) return `It could not be restored on trial: ${error.message}`;
  throw error;
}
