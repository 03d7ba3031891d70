import type { ReplyOf } from '@headrace/contract/endpoint';
import type { permissionsList } from '@headrace/contract/farms';
import type { AccessGate, Caller, FarmAccess } from '../../http/access-gate.ts';
import type { DeviceRow } from '../../db/schema.ts';
import type { AccessRepo, FarmGrant } from './access.repo.ts';

const toAccess = (grant: FarmGrant): FarmAccess => ({ farmId: grant.farm.id, ...grant });

/** Answers who may do what on which farm. `callerOf` is the accounts' part. */
export function createAccessService(access: AccessRepo, callerOf: AccessGate['callerOf']) {
  async function firstVisible(caller: Caller, devices: DeviceRow[], now: Date) {
    for (const device of devices) {
      const grant = await access.farmById(caller.accountId, device.farm_id, now);
      if (grant) return { farm: toAccess(grant), device };
    }
    return null;
  }
  return {
    callerOf,
    async farmByUid(caller: Caller, uid: string, now: Date) {
      const grant = await access.farmByUid(caller.accountId, uid, now);
      return grant && toAccess(grant);
    },
    async farmByGroup(caller: Caller, uid: string, now: Date) {
      for (const farmId of await access.farmsOfGroup(uid)) {
        const grant = await access.farmById(caller.accountId, farmId, now);
        if (grant) return toAccess(grant);
      }
      return null;
    },
    async deviceByUid(caller: Caller, uid: string, now: Date) {
      return firstVisible(caller, await access.devicesByUid(uid), now);
    },
    async deviceBySerial(caller: Caller, serial: string, now: Date) {
      return firstVisible(caller, await access.devicesBySerial(serial), now);
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
