import { closeSupport, openSupport, supportFarms } from '@headrace/contract/sharing';
import type { Mount } from '../../http/mount.ts';
import type { SupportService } from './support.service.ts';

export function supportRoutes(mount: Mount, support: SupportService): void {
  mount(supportFarms, ({ query, caller, now }) => support.farms(query.value, caller, now));
  mount(openSupport, ({ body, caller, now }) => support.open(body.farmUID, body.reason, caller, now));
  mount(closeSupport, async ({ query, caller, now }) => {
    await support.close(query.farmUID, caller, now);
    return { success: true };
  });
}
