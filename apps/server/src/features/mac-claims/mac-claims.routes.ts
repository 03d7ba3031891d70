import * as api from '@headrace/contract/registry';
import type { Mount } from '../../http/mount.ts';
import type { MacClaimsService } from './mac-claims.service.ts';

export function macClaimsRoutes(mount: Mount, claims: MacClaimsService): void {
  mount(api.contestMac, async ({ caller, farm, body, now }) => {
    await claims.contest(farm.farm, body, { accountId: caller.accountId, now });
    return { success: true };
  });
}
