import { sql } from 'kysely';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { WaterApplication } from '@headrace/contract/farms';
import type { Db } from '../../db/client.ts';
import { lockGroups } from './add-groups.ts';
import { claimOnce } from '../../db/once.ts';

/** A group with how many sprinklers it has. */
export interface GroupRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly description: string;
  readonly is_lateral: boolean;
  readonly wal_config: WaterApplication | null;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** In service. */
  readonly sprinklers: number;
  /** Of these, those that last said they are inhibited. */
  readonly inhibited: number;
}

/** What people enter. */
export interface GroupEntry {
  readonly name: string;
  readonly description: string;
  readonly is_lateral: boolean;
  readonly wal_config: WaterApplication | null;
}

export interface Member {
  readonly uid: string;
  readonly kind: 'sprinkler' | 'poi';
  readonly name: string;
}

/** All queries of a group stay on its farm; those that write want the transaction. */
export function createGroupsRepo(db: Db) {
  return {
    inTransaction: <T>(work: (trx: Db) => Promise<T>): Promise<T> =>
      db.transaction().execute(async (trx) => {
        await claimOnce(trx);
        return work(trx);
      }),

    list: (farmId: number): Promise<GroupRow[]> => read(db, farmId, null),

    async one(trx: Db, farmId: number, uid: string): Promise<GroupRow | undefined> {
      const [row] = await read(trx, farmId, uid);
      return row;
    },

    find: (farmId: number, uid: string): Promise<GroupRow | undefined> =>
      read(db, farmId, uid).then(([row]) => row),

    async members(farmId: number, groupId: number): Promise<Member[]> {
      const { rows } = await sql<Member>`select d.uid, d.kind, d.name from device_group_member m
        join device d on d.farm_id = m.farm_id and d.id = m.device_id
        where m.farm_id = ${farmId} and m.group_id = ${groupId} and d.kind in ('sprinkler', 'poi')
          and d.deleted_at is null`.execute(db);
      return rows;
    },

    /** One change of groups at a time on a farm: which of them are lateral decides who may be in which. */
    lockFarm: lockGroups,

    /** Whoever puts devices into it has to wait until the transaction ends, and was waited for. */
    async lock(trx: Db, farmId: number, groupId: number): Promise<void> {
      await trx
        .selectFrom('device_group')
        .select('id')
        .where('farm_id', '=', farmId)
        .where('id', '=', groupId)
        .forNoKeyUpdate()
        .execute();
    },

    /** Of all groups of the farm, the one with this name, upper and lower case alike. */
    async hasName(trx: Db, farmId: number, name: string, besides: number | null): Promise<boolean> {
      const row = await trx
        .selectFrom('device_group')
        .select('id')
        .where('farm_id', '=', farmId)
        .where(sql`lower(name)`, '=', sql`lower(${name})`)
        .where(sql<boolean>`id is distinct from ${besides}`)
        .executeTakeFirst();
      return row !== undefined;
    },

    async insert(trx: Db, farmId: number, uid: string, entry: GroupEntry, now: Date): Promise<void> {
      await trx
        .insertInto('device_group')
        .values({ ...columns(entry), farm_id: farmId, uid, created_at: now, updated_at: now })
        .execute();
    },

    async update(trx: Db, farmId: number, group: GroupRow, entry: GroupEntry, now: Date): Promise<void> {
      await trx
        .updateTable('device_group')
        .set({ ...columns(entry), version: group.version + 1, updated_at: now })
        .where('farm_id', '=', farmId)
        .where('id', '=', group.id)
        .execute();
    },
  };
}
export type GroupsRepo = ReturnType<typeof createGroupsRepo>;

function columns({ wal_config, ...entry }: GroupEntry) {
  return { ...entry, wal_config: wal_config && JSON.stringify(wal_config) };
}

async function read(db: Db, farmId: number, uid: string | null): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select g.id, g.uid, g.name, g.description, g.is_lateral, g.wal_config, g.version, g.created_at, g.updated_at,
      coalesce(m.sprinklers, 0) as sprinklers, coalesce(m.inhibited, 0) as inhibited
    from device_group g
    left join (select m.group_id, count(*)::int as sprinklers, count(*) filter (where f.value = ${inhibitedCrc})::int as inhibited
      from device_group_member m
      join device d on d.farm_id = m.farm_id and d.id = m.device_id and d.kind = 'sprinkler' and d.deleted_at is null
        and (d.settings->>'outOfService')::boolean is not true and (d.settings->>'isSpareUnit')::boolean is not true
      left join device_fact f on f.farm_id = m.farm_id and f.device_id = m.device_id and f.name = 'ipcCrc'
      where m.farm_id = ${farmId} group by m.group_id) m on m.group_id = g.id
    where g.farm_id = ${farmId} and (${uid}::text is null or g.uid = ${uid})`.execute(db);
  return rows;
}
