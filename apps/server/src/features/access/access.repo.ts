import { sql } from 'kysely';
import { ownerPermissions, type Permissions } from '@headrace/contract/permissions';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';

export interface FarmGrant {
  farm: FarmRow;
  permissions: Permissions;
}

/** Farms with the shares that hold now; owners have everything. The base of every question of access. */
function grants(db: Db, accountId: number, now: Date) {
  return db
    .selectFrom('farm')
    .leftJoin('farm_share as share', (join) =>
      join
        .onRef('share.farm_id', '=', 'farm.id')
        .on('share.account_id', '=', accountId)
        .on((eb) => eb.or([eb('share.expires_at', 'is', null), eb('share.expires_at', '>', now)])),
    )
    .where('farm.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('farm.owner_id', '=', accountId), eb('share.account_id', 'is not', null)]))
    .selectAll('farm')
    .select('share.permissions as share_permissions');
}

type GrantRow = FarmRow & { share_permissions: Permissions | null };

function toGrant(row: GrantRow, accountId: number): FarmGrant {
  const { share_permissions: shared, ...farm } = row;
  return { farm, permissions: farm.owner_id === accountId || !shared ? ownerPermissions : shared };
}

export function createAccessRepo(db: Db) {
  return {
    async farmByUid(accountId: number, uid: string, now: Date): Promise<FarmGrant | null> {
      const row = await grants(db, accountId, now).where('farm.uid', '=', uid).executeTakeFirst();
      return row ? toGrant(row, accountId) : null;
    },

    async farmById(accountId: number, farmId: number, now: Date): Promise<FarmGrant | null> {
      const row = await grants(db, accountId, now).where('farm.id', '=', farmId).executeTakeFirst();
      return row ? toGrant(row, accountId) : null;
    },

    async farms(accountId: number, now: Date): Promise<FarmGrant[]> {
      const rows = await grants(db, accountId, now).orderBy(sql`lower(farm.name)`).execute();
      return rows.map((row) => toGrant(row, accountId));
    },

    devicesByUid(uid: string): Promise<DeviceRow[]> {
      return db
        .selectFrom('device')
        .selectAll()
        .where('uid', '=', uid)
        .where('deleted_at', 'is', null)
        .execute();
    },

    async farmsOfGroup(uid: string): Promise<number[]> {
      const rows = await db.selectFrom('device_group').select('farm_id').where('uid', '=', uid).execute();
      return rows.map(({ farm_id }) => farm_id);
    },

    devicesBySerial(serial: string): Promise<DeviceRow[]> {
      return db
        .selectFrom('device')
        .selectAll()
        .where(sql`lower(serial_number)`, '=', serial.toLowerCase())
        .where('deleted_at', 'is', null)
        .orderBy('farm_id')
        .orderBy('id')
        .limit(50)
        .execute();
    },
  };
}
export type AccessRepo = ReturnType<typeof createAccessRepo>;
