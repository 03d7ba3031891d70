import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { BACKUPS_PER_FARM } from '@headrace/contract/limits';
import type { Db } from '../../../db/client.ts';
import { newUid } from '../../../db/ids.ts';
import { conflict, notFound } from '../../../http/errors.ts';
import type { FarmContentRepo } from '../farm-content.repo.ts';
import type { BackupsRepo } from './backups.repo.ts';
import { tooMany } from './kept-backups.ts';
import { countsOf, type Snapshot, snapshotText, takeSnapshot } from './snapshot.ts';

interface Cause {
  readonly description: string;
  readonly cause: 'person' | 'night' | 'before';
}

const hashOf = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

/** Backups as they are kept: written in a transaction, read back and compared with their hash. */
export function createBackupStore(backups: BackupsRepo, content: FarmContentRepo) {
  return {
    /** The farm as the transaction sees it. Throws conflict where a person has as many as one may have. Its uid. */
    async write(
      trx: Db,
      farmId: number,
      { description, cause }: Cause,
      { accountId, now }: { readonly accountId: number | null; readonly now: Date },
    ): Promise<string> {
      await backups.lock(trx, farmId);
      const own = (await backups.list(farmId, trx)).filter((one) => one.cause === 'person');
      if (cause === 'person' && own.length >= BACKUPS_PER_FARM.own)
        throw conflict(
          `The farm has ${BACKUPS_PER_FARM.own} backups that people made, the most there can be. Please delete one first.`,
        );
      const revision = await content.revision(farmId, trx);
      const snapshot = await takeSnapshot(trx, content, await backups.farm(farmId, trx));
      const text = snapshotText(snapshot);
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
      await backups.remove(trx, farmId, tooMany(await backups.list(farmId, trx), now));
      return uid;
    },

    /** Throws notFound with the published sentence, and conflict where it isn't what was written. */
    async read(trx: Db, farmId: number, given: string) {
      const uid = given.toLowerCase();
      const row = await backups.content(farmId, uid, trx);
      if (!row) throw notFound(`Sorry, cant find the backup with UID ${uid}!`);
      const bytes = await promisify(gunzip)(row.content);
      if (!hashOf(bytes).equals(row.sha256))
        throw conflict('This backup is damaged: it is not what was written.', 'bakUID');
      return { ...row, snapshot: JSON.parse(bytes.toString()) as Snapshot };
    },
  };
}
export type BackupStore = ReturnType<typeof createBackupStore>;
