import type { FastifyRequest } from 'fastify';
import { pageView } from '@headrace/contract/accounts';
import { deviceUidOf } from '../../http/device-uid.ts';
import type { Mount } from '../../http/mount.ts';
import type { PageViewsRepo } from './page-views.repo.ts';

/** Which pages are opened, by their pattern. Nothing is stored of those who ask not to be followed. */
export function pageViewRoutes(mount: Mount, views: PageViewsRepo): void {
  mount(pageView, async ({ body, request, now }) => {
    if (!asksForPrivacy(request)) {
      const accountId = request.access.caller?.accountId ?? null;
      await views.add({ at: now, accountId, deviceUid: deviceUidOf(request), key: body.key });
    }
    return { success: true };
  });
}

/** Do Not Track and Global Privacy Control. */
const asksForPrivacy = ({ headers }: FastifyRequest): boolean =>
  headers['dnt'] === '1' || headers['sec-gpc'] === '1';
