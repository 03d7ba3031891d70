import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';

type Deletion = ReturnType<typeof sessionsToDelete>;
const sessionsToDelete = (db: Db) => db.deleteFrom('session');

/**
 * The one way in which sessions end; the hashes of their tokens. A browser that has no other session of the account gets
 * no more push messages: others may use it now.
 */
export async function endSessions(db: Db, which: (some: Deletion) => Deletion): Promise<Buffer[]> {
  const ended = await which(sessionsToDelete(db))
    .returning(['token_hash', 'account_id', 'device_uid'])
    .execute();
  for (const { account_id, device_uid } of ended)
    await db
      .deleteFrom('push_device')
      .where('account_id', '=', account_id)
      .where('device_uid', '=', device_uid)
      .where(
        sql<boolean>`not exists (select from session where account_id = ${account_id} and device_uid = ${device_uid})`,
      )
      .execute();
  return ended.map(({ token_hash }) => token_hash);
}

/**
 * The account's browsers are strangers again, and are asked for the second step: where somebody else may have had one of them, or its
 * name. Guesses from it count like anybody's.
 */
export async function forgetKnownBrowsers(trx: Db, accountId: number): Promise<void> {
  await trx.deleteFrom('known_device').where('account_id', '=', accountId).execute();
}
