import { backupNotFoundText } from '@headrace/contract/texts';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { BACKUP_MB_MAX, BACKUPS_PER_FARM } from '@headrace/contract/limits';
import type { Db } from '../../../db/client.ts';
import { newUid } from '../../../db/ids.ts';
import { breathe } from '../../../jobs/in-turns.ts';
import { ApiFailure, conflict, notFound } from '../../../http/errors.ts';
import type { FarmContentRepo } from '../farm-content.repo.ts';
import type { BackupsRepo } from './backups.repo.ts';
import { tooMany } from './kept-backups.ts';
import { sortedText } from '../sorted-text.ts';
import { countsOf, type Snapshot, takeSnapshot } from './snapshot.ts';

interface Cause {
  readonly description: string;
  readonly cause: 'person' | 'night' | 'before';
  readonly captured?: Captured;
  readonly keeping?: string;
}

/** The farm at one moment, and the newest change that it has. */
interface Captured {
  readonly snapshot: Snapshot;
  readonly revision: string;
}

/** What was kept isn't what was written. */
export class DamagedBackup extends ApiFailure {
  constructor() {
    super('conflict', 'This backup is damaged: it is not what was written.', 'bakUID');
  }
}

const BYTES_MAX = BACKUP_MB_MAX * 1024 * 1024;
const hashOf = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

/** Backups as they are kept: written in a transaction, read back and compared with their hash. */
export function createBackupStore(backups: BackupsRepo, content: FarmContentRepo) {
  async function captureIn(trx: Db, farmId: number): Promise<Captured> {
    const revision = await content.revision(farmId, trx);
    return { revision, snapshot: await takeSnapshot(trx, content, await backups.farm(farmId, trx)) };
  }

  return {
    /** Whatever is written meanwhile, all of it is as it was at one moment. To be written afterwards: that waits for other writers. */
    capture: (db: Db, farmId: number): Promise<Captured> =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute((trx) => captureIn(trx, farmId)),

    /**
     * What was captured, or the farm as the transaction sees it, which is to have it locked then. Throws conflict where a person has as many
     * as one may have, and where the farm has more than a backup holds. Its uid. `keeping`: of a backup that is in use and stays.
     */
    async write(
      trx: Db,
      farmId: number,
      { description, cause, captured, keeping }: Cause,
      { accountId, now }: { readonly accountId: number | null; readonly now: Date },
    ): Promise<string> {
      await backups.lock(trx, farmId);
      const own = (await backups.list(farmId, trx)).filter((one) => one.cause === 'person');
      if (cause === 'person' && own.length >= BACKUPS_PER_FARM.own)
        throw conflict(
          `The farm has ${BACKUPS_PER_FARM.own} backups that people made, the most there can be. Please delete one first.`,
        );
      const { revision, snapshot } = captured ?? (await captureIn(trx, farmId));
      const text = await textOf(snapshot);
      const uid = newUid(now);
      await backups.insert(trx, farmId, {
        uid,
        description,
        cause,
        accountId,
        revision,
        counts: countsOf(snapshot),
        content: await promisify(gzip)(text),
        sha256: hashOf(text),
        now,
      });
      await backups.remove(trx, farmId, tooMany(await backups.list(farmId, trx), now, keeping));
      return uid;
    },

    /** Throws notFound with the published sentence, and conflict where it isn't what was written. */
    async read(trx: Db, farmId: number, given: string) {
      const uid = given.toLowerCase();
      const row = await backups.content(farmId, uid, trx);
      if (!row) throw notFound(backupNotFoundText(uid));
      const bytes = await unpacked(row.content);
      if (!bytes || !hashOf(bytes).equals(row.sha256)) throw new DamagedBackup();
      await breathe();
      const text = bytes.toString();
      await breathe();
      return { ...row, snapshot: JSON.parse(text) as Snapshot };
    },
  };
}
export type BackupStore = ReturnType<typeof createBackupStore>;

/** Null where it can't be unpacked, or gives more than was ever packed. */
const unpacked = (content: Buffer): Promise<Buffer | null> =>
  promisify(gunzip)(content, { maxOutputLength: BYTES_MAX }).catch(() => null);

/** Throws conflict where it is more than a backup holds. */
async function textOf(snapshot: Snapshot): Promise<string> {
  const text = await textOrNull(snapshot);
  if (text !== null && Buffer.byteLength(text) <= BYTES_MAX) return text;
  throw conflict(
    `The farm has more than a backup holds, ${BACKUP_MB_MAX} MB. Please delete schedule sets that are not needed any more.`,
  );
}

async function textOrNull(snapshot: Snapshot): Promise<string | null> {
  try {
    return await sortedText(snapshot);
  } catch (error) {
    // A text can't be as long as that.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
