import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { conflict, invalid } from '../../http/errors.ts';
import type { FieldChange } from '../changes/change-log.ts';

interface Group {
  readonly id: number;
  readonly name: string;
  readonly is_lateral: boolean;
}

/**
 * Puts devices, whose rows the caller has locked, into exactly these groups of the farm. What changed, by device id. Throws
 * invalid when there is no such group, and conflict when a sprinkler would be in two lateral groups.
 */
export async function setGroups(
  trx: Db,
  farmId: number,
  devices: readonly Pick<DeviceRow, 'id' | 'kind'>[],
  uids: readonly string[],
): Promise<Map<number, FieldChange>> {
  const groups = await groupsOf(trx, farmId, uids);
  if (devices.some(({ kind }) => kind === 'sprinkler')) refuseTwoLaterals(groups);
  const to = namesOf(groups);
  const before = await membersOf(
    trx,
    farmId,
    devices.map(({ id }) => id),
  );
  const changes = new Map<number, FieldChange>();
  for (const { id } of devices) {
    const from = before.get(id) ?? [];
    if (JSON.stringify(from) !== JSON.stringify(to)) changes.set(id, { field: 'groups', from, to });
  }
  await write(
    trx,
    farmId,
    [...changes.keys()],
    groups.map(({ id }) => id),
  );
  return changes;
}

/** The lock keeps them from being deleted before the transaction ends. */
async function groupsOf(trx: Db, farmId: number, given: readonly string[]): Promise<Group[]> {
  const uids = [...new Set(given.map((uid) => uid.toLowerCase()))];
  if (uids.length === 0) return [];
  const groups = await trx
    .selectFrom('device_group')
    .select(['id', 'name', 'is_lateral'])
    .where('farm_id', '=', farmId)
    .where('uid', 'in', uids)
    .orderBy('id')
    .forShare()
    .execute();
  if (groups.length < uids.length)
    throw invalid('This farm has no such group. Please choose from its groups.', 'groups');
  return groups;
}

function refuseTwoLaterals(groups: readonly Group[]): void {
  const laterals = groups.filter(({ is_lateral }) => is_lateral);
  if (laterals.length < 2) return;
  throw conflict(
    `A sprinkler can be in one lateral group only, and these are lateral: ${namesOf(laterals).join(', ')}. Please choose one of them.`,
    'groups',
  );
}

const namesOf = (groups: readonly Group[]) => groups.map(({ name }) => name).toSorted();

async function membersOf(
  trx: Db,
  farmId: number,
  deviceIds: readonly number[],
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ device_id: number; name: string }>`select m.device_id, g.name
    from device_group_member m join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
    where m.farm_id = ${farmId} and m.device_id = any(${deviceIds})`.execute(trx);
  const names = new Map<number, string[]>();
  for (const { device_id, name } of rows) names.set(device_id, [...(names.get(device_id) ?? []), name]);
  for (const list of names.values()) list.sort();
  return names;
}

async function write(trx: Db, farmId: number, deviceIds: number[], groupIds: number[]): Promise<void> {
  if (deviceIds.length === 0) return;
  await sql`delete from device_group_member where farm_id = ${farmId} and device_id = any(${deviceIds})
    and group_id <> all(${groupIds})`.execute(trx);
  await sql`insert into device_group_member (farm_id, group_id, device_id)
    select ${farmId}, g, d from unnest(${groupIds}::int[]) g cross join unnest(${deviceIds}::int[]) d
    on conflict do nothing`.execute(trx);
}

/** Uids of the groups that each of these devices is in, by device id. */
export async function groupUidsOf(
  trx: Db,
  farmId: number,
  deviceIds: readonly number[],
): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ id: number; uids: string[] }>`
    select m.device_id as id, array_agg(g.uid order by g.uid) as uids
    from device_group_member m join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
    where m.farm_id = ${farmId} and m.device_id = any(${deviceIds}) group by m.device_id`.execute(trx);
  return new Map(rows.map(({ id, uids }) => [id, uids]));
}

/** Those of devices that have left the farm. */
export async function leaveGroups(trx: Db, farmId: number, deviceIds: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('device_group_member')
    .where('farm_id', '=', farmId)
    .where(sql<boolean>`device_id = any(${deviceIds})`)
    .execute();
}
