import type { ScheduleSet as PublishedSet } from '@headrace/contract/schedules';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { KeptDesign } from '../../db/schema/commands.ts';
import { type LoggedChange, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { createScheduleSets, type NewSetUnit } from './schedule-sets.ts';

/** A template of a backup that is no longer known comes back under its uid. */
export async function returnTemplate(
  trx: Db,
  farmId: number,
  { uid, name, body }: { readonly uid: string; readonly name: string; readonly body: KeptDesign },
  by: By,
): Promise<void> {
  await trx
    .insertInto('schedule_template')
    .values({
      farm_id: farmId,
      uid,
      name,
      body: JSON.stringify(body),
      created_by: by.accountId,
      updated_by: by.accountId,
      created_at: by.now,
      updated_at: by.now,
    })
    .execute();
  await noteReturn(trx, farmId, 'schedule template', { uid, name }, by);
}

/** A set of a backup of which nothing but its name is known comes back under its uid, with the sprinklers that the farm has. */
export async function returnSet(trx: Db, farmId: number, set: PublishedSet, by: By): Promise<void> {
  const devices = await idsBySerial(trx, farmId);
  const uidOf = new Map(set.groups.map(({ name, uid }) => [name, uid]));
  const units = set.schedules.flatMap(({ serialNumber, group, scheduleGroup, schedules }): NewSetUnit[] => {
    const deviceId = devices.get(serialNumber.toLowerCase());
    if (deviceId === undefined) return [];
    // A group that is gone keeps its name.
    const groupUid = uidOf.get(group) || newUid(by.now);
    return [{ deviceId, groupUid, groupName: group, scheduleGroup, entries: schedules }];
  });
  await createScheduleSets(trx).store(farmId, {
    uid: set._id,
    name: set.name,
    cycleMinutes: set.settings.cycleLen,
    units,
  });
  await noteReturn(trx, farmId, 'schedule set', { uid: set._id, name: set.name }, by);
}

async function idsBySerial(trx: Db, farmId: number): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('device')
    .select(['id', 'serial_number'])
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'sprinkler')
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, serial_number }) => [serial_number.toLowerCase(), id]));
}

async function noteReturn(
  trx: Db,
  farmId: number,
  kind: 'schedule template' | 'schedule set',
  { uid, name }: { readonly uid: string; readonly name: string },
  { accountId, page, batch, now }: By,
): Promise<void> {
  const columns = { deleted_at: [now.toISOString(), null] } as const;
  batch?.records.push({ what: 'changed', kind, uid, name, columns });
  const change: LoggedChange = {
    farmId,
    accountId,
    kind,
    uid,
    name,
    what: 'restored',
    fields: [],
    page,
    batch,
  };
  await logChanges(trx, [change], now);
}
