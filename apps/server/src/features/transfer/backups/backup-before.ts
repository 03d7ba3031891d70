import type { Db } from '../../../db/client.ts';
import type { RecordEffects } from '../../devices/device-records.ts';
import { lockGroups } from '../../groups/add-groups.ts';
import { createFarmContentRepo } from '../farm-content.repo.ts';
import { createBackupStore } from './backup-store.ts';
import { createBackupsRepo } from './backups.repo.ts';

/** Backups before much is taken away, as before an import: in the same transaction. */
export function createBackupBefore(db: Db): RecordEffects['backUp'] {
  const store = createBackupStore(createBackupsRepo(db), createFarmContentRepo(db));
  return async (trx, farmId, description, by) => {
    // As imports and restores do, before any device is locked.
    await lockGroups(trx, farmId);
    await store.write(trx, farmId, { description, cause: 'before' }, by);
  };
}
