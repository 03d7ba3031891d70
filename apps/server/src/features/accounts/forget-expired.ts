import type { Db } from '../../db/client.ts';
import { forgetOnce } from '../../db/once.ts';
import { purgeKeys } from './account-keys.ts';
import { endSessions } from './end-sessions.ts';
import { purgeTickets } from './second-step/tickets.repo.ts';

const DAY = 86_400_000;
const PAGE_VIEW_DAYS = 90;
/** A browser that nobody signed in with for so long is a stranger again. */
const KNOWN_DEVICE_DAYS = 400;

/**
 * Sessions that ended, wrong passwords after a day, keys and steps of signing in a day after they ended, page views after 90 days, browsers 400
 * days after they were last signed in with.
 */
export async function forgetExpired(db: Db, now: Date): Promise<void> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  await db.transaction().execute((trx) => endSessions(trx, (some) => some.where('expires_at', '<', now)));
  await db
    .deleteFrom('known_device')
    .where('last_sign_in_at', '<', before(KNOWN_DEVICE_DAYS * DAY))
    .execute();
  await db.deleteFrom('sign_in_failure').where('at', '<', before(DAY)).execute();
  await purgeKeys(db, now);
  await purgeTickets(db, before(DAY));
  await forgetOnce(db, now);
  await db
    .deleteFrom('page_view')
    .where('at', '<', before(PAGE_VIEW_DAYS * DAY))
    .execute();
}
