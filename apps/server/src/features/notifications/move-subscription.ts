import type { Db } from '../../db/client.ts';
import type { Subscription } from './push-devices.repo.ts';

/**
 * Whoever knows the secrets of a subscription replaces it, as a browser whose push service gave it another. Null where no device has
 * them, or another device has the new one; else whose it is.
 */
export async function moveSubscription(
  db: Db,
  before: Pick<Subscription, 'endpoint' | 'auth'>,
  { endpoint, expiresAt, p256dh, auth }: Subscription,
): Promise<number | null> {
  const row = await db
    .updateTable('push_device')
    .set({ endpoint, expires_at: expiresAt, p256dh, auth })
    .where('endpoint', '=', before.endpoint)
    .where('auth', '=', before.auth)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('push_device as other').select('other.id').where('other.endpoint', '=', endpoint),
        ),
      ),
    )
    .returning('account_id')
    .executeTakeFirst();
  return row?.account_id ?? null;
}
