import type { Db } from '../../db/client.ts';
import { logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import type { GroupEntry } from './groups.repo.ts';

/** A group of a backup comes back under its uid, without members. The caller has locked the farm's groups. */
export async function returnGroup(
  trx: Db,
  farmId: number,
  { uid, wal_config: water, ...entry }: GroupEntry & { readonly uid: string },
  by: By,
): Promise<void> {
  const { accountId, page, batch, now } = by;
  await trx
    .insertInto('device_group')
    .values({
      farm_id: farmId,
      uid,
      ...entry,
      wal_config: water && JSON.stringify(water),
      created_at: now,
      updated_at: now,
    })
    .execute();
  const { name } = entry;
  batch?.records.push({ what: 'added', kind: 'group', uid, name, version: 1 });
  const change = {
    farmId,
    accountId,
    kind: 'group',
    uid,
    name,
    what: 'restored',
    fields: [],
    page,
    batch,
  } as const;
  await logChanges(trx, [change], now);
}
