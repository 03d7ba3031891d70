import type { Db } from '../../db/client.ts';
import { purgeKeys } from './account-keys.ts';

const DAY = 86_400_000;
const PAGE_VIEW_DAYS = 90;

/** Sessions that ended, wrong passwords after a day, keys a day after they ended, page views after 90 days. */
export async function forgetExpired(db: Db, now: Date): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  await db.deleteFrom('session').where('expires_at', '<', now).execute();
  await db.deleteFrom('sign_in_failure').where('at', '<', before(DAY)).execute();
  await purgeKeys(db, now);
  await db
    .deleteFrom('page_view')
    .where('at', '<', before(PAGE_VIEW_DAYS * DAY))
    .execute();
}
