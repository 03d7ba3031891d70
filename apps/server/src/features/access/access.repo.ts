import { type Expression, sql } from 'kysely';
import {
  eitherOf,
  levels,
  meets,
  type Need,
  ownerPermissions,
  presets,
  type Permissions,
  staffPermissions,
  toPermissions,
} from '@headrace/contract/permissions';
import type { Db } from '../../db/client.ts';
import { deviceColumns, farmColumns } from '../../db/columns.ts';
import { prepared } from '../../db/prepared.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import type { Named, NamedKind, SessionAccount } from '../../http/access-gate.ts';
import { logAccess } from './access-log.ts';
import { holds, isShut, shutFrom } from './share-holds.ts';

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
  /** When the first of what gives them ends by itself; null: never. */
  endsAt: Date | null;
  /** Only as support staff. */
  isLook: boolean;
}

/** A share's last use is written at most this often, ms. */
export const TOUCH_MS = 5 * 60_000;

/**
 * Farms with what gives the account rights there: owning it, a share of it, a share of its owner's whole account, or an
 * open support session. The base of every question of access; each join is one look into a unique index.
 */
function farmsWithRights(db: Db, accountId: number | Expression<number>, now: Date) {
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
    .select(farmColumns.map((column) => `farm.${column}` as const))
    .select([
      'own.id as own_id',
      'own.permissions as own_permissions',
      'own.ends_at as own_ends_at',
      'own.last_used_at as own_used_at',
      'whole.id as whole_id',
      'whole.permissions as whole_permissions',
      'whole.ends_at as whole_ends_at',
      'whole.last_used_at as whole_used_at',
      'session.id as session_id',
      'session.ends_at as session_ends_at',
      shutFrom(accountId).as('shut_from'),
      isShut(accountId, 'farm', now).as('is_shut'),
    ]);
}

type GrantRow = Awaited<ReturnType<ReturnType<typeof farmsWithRights>['executeTakeFirstOrThrow']>>;

/** What gave the account rights: the share of the farm wins over that of the whole account. Null: nothing did. */
function toGrant(row: GrantRow, { accountId, isStaff }: Asker): FarmGrant | null {
  const {
    own_id,
    own_permissions,
    own_ends_at,
    own_used_at,
    whole_id,
    whole_permissions,
    whole_ends_at,
    whole_used_at,
    session_id,
    session_ends_at,
    shut_from,
    is_shut,
    ...farm
  } = row;
  if (farm.owner_id === accountId)
    return { farm, permissions: ownerPermissions, share: null, endsAt: null, isLook: false };
  const own = own_id !== null && {
    share: { id: own_id, lastUsedAt: own_used_at },
    endsAt: own_ends_at,
    gives: toPermissions(own_permissions),
  };
  const whole = whole_id !== null && {
    share: { id: whole_id, lastUsedAt: whole_used_at },
    endsAt: whole_ends_at,
    gives: withAccount(toPermissions(whole_permissions)),
  };
  const shared = (!is_shut && (own || whole)) || null;
  const given = [shared?.gives, session_id && presets.farmManager, isStaff && staffPermissions].filter(
    (part) => !!part,
  );
  if (given.length === 0) return null;
  return {
    farm,
    permissions: given.reduce(eitherOf),
    share: shared && shared.share,
    endsAt: earliest(...(shared ? [shared.endsAt, shut_from] : []), session_ends_at),
    isLook: !shared && session_id === null,
  };
}

const earliest = (...ends: (Date | null)[]): Date | null =>
  ends.reduce((first, end) => (first === null || (end !== null && end < first) ? end : first), null);

/** Who was given the whole account may make farms in it. */
const withAccount = (permissions: Permissions): Permissions => ({
  ...permissions,
  farms: permissions.farms | levels.Account,
});

interface Asked {
  accountId: number;
  now: Date;
}

const farmById = prepared<Asked & { farmId: number }, GrantRow>('farm-by-id', (db, given) =>
  farmsWithRights(db, given('accountId'), given('now')).where('farm.id', '=', given('farmId')),
);

/** A farm, or a device beside its farm by names of its own, with the rights there. */
type FoundRow = GrantRow & { [Column in keyof DeviceRow as `device_${Column}`]?: DeviceRow[Column] };
type AccountId = number | Expression<number>;

const farmsByUid = (db: Db, accountId: AccountId, now: Date, uid: string) =>
  farmsWithRights(db, accountId, now).where('farm.uid', '=', uid).$castTo<FoundRow>();

const devices = (db: Db, accountId: AccountId, now: Date) =>
  farmsWithRights(db, accountId, now)
    .innerJoin('device', 'device.farm_id', 'farm.id')
    .where('device.deleted_at', 'is', null)
    .select(deviceColumns.map((column) => sql.ref(`device.${column}`).as(`device_${column}`)))
    .$castTo<FoundRow>();

const devicesByUid = (db: Db, accountId: AccountId, now: Date, uid: string) =>
  devices(db, accountId, now).where('device.uid', '=', uid);

/** Somebody gave the account something there, or it is staff's; the serial numbers of all others are nobody's business. */
const isGiven = (accountId: AccountId) => sql<boolean>`(farm.owner_id = ${accountId} or own.id is not null
  or whole.id is not null or session.id is not null
  or exists (select from account where id = ${accountId} and is_staff))`;

/** Those in service first. */
const sprinklersBySerial = (db: Db, accountId: AccountId, now: Date, serial: string) =>
  devices(db, accountId, now)
    .where(sql`lower(device.serial_number)`, '=', sql<string>`lower(${serial})`)
    .where('device.kind', '=', 'sprinkler')
    .where(isGiven(accountId))
    .orderBy(
      sql`(device.settings->'isSpareUnit' = 'true') is true or (device.settings->'outOfService' = 'true') is true`,
    )
    .orderBy('device.farm_id')
    .orderBy('device.id')
    .limit(50);

