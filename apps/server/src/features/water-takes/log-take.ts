import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';

/** What changed of a farm's takes and of the evidence, in its history. */
export async function logTake(trx: Db, farm: FarmRow, by: By, before: object, after: object): Promise<void> {
  const fields = fieldChanges(before, after);
  if (fields.length === 0) return;
  const { id: farmId, uid, name } = farm;
  const { accountId, page, batch } = by;
  await logChanges(
    trx,
    [{ farmId, accountId, kind: 'farm', uid, name, what: 'changed', fields, page, batch }],
    by.now,
  );
}
