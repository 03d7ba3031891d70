import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';

interface Row {
  readonly row: Readonly<Record<string, unknown>>;
  readonly members: string[];
}

/** Takes a group off the farm; its devices stay. The caller has locked the farm's groups. */
export async function removeGroup(
  trx: Db,
  farmId: number,
  group: { readonly id: number; readonly uid: string; readonly name: string },
  by: By,
): Promise<void> {
  const { uid, name } = group;
  const { rows } = await sql<Row>`select to_jsonb(g) as row, array(select d.uid from device_group_member m
      join device d on d.farm_id = m.farm_id and d.id = m.device_id
      where m.farm_id = g.farm_id and m.group_id = g.id order by d.uid) as members
    from device_group g where g.farm_id = ${farmId} and g.id = ${group.id}`.execute(trx);
  const [found] = rows;
  if (found) by.batch?.records.push({ what: 'deleted', kind: 'group', uid, name, ...found });
  await trx.deleteFrom('device_group').where('farm_id', '=', farmId).where('id', '=', group.id).execute();
  const { accountId, page, batch } = by;
  await logChanges(
    trx,
    [{ farmId, accountId, kind: 'group', uid, name, what: 'deleted', fields: [], page, batch }],
    by.now,
  );
}