const devicesBySerial = (db: Db, accountId: AccountId, now: Date, serial: string) =>
  devices(db, accountId, now)
    .where(sql`lower(device.serial_number)`, '=', sql<string>`lower(${serial})`)
    .orderBy('device.farm_id')
    .orderBy('device.id')
    .limit(50);

type CallerRow = { [Column in keyof SessionAccount as `caller_${Column}`]: SessionAccount[Column] };

const callerOfSession = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('session')
    .innerJoin('account', 'account.id', 'session.account_id')
    .where('session.token_hash', '=', tokenHash)
    .where('session.expires_at', '>', now)
    .where('account.approved', '=', true)
    .select([
      'account.id as caller_id',
      'account.uid as caller_uid',
      'account.type as caller_type',
      'account.is_staff as caller_is_staff',
      'account.must_change_password as caller_must_change_password',
      'account.subscription_valid_until as caller_subscription_valid_until',
      'session.last_used_at as caller_last_used_at',
      'session.expires_at as caller_expires_at',
      'session.ends_at as caller_ends_at',
    ]);

/** Asked for by an account that is known, or by a session: who that is comes in the same answer, with nulls where it may see none. */
const finder = (kind: string, find: typeof farmsByUid) => ({
  byAccount: prepared<Asked & { name: string }, FoundRow>(`${kind}-by-account`, (db, given) =>
    find(db, given('accountId'), given('now'), given('name')),
  ),
  bySession: prepared<{ tokenHash: Buffer; now: Date; name: string }, CallerRow & FoundRow>(
    `${kind}-by-session`,
    (db, given) => sql`
      with caller as (${callerOfSession(db, given('tokenHash'), given('now'))})
      select * from caller
      left join lateral (${find(db, sql.ref('caller.caller_id'), given('now'), given('name'))}) granted on true`,
  ),
});

const finders = {
  farm: finder('farm', farmsByUid),
  device: finder('device', devicesByUid),
  serial: finder('serial', devicesBySerial),
  sprinkler: finder('sprinkler', sprinklersBySerial),
} satisfies Record<NamedKind, unknown>;

export interface Visible {
  grant: FarmGrant;
  /** Where a device was asked for. */
  device: DeviceRow | null;
}

/** The first that the asker may see, and may do what `need` is for. */
function firstVisible(rows: readonly FoundRow[], asker: Asker, need?: Need): Visible | null {
  for (const row of rows) {
    const { caller: _, device, rest } = byPrefix(row);
    // A row without a farm says who calls and no more.
    const grant = rest.id === null ? null : toGrant(rest as unknown as GrantRow, asker);
    if (grant && (!need || meets(grant.permissions, need)))
      return { grant, device: device.id === undefined ? null : (device as unknown as DeviceRow) };
  }
  return null;
}

function byPrefix(row: object) {
  const parts = { caller: {}, device: {}, rest: {} } as Record<
    'caller' | 'device' | 'rest',
    Record<string, unknown>
  >;
  for (const [name, value] of Object.entries(row)) {
    if (name.startsWith('device_')) parts.device[name.slice(7)] = value;
    else if (name.startsWith('caller_')) parts.caller[name.slice(7)] = value;
    else parts.rest[name] = value;
  }
  return parts;
}

export function createAccessRepo(db: Db) {
  return {
    /** A farm, or a device by its uid or serial number, that the asker may see. */
    async find(asker: Asker, kind: NamedKind, name: string, now: Date): Promise<Visible | null> {
      const rows = await finders[kind].byAccount(db, { accountId: asker.accountId, now, name });
      return firstVisible(rows, asker);
    },

    /** The same by a session, and who that is; null: there is no such session. */
    async findBySession(
      tokenHash: Buffer,
      { kind, name, need }: Named,
      now: Date,
    ): Promise<{ account: SessionAccount; visible: Visible | null } | null> {
      const rows = await finders[kind].bySession(db, { tokenHash, now, name });
      if (!rows[0]) return null;
      const account = byPrefix(rows[0]).caller as unknown as SessionAccount;
      return {
        account,
        visible: firstVisible(rows, { accountId: account.id, isStaff: account.is_staff }, need),
      };
    },

    async farmById(asker: Asker, farmId: number, now: Date): Promise<FarmGrant | null> {
      const [row] = await farmById(db, { accountId: asker.accountId, now, farmId });
      return row ? toGrant(row, asker) : null;
    },

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

    async farmsOfGroup(uid: string): Promise<number[]> {
      const rows = await db.selectFrom('device_group').select('farm_id').where('uid', '=', uid).execute();
      return rows.map(({ farm_id }) => farm_id);
    },

    async farmOfAlert(uid: string): Promise<number | undefined> {
      const row = await db
        .selectFrom('alert_rule')
        .select('farm_id')
        .where('uid', '=', uid)
        .executeTakeFirst();
      return row?.farm_id;
    },

    async farmOfBackup(uid: string): Promise<number | undefined> {
      const row = await db
        .selectFrom('farm_backup')
        .select('farm_id')
        .where('uid', '=', uid)
        .executeTakeFirst();
      return row?.farm_id;
    },

    /** Of a deleted template too: it can be restored. */
    async farmOfTemplate(uid: string): Promise<number | undefined> {
      const row = await db
        .selectFrom('schedule_template')
        .select('farm_id')
        .where('uid', '=', uid)
        .executeTakeFirst();
      return row?.farm_id;
    },
  };
}
export type AccessRepo = ReturnType<typeof createAccessRepo>;
