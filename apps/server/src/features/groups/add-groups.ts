import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import { logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';

/** Makes groups with these names, which the farm doesn't have; their uids by name. The caller has locked the farm's groups. */
export async function addGroups(
  trx: Db,
  farmId: number,
  names: readonly string[],
  by: By,
): Promise<ReadonlyMap<string, string>> {
  const uids = new Map(names.map((name) => [name, newUid(by.now)]));
  if (uids.size === 0) return uids;
  const rows = [...uids].map(([name, uid]) => ({
    farm_id: farmId,
    uid,
    name,
    created_at: by.now,
    updated_at: by.now,
  }));
  for (let start = 0; start < rows.length; start += ROWS_OF_STATEMENT)
    await trx
      .insertInto('device_group')
      .values(rows.slice(start, start + ROWS_OF_STATEMENT))
      .execute();
  by.batch?.records.push(
    ...rows.map(({ uid, name }) => ({
      what: 'added' as const,
      kind: 'group' as const,
      uid,
      name,
      version: 1,
    })),
  );
  const { accountId, page, batch } = by;
  await logChanges(
    trx,
    rows.map(({ uid, name }) => {
      return {
        farmId,
        accountId,
        kind: 'group',
        uid,
        name,
        what: 'created',
        fields: [],
        page,
        batch,
      } as const;
    }),
    by.now,
  );
  return uids;
}

/** A statement has 65,535 parameters at most. */
const ROWS_OF_STATEMENT = 1000;

/** One change of groups at a time on a farm: which of them are lateral decides who may be in which. */
export async function lockGroups(trx: Db, farmId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('headrace groups'), ${farmId})`.execute(trx);
}
