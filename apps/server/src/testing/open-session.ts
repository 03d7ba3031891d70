import type { Db } from '../db/client.ts';
import { hashToken, newToken } from '../features/accounts/tokens.ts';

const DAY_MS = 86_400_000;

/** A session without the password's cost, for a day from `now`; its token. */
export async function openSession(
  db: Db,
  accountId: number,
  { now = new Date(), deviceUid = 'test' }: { now?: Date; deviceUid?: string } = {},
): Promise<string> {
  const token = newToken();
  await db
    .insertInto('session')
    .values({
      token_hash: hashToken(token),
      account_id: accountId,
      device_uid: deviceUid,
      address: '127.0.0.1',
      user_agent: 'test',
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + DAY_MS),
      ends_at: new Date(now.getTime() + 90 * DAY_MS),
    })
    .execute();
  return token;
}
