import { sql } from 'kysely';
import {
  eitherOf,
  levels,
  ownerPermissions,
  presets,
  type Permissions,
  staffPermissions,
} from '@headrace/contract/permissions';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { logAccess } from './access-log.ts';

/** Who asks. Staff see farms that nobody gave them. */
export interface Asker {
  readonly accountId: number;
  readonly isStaff: boolean;
}

export interface FarmGrant {
  farm: FarmRow;
  permissions: Permissions;
  /** The share that gives it. */
  share: { readonly id: number; readonly lastUsedAt: Date | null } | null;
  /** Only as support staff. */
  isLook: boolean;
}

/** A share's last use is written at most this often, ms. */
export const TOUCH_MS = 5 * 60_000;

/** Spelled out, so that the indexes over accepted shares are used. */
const holds = (share: 'own' | 'whole', now: Date) => {
  const column = (name: string) => sql.ref(`${share}.${name}`);
  const endsAt = column('ends_at');
  return sql<boolean>`${column('state')} = 'accepted' and (${endsAt} is null or ${endsAt} > ${now})`;
};

/**
 * Farms with what gives the account rights there: owning it, a share of it, a share of its owner's whole account, or an
 * open support session. The base of every question of access; each join is one look into a unique index.
 */
function farmsWithRights(db: Db, accountId: number, now: Date) {
  return db
    .selectFrom('farm')
    .leftJoin('share as own', (join) =>
      join.on('own.agent_id', '=', accountId).onRef('own.farm_id', '=', 'farm.id').on(holds('own', now)),
    )
    .leftJoin('share as whole', (join) =>
      join
        .on('whole.agent_id', '=', accountId)
        .onRef('whole.owner_id', '=', 'farm.owner_id')
        .on('whole.farm_id', 'is', null)
        .on(holds('whole', now)),
    )
    .leftJoin('support_session as session', (join) =>
      join
        .on('session.account_id', '=', accountId)
        .onRef('session.farm_id', '=', 'farm.id')
        .on('session.closed_at', 'is', null)
        .on('session.ends_at', '>', now)
        .on(sql<boolean>`exists (select from account where id = ${accountId} and is_staff)`),
    )
    .where('farm.deleted_at', 'is', null)
    .selectAll('farm')
    .select([
      'own.id as own_id',
      'own.permissions as own_permissions',
      'own.last_used_at as own_used_at',
      'whole.id as whole_id',
      'whole.permissions as whole_permissions',
      'whole.last_used_at as whole_used_at',
      'session.id as session_id',
    ]);
}

type GrantRow = Awaited<ReturnType<ReturnType<typeof farmsWithRights>['executeTakeFirstOrThrow']>>;

/** What gave the account rights: the share of the farm wins over that of the whole account. Null: nothing did. */
function toGrant(row: GrantRow, { accountId, isStaff }: Asker): FarmGrant | null {
  const {
    own_id,
    own_permissions,
    own_used_at,
    whole_id,
    whole_permissions,
    whole_used_at,
    session_id,
    ...farm
  } = row;
  if (farm.owner_id === accountId) return { farm, permissions: ownerPermissions, share: null, isLook: false };
  const shared = own_permissions ?? (whole_permissions && withAccount(whole_permissions));
  const given = [shared, session_id && presets.farmManager, isStaff && staffPermissions].filter(
    (part) => !!part,
  );
  if (given.length === 0) return null;
  return {
    farm,
    permissions: given.reduce(eitherOf),
    share:
      own_id !== null
        ? { id: own_id, lastUsedAt: own_used_at }
        : whole_id !== null
          ? { id: whole_id, lastUsedAt: whole_used_at }
          : null,
    isLook: !shared && session_id === null,
  };
}

/** Who was given the whole account may make farms in it. */
const withAccount = (permissions: Permissions): Permissions => ({
  ...permissions,
  farms: permissions.farms | levels.Account,
});

export function createAccessRepo(db: Db) {
  async function one(asker: Asker, column: 'farm.uid' | 'farm.id', value: string | number, now: Date) {
    const row = await farmsWithRights(db, asker.accountId, now).where(column, '=', value).executeTakeFirst();
    return row ? toGrant(row, asker) : null;
  }

  return {
    farmByUid: (asker: Asker, uid: string, now: Date) => one(asker, 'farm.uid', uid, now),
    farmById: (asker: Asker, farmId: number, now: Date) => one(asker, 'farm.id', farmId, now),

    /** All that the account was given, by name; of staff too: not what they may see besides. */
    async farms(accountId: number, now: Date): Promise<FarmGrant[]> {
      const visible = sql<number>`(
        select id from farm where owner_id = ${accountId}
        union select farm_id from share where agent_id = ${accountId} and state = 'accepted'
        union select f.id from share s join farm f on f.owner_id = s.owner_id
          where s.agent_id = ${accountId} and s.state = 'accepted' and s.farm_id is null
        union select farm_id from support_session where account_id = ${accountId} and closed_at is null)`;
      const rows = await farmsWithRights(db, accountId, now)
        .where('farm.id', 'in', visible)
        .orderBy(sql`lower(farm.name)`)
        .orderBy('farm.id')
        .execute();
      return rows.flatMap((row) => toGrant(row, { accountId, isStaff: false }) ?? []);
    },

    async touchShare(id: number, now: Date): Promise<void> {
      const stale = new Date(now.getTime() - TOUCH_MS);
      await db
        .updateTable('share')
        .set({ last_used_at: now })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', stale)]))
        .execute();
    },

    /** Once for each staff member, farm and day (UTC). */
    async addLook(accountId: number, farm: FarmRow, now: Date): Promise<void> {
      const { name } = await db
        .selectFrom('account')
        .select('name')
        .where('id', '=', accountId)
        .executeTakeFirstOrThrow();
      const look = { ownerId: farm.owner_id, farm, actor: { id: accountId, name }, whom: '' };
      await logAccess(db, [{ ...look, what: 'support looked' }], now);
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
