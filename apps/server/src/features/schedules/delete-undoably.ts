import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { inBatch } from '../changes/change-batch.ts';
import { logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';

interface Deleted {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
}
type Mark = (farmId: number, id: number, at: Date) => RawBuilder<{ at: string }>;

/** With the time as JSON has it: an undo compares it with what it finds. */
const marks = {
  'schedule set': (farmId, id, at) =>
    sql`update schedule_set set deleted_at = ${at} where farm_id = ${farmId} and id = ${id}
      returning to_jsonb(deleted_at) #>> '{}' as at`,
  'schedule template': (farmId, id, at) =>
    sql`update schedule_template set deleted_at = ${at} where farm_id = ${farmId} and id = ${id}
      returning to_jsonb(deleted_at) #>> '{}' as at`,
} as const satisfies Record<string, Mark>;

/** A schedule set or template leaves the lists; its row is kept for as long as that can be undone. What undoes it. */
export async function deleteUndoably(
  trx: Db,
  farmId: number,
  kind: keyof typeof marks,
  { id, uid, name }: Deleted,
  by: By,
): Promise<string | null> {
  const what = { act: `delete ${kind}`, title: `${name} deleted` } as const;
  const { batchId } = await inBatch(trx, farmId, by, what, async ({ batch, accountId, page, now }) => {
    const { rows } = await marks[kind](farmId, id, now).execute(trx);
    const columns = { deleted_at: [null, rows[0]?.at] } as const;
    batch.records.push({ what: 'changed', kind, uid, name, columns });
    await logChanges(
      trx,
      [{ farmId, accountId, kind, uid, name, what: 'deleted', fields: [], page, batch }],
      now,
    );
  });
  return batchId;
}
