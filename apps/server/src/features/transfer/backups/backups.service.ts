import { backupNotFoundText } from '@headrace/contract/texts';
import type { Backup, RestorePlan, restoreBackup } from '@headrace/contract/backups';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { BACKUP_DESCRIPTION_MAX } from '@headrace/contract/limits';
import type { Db } from '../../../db/client.ts';
import type { FarmRow } from '../../../db/schema.ts';
import { ApiFailure, notFound } from '../../../http/errors.ts';
import type { DeviceRecords } from '../../devices/device-records.ts';
import type { By } from '../../devices/record-change.ts';
import type { BackupJobs } from './backup-jobs.ts';
import type { BackupStore } from './backup-store.ts';
import type { BackupsRepo } from './backups.repo.ts';
import type { ReadFor } from './farm-now.ts';
import type { RestoreItem } from './plan-restore.ts';
import { lookIn, type RestoreParts, restoreIn } from './restore.ts';

interface Uses extends RestoreParts {
  readonly backups: BackupsRepo;
  readonly store: BackupStore;
  readonly jobs: Pick<BackupJobs, 'proveOne'>;
  readonly records: DeviceRecords;
}

/** Backups of a farm's configuration as people make, look at, restore and delete them. */
export function createBackupsService(db: Db, { backups, store, jobs, records, ...parts }: Uses) {
  /** The revision is read first: whoever restores by a plan that was overtaken gets the new one. */
  async function planIn(trx: Db, farmId: number, uid: string, reads: ReadFor) {
    const backup = await store.read(trx, farmId, uid);
    const revision = await parts.content.revision(farmId, trx);
    const { items } = await lookIn(trx, parts, await backups.farm(farmId, trx), {
      snapshot: backup.snapshot,
      reads,
    });
    return { backup, revision, plan: toPlan(items, revision, backup) };
  }

  return {
    async list({ id }: FarmRow): Promise<Backup[]> {
      const changed = await backups.changedSince(id);
      return (await backups.list(id)).map((row) => toBackup(row, changed.get(row.uid) ?? 0));
    },

    async create({ id }: FarmRow, description: string, by: By): Promise<Backup> {
      const of = { description, cause: 'person', captured: await store.capture(db, id) } as const;
      const uid = await records.looking((trx) => store.write(trx, id, of, by));
      await jobs.proveOne(id, uid, by.now);
      const row = await backups.one(id, uid);
      if (!row) throw notFound();
      return toBackup(row, (await backups.changedSince(id)).get(uid) ?? 0);
    },

    plan: ({ id }: FarmRow, uid: string): Promise<RestorePlan> =>
      records.looking(async (trx) => (await planIn(trx, id, uid, 'plan')).plan),

    /** Throws conflict with the new plan where the farm is not as it was planned for. */
    async restore(
      { id }: FarmRow,
      { bakUID, revision: seen }: BodyOf<typeof restoreBackup>,
      by: By,
    ): Promise<ReplyOf<typeof restoreBackup>> {
      const afterwards: (() => void)[] = [];
      const { description } = await store.read(db, id, bakUID);
      const named = description === '' ? 'a backup' : description;
      const title = description === '' ? 'A backup restored' : `Backup “${description}” restored`;
      const what = { act: 'restore', title } as const;
      const { result, batchId } = await records.undoable(id, by, what, async (trx, batched) => {
        afterwards.length = 0;
        const { backup, revision, plan } = await planIn(trx, id, bakUID, 'restore');
        if (seen !== undefined && seen !== revision) throw movedOn(plan);
        const before = {
          description: beforeText(named),
          cause: 'before',
          keeping: bakUID.toLowerCase(),
        } as const;
        await store.write(trx, id, before, by);
        const of = { ...backup, reads: 'restore' } as const;
        const done = await restoreIn(trx, parts, await backups.farm(id, trx), of, batched);
        afterwards.push(...done);
        return plan.counts;
      });
      for (const act of afterwards) act();
      const { stay, ...rest } = result;
      const restored = Object.values(rest).reduce((sum, count) => sum + count, 0);
      return { success: true, restored, stayed: stay, batchId };
    },

    async remove({ id }: FarmRow, given: string): Promise<{ deleted: boolean }> {
      const row = await backups.one(id, given.toLowerCase());
      if (!row) throw notFound(backupNotFoundText(given));
      await backups.remove(db, id, [row.id]);
      return { deleted: true };
    },
  };
}
export type BackupsService = ReturnType<typeof createBackupsService>;

const beforeText = (named: string) => `Before restore ${named}`.slice(0, BACKUP_DESCRIPTION_MAX);

type BackupRow = Awaited<ReturnType<BackupsRepo['list']>>[number];

const toBackup = (row: BackupRow, changedSince: number): Backup => ({
  _id: row.uid,
  desc: row.description,
  createdAt: row.createdAt.toISOString(),
  by: row.by ?? '',
  automatic: row.cause !== 'person',
  bytes: row.bytes,
  counts: row.counts,
  changedSince,
  provedAt: row.provedAt?.toISOString() ?? null,
  fault: row.fault,
  tries: row.provedAt === null ? row.tries : 0,
  triedAt: row.provedAt === null ? (row.triedAt?.toISOString() ?? null) : null,
});

function toPlan(
  items: readonly RestoreItem[],
  revision: string,
  { description, createdAt }: { description: string; createdAt: Date },
): RestorePlan {
  const rows = items.map(({ row }) => row);
  const counts = { 'come back': 0, 'change back': 0, 'take off': 0, stay: 0 };
  for (const { action } of rows) counts[action] += 1;
  return { revision, desc: description, createdAt: createdAt.toISOString(), counts, rows };
}

const movedOn = (plan: RestorePlan) =>
  new ApiFailure(
    'conflict',
    'The farm was changed since you looked. Please look at what the restore would do now.',
    'revision',
    plan,
  );
