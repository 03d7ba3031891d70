import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Db } from '../db/client.ts';
import { newUid } from '../db/ids.ts';
import type { FarmRow } from '../db/schema.ts';
import { countsOf, type Snapshot, takeSnapshot } from '../features/transfer/backups/snapshot.ts';
import { createFarmContentRepo } from '../features/transfer/farm-content.repo.ts';
import { sortedText } from '../features/transfer/sorted-text.ts';

/** A backup of the farm as it is, that a person made; its uid. */
export async function buildBackup(
  db: Db,
  farm: FarmRow,
  values: {
    cause?: 'person' | 'night' | 'before';
    at?: Date;
    change?: (snapshot: Snapshot) => Snapshot;
  } = {},
): Promise<string> {
  const uid = newUid();
  const { change = (as: Snapshot) => as } = values;
  const snapshot = change(await takeSnapshot(db, createFarmContentRepo(db), farm));
  const text = await sortedText(snapshot);
  await db
    .insertInto('farm_backup')
    .values({
      farm_id: farm.id,
      uid,
      description: 'Before lambing',
      created_at: values.at ?? new Date('2026-11-20T20:00:00Z'),
      account_id: farm.owner_id,
      cause: values.cause ?? 'person',
      revision: '0',
      counts: JSON.stringify(countsOf(snapshot)),
      content: gzipSync(text),
      sha256: createHash('sha256').update(text).digest(),
    })
    .execute();
  return uid;
}
