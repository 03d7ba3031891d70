import type { Db } from '../../db/client.ts';

export interface PageView {
  readonly at: Date;
  readonly accountId: number | null;
  readonly deviceUid: string;
  /** The route's pattern. */
  readonly key: string;
}

export function createPageViewsRepo(db: Db) {
  return {
    async add({ at, accountId, deviceUid, key }: PageView): Promise<void> {
      await db
        .insertInto('page_view')
        .values({ at, account_id: accountId, device_uid: deviceUid, key })
        .execute();
    },
  };
}
export type PageViewsRepo = ReturnType<typeof createPageViewsRepo>;
