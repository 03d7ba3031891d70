import type { FastifyRequest } from 'fastify';
import { pageView } from '@headrace/contract/accounts';
import type { Db } from '../../db/client.ts';
import { deviceUidOf } from '../../http/device-uid.ts';
import type { Mount } from '../../http/mount.ts';

/** Which pages are opened, by their pattern. Nothing is stored of those who ask not to be followed. */
export function pageViewRoutes(mount: Mount, db: Db): void {
  mount(pageView, async ({ body, request, now }) => {
    if (!asksForPrivacy(request)) {
      const accountId = request.access.caller?.accountId ?? null;
      await db
        .insertInto('page_view')
        .values({ at: now, account_id: accountId, device_uid: deviceUidOf(request), key: body.key })
        .execute();
    }
    return { success: true };
  });
}

/** Do Not Track and Global Privacy Control. */
const asksForPrivacy = ({ headers }: FastifyRequest): boolean =>
  headers['dnt'] === '1' || headers['sec-gpc'] === '1';
