import { cycleLength, scheduleEntries } from '@headrace/demo/irrigation-plan';
import { scheduleCrc } from '@headrace/device/schedule-crc';
import type { FarmProfile } from '@headrace/demo/profile';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import { sqlClient } from '../../db/sql-client.ts';
import { unitEntries } from '../commands/down-messages.ts';
import { wantProgrammes } from '../programmes/wanted-writer.ts';
import { waterBy } from '../schedules/current-set-writer.ts';
import { createScheduleSets } from '../schedules/schedule-sets.ts';

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
  const groupUids = new Map<string, string>();
  for (const name of profile.irrigation.groups)
    groupUids.set(name, await seedGroup(db, profile, farmId, name, idOf, now));
  await seedSet(db, profile, farmId, { idOf, groupUids }, now);
}

type DeviceIds = ReadonlyMap<string | null, number>;

async function seedGroup(
  db: Db,
  profile: FarmProfile,
  farmId: number,
  name: string,
  idOf: DeviceIds,
  now: Date,
): Promise<string> {
  const uid = newUid(now);
  const { id } = await db
    .insertInto('device_group')
    .values({ farm_id: farmId, uid, name, is_lateral: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  const members = profile.sprinklers
    .filter(({ group }) => group === name)
    .map(({ mac }) => ({ farm_id: farmId, group_id: id, device_id: idOf.get(mac) ?? 0 }));
  if (members.length > 0) await db.insertInto('device_group_member').values(members).execute();
  return uid;
}

async function seedSet(
  db: Db,
  profile: FarmProfile,
  farmId: number,
  { idOf, groupUids }: { idOf: DeviceIds; groupUids: ReadonlyMap<string, string> },
  now: Date,
): Promise<void> {
  const { irrigation } = profile;
  if (!irrigation) return;
  const cycleLen = cycleLength(irrigation);
  const units = profile.sprinklers.flatMap((unit) => {
    const entries = scheduleEntries(irrigation, unit.group);
    if (entries.length === 0) return [];
    const { group } = unit;
    const of = { groupUid: groupUids.get(group) ?? '', groupName: group, scheduleGroup: group };
    return [{ deviceId: idOf.get(unit.mac) ?? 0, ...of, entries }];
  });
  const set = { uid: newUid(now), name: 'Season', cycleMinutes: cycleLen * 1440, units };
  const id = await createScheduleSets(db).store(farmId, set);
  if (units.length === 0) return;
  await wantProgrammes(
    sqlClient(db),
    { farmId, commandId: null, setId: id, cycleDays: cycleLen, at: now },
    units.map(({ deviceId, scheduleGroup, entries }) => {
      const told = unitEntries(entries);
      return { deviceId, scheduleGroup, entries: told, crc: scheduleCrc(told) };
    }),
  );
  await waterBy(sqlClient(db), farmId, id);
}
