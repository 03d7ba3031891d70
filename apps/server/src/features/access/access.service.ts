import type { ReplyOf } from '@headrace/contract/endpoint';
import type { permissionsList } from '@headrace/contract/farms';
import type { AccessGate, Caller, FarmAccess, Named, SessionAccount } from '../../http/access-gate.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { type AccessRepo, type FarmGrant, TOUCH_MS, type Visible } from './access.repo.ts';
import { keyOf, type RememberedAccess } from './remembered-access.ts';

export interface AccessOptions {
  /** The accounts' part. */
  sessions: {
    callerOf: AccessGate['callerOf'];
    hashOf(token: string): Buffer;
    used(session: SessionAccount, tokenHash: Buffer, now: Date): Promise<Caller>;
  };
  log: { warn(details: object, message: string): void };
  remembered: RememberedAccess;
}

/** Answers who may do what on which farm, and notes that it was asked: a share's last use, and support's looks. */
export function createAccessService(access: AccessRepo, { sessions, log, remembered }: AccessOptions) {
  const noteLook = createLooks(access);

  async function found(caller: Caller, grant: FarmGrant | null, now: Date): Promise<FarmAccess | null> {
    if (!grant) return null;
    const { farm, permissions, share, isLook } = grant;
    if (isLook) await noteLook(caller.accountId, farm, now);
    if (share && now.getTime() - (share.lastUsedAt?.getTime() ?? 0) >= TOUCH_MS) {
      // Not worth anybody's waiting, nor a failure.
      void access
        .touchShare(share.id, now)
        .catch((err: unknown) => log.warn({ err }, "a share's last use not written"));
    }
    return { farmId: farm.id, farm, permissions };
  }

  const farmById = async (caller: Caller, farmId: number, now: Date) =>
    found(caller, await access.farmById(caller, farmId, now), now);

  async function withDevice(
    caller: Caller,
    visible: Visible | null,
    now: Date,
  ): Promise<{ farm: FarmAccess; device: DeviceRow } | null> {
    const farm = visible && (await found(caller, visible.grant, now));
    return farm && visible.device && { farm, device: visible.device };
  }

  return {
    callerOf: sessions.callerOf,

    async enter(token: string, named: Named, now: Date, anew = false) {
      const tokenHash = sessions.hashOf(token);
      const key = keyOf(tokenHash, named);
      const recalled = key === null || anew ? null : remembered.recall(key, now);
      if (recalled) return recalled;
      const keep = key === null ? null : remembered.lookUp(key, now);
      const entered = await access.findBySession(tokenHash, named, now);
      if (!entered) return null;
      const caller = await sessions.used(entered.account, tokenHash, now);
      const { visible } = entered;
      // Who may do nothing before there is a new password has looked at nothing.
      const farm = visible && !caller.mustChangePassword ? await found(caller, visible.grant, now) : null;
      const result = { caller, farm, device: farm && visible ? visible.device : null };
      // Of a look of support staff the owner hears each day.
      if (farm && visible && !visible.grant.isLook) keep?.(result, endOf(entered.account, visible.grant));
      return result;
    },

    async farmByUid(caller: Caller, uid: string, now: Date) {
      return found(caller, (await access.find(caller, 'farm', uid, now))?.grant ?? null, now);
    },
    async farmByGroup(caller: Caller, uid: string, now: Date) {
      for (const farmId of await access.farmsOfGroup(uid)) {
        const farm = await farmById(caller, farmId, now);
        if (farm) return farm;
      }
      return null;
    },
    async farmByTemplate(caller: Caller, uid: string, now: Date) {
      const farmId = await access.farmOfTemplate(uid);
      return farmId === undefined ? null : farmById(caller, farmId, now);
    },
    async farmByBackup(caller: Caller, uid: string, now: Date) {
      const farmId = await access.farmOfBackup(uid);
      return farmId === undefined ? null : farmById(caller, farmId, now);
    },
    async farmByAlert(caller: Caller, uid: string, now: Date) {
      const farmId = await access.farmOfAlert(uid);
      return farmId === undefined ? null : farmById(caller, farmId, now);
    },
    async deviceByUid(caller: Caller, uid: string, now: Date) {
      return withDevice(caller, await access.find(caller, 'device', uid, now), now);
    },
    async deviceBySerial(caller: Caller, serial: string, now: Date) {
      return withDevice(caller, await access.find(caller, 'serial', serial, now), now);
    },
    grants: (accountId: number, now: Date) => access.farms(accountId, now),
    /** The caller's permissions on every farm, as `permissions` frames and permissions-list give them. */
    async permissionsOf(
      accountId: number,
      now: Date,
    ): Promise<ReplyOf<typeof permissionsList>['permissions']> {
      const grants = await access.farms(accountId, now);
      return grants.map((grant) => ({ farmUID: grant.farm.uid, ...grant.permissions }));
    },
  } satisfies AccessGate & Record<string, unknown>;
}
export type AccessService = ReturnType<typeof createAccessService>;

const endOf = ({ expires_at }: SessionAccount, { endsAt }: FarmGrant): Date =>
  endsAt !== null && endsAt < expires_at ? endsAt : expires_at;

/** A staff member's looks are in the owner's log before anything is shown; asked of the database once a day each. */
function createLooks(access: AccessRepo) {
  let day = '';
  const noted = new Set<string>();
  return async (accountId: number, farm: FarmRow, now: Date): Promise<void> => {
    const today = now.toISOString().slice(0, 10);
    if (today !== day) noted.clear();
    day = today;
    const key = `${accountId}/${farm.id}`;
    if (noted.has(key)) return;
    await access.addLook(accountId, farm, now);
    noted.add(key);
  };
}
