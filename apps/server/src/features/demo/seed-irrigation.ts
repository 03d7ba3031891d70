import { cycleLength, scheduleEntries } from '@headrace/demo/irrigation-plan';
import type { FarmProfile } from '@headrace/demo/profile';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';

/** Which gateway speaks for each unit, the groups that water together, and the set of schedules that the farm waters by. */
export async function seedIrrigation(db: Db, profile: FarmProfile, farmId: number, now: Date): Promise<void> {
  const devices = await db.selectFrom('device').select(['id', 'mac']).where('farm_id', '=', farmId).execute();
  const idOf = new Map(devices.map(({ id, mac }) => [mac, id]));
  for (const gateway of profile.gateways) {
    const macs = [...profile.sprinklers, ...profile.repeaters]
      .filter((unit) => unit.gatewayMac === gateway.mac)
      .map(({ mac }) => mac);
    if (macs.length === 0) continue;
    await db
      .updateTable('device')
      .set({ gateway_id: idOf.get(gateway.mac) ?? null })
      .where('farm_id', '=', farmId)
      .where('mac', 'in', macs)
      .execute();
  }
  if (!profile.irrigation) return;
  for (const name of profile.irrigation.groups) await seedGroup(db, profile, farmId, name, idOf, now);
  await seedSet(db, profile, farmId, idOf, now);
}

type DeviceIds = ReadonlyMap<string | null, number>;

async function seedGroup(
  db: Db,
  profile: FarmProfile,
  farmId: number,
  name: string,
  idOf: DeviceIds,
  now: Date,
): Promise<void> {
  const { id } = await db
    .insertInto('device_group')
    .values({ farm_id: farmId, uid: newUid(now), name, is_lateral: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  const members = profile.sprinklers
    .filter(({ group }) => group === name)
    .map(({ mac }) => ({ farm_id: farmId, group_id: id, device_id: idOf.get(mac) ?? 0 }));
  if (members.length > 0) await db.insertInto('device_group_member').values(members).execute();
}

async function seedSet(
  db: Db,
  profile: FarmProfile,
  farmId: number,
  idOf: DeviceIds,
  now: Date,
): Promise<void> {
  const { irrigation } = profile;
  if (!irrigation) return;
  const { id } = await db
    .insertInto('schedule_set')
    .values({
      farm_id: farmId,
      uid: newUid(now),
      name: 'Season',
      settings: JSON.stringify({ cycleLen: cycleLength(irrigation) * 1440 }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = profile.sprinklers.flatMap((unit) => {
    const entries = scheduleEntries(irrigation, unit.group);
    if (entries.length === 0) return [];
    const device_id = idOf.get(unit.mac) ?? 0;
    return [
      {
        farm_id: farmId,
        set_id: id,
        device_id,
        schedule_group: unit.group,
        entries: JSON.stringify(entries),
      },
    ];
  });
  if (rows.length === 0) return;
  await db.insertInto('schedule_set_unit').values(rows).execute();
  await db.updateTable('farm').set({ current_set_id: id }).where('id', '=', farmId).execute();
}
