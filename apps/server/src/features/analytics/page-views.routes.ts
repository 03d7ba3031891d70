import { pageView } from '@headrace/contract/accounts';
import { deviceUidOf } from '../../http/device-uid.ts';
import type { Mount } from '../../http/mount.ts';
import type { PageViewsService } from './page-views.service.ts';

/** Which pages are opened, by their pattern. */
export function pageViewRoutes(mount: Mount, views: PageViewsService): void {
  mount(pageView, async ({ body, caller, request, now }) => {
    const accountId = caller?.accountId ?? null;
    const view = { at: now, accountId, deviceUid: deviceUidOf(request), key: body.key };
    await views.add(view, request.headers);
    return { success: true };
  });
}
