import { permissionsList } from '@headrace/contract/farms';
import type { Mount } from '../../http/mount.ts';
import type { AccessService } from './access.service.ts';

export function accessRoutes(mount: Mount, access: AccessService): void {
  mount(permissionsList, async ({ caller, now }) => ({
    permissions: await access.permissionsOf(caller.accountId, now),
  }));
}
