import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { Member } from './groups.repo.ts';

export interface Unit extends Member {
  readonly id: number;
}

/** A sprinkler that is in another lateral group. */
export interface Clash {
  readonly unit: string;
  readonly group: string;
}

/**
 * Of these uids, the devices on the farm. Locked in the order of their ids, so that nobody else puts them into groups
 * meanwhile and two who lock the same ones never wait for each other. Readings of theirs can still be stored.
 */
export async function lockUnits(trx: Db, farmId: number, uids: readonly string[]): Promise<Unit[]> {
  const { rows } = await sql<Unit>`select id, uid, kind, name from device
    where farm_id = ${farmId} and uid = any(${uids}) and kind in ('sprinkler', 'poi') and deleted_at is null
    order by id for no key update`.execute(trx);
  return rows;
}

/** Sprinklers of `unitIds` that are in a lateral group other than this one. */
export async function otherLaterals(
  trx: Db,
  farmId: number,
  groupId: number,
  unitIds: readonly number[],
): Promise<Clash[]> {
  const { rows } = await sql<Clash>`select d.name as unit, g.name as "group" from device_group_member m
    join device_group g on g.farm_id = m.farm_id and g.id = m.group_id and g.is_lateral
    join device d on d.farm_id = m.farm_id and d.id = m.device_id and d.kind = 'sprinkler' and d.deleted_at is null
    where m.farm_id = ${farmId} and m.group_id <> ${groupId} and m.device_id = any(${unitIds})`.execute(trx);
  return rows;
}

export async function unitsOf(trx: Db, farmId: number, groupId: number): Promise<Unit[]> {
  const { rows } = await sql<Unit>`select d.id, d.uid, d.kind, d.name from device_group_member m
    join device d on d.farm_id = m.farm_id and d.id = m.device_id and d.deleted_at is null
    where m.farm_id = ${farmId} and m.group_id = ${groupId}`.execute(trx);
  return rows;
}

/** The ids of those that were not in it before. */
export async function insertMembers(
  trx: Db,
  farmId: number,
  groupId: number,
  unitIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`insert into device_group_member (farm_id, group_id, device_id)
    select ${farmId}, ${groupId}, id from unnest(${unitIds}::int[]) id on conflict do nothing
    returning device_id as id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** The ids of those that were in it. */
export async function deleteMembers(
  trx: Db,
  farmId: number,
  groupId: number,
  unitIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`delete from device_group_member
    where farm_id = ${farmId} and group_id = ${groupId} and device_id = any(${unitIds})
    returning device_id as id`.execute(trx);
  return rows.map(({ id }) => id);
}

export async function touchGroup(trx: Db, farmId: number, groupId: number, now: Date): Promise<void> {
  await trx
    .updateTable('device_group')
    .set({ updated_at: now })
    .where('farm_id', '=', farmId)
    .where('id', '=', groupId)
    .execute();
}
