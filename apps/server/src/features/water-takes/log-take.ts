import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { loggedTake, lostReadings } from './present-take.ts';
import type { TakeRecord } from './takes.repo.ts';

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

/** A take that is new, changed or gone (then there is none after it), with the readings of registers that went with it. */
export async function logTakeChange(
  trx: Db,
  farm: FarmRow,
  by: By,
  before: TakeRecord | undefined,
  after: TakeRecord | undefined,
): Promise<void> {
  const lost = before ? lostReadings(before, after) : null;
  const was = { ...loggedTake(before), registerReadings: lost };
  await logTake(trx, farm, by, was, { ...loggedTake(after), registerReadings: null });
}
