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
  const units = unitsOf(set, await unitsBySerial(trx, farmId), by.now);
  await createScheduleSets(trx).store(farmId, {
    uid: set._id,
    name: set.name,
    cycleMinutes: set.settings.cycleLen,
    units,
  });
  await noteReturn(trx, farmId, 'schedule set', { uid: set._id, name: set.name }, by);
}

interface Unit {
  readonly id: number;
  readonly name: string;
}

/** Of units that share a serial number each has what its name had, and a group has a unit once. */
function unitsOf(
  { groups, schedules: ofUnits }: PublishedSet,
  bySerial: ReadonlyMap<string, readonly Unit[]>,
  now: Date,
): NewSetUnit[] {
  // A group that is gone keeps its name, and is one group for all of its sprinklers.
  const uidOf = new Map(groups.map(({ name, uid }) => [name, uid || newUid(now)]));
  const taken = new Set<string>();
  return ofUnits.flatMap(({ name, serialNumber, group, scheduleGroup, schedules }): NewSetUnit[] => {
    const groupUid = uidOf.get(group) ?? '';
    const isFree = ({ id }: Unit) => !taken.has(`${groupUid} ${id}`);
    const free = (bySerial.get(serialNumber.toLowerCase()) ?? []).filter(isFree);
    const unit = free.find((one) => one.name === name) ?? free[0];
    if (!unit) return [];
    taken.add(`${groupUid} ${unit.id}`);
    return [{ deviceId: unit.id, groupUid, groupName: group, scheduleGroup, entries: schedules }];
  });
}

/** Several where units share one; the one that holds it comes first. */
async function unitsBySerial(trx: Db, farmId: number): Promise<Map<string, Unit[]>> {
  const rows = await trx
    .selectFrom('device')
    .select(['id', 'name', 'serial_number'])
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'sprinkler')
    .where('deleted_at', 'is', null)
    .orderBy('shares_serial')
    .orderBy('id')
    .execute();
  const found = new Map<string, Unit[]>();
  for (const { serial_number, ...unit } of rows) {
    const serial = serial_number.toLowerCase();
    found.set(serial, [...(found.get(serial) ?? []), unit]);
  }
  return found;
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
