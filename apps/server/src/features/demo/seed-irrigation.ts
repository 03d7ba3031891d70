import type { FarmProfile } from '@headrace/demo/profile';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';

/** Which gateway speaks for each unit, and the groups whose sprinklers water one after another. */
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
