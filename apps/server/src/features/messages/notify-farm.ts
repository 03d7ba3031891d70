import type { Db } from '../../db/client.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import type { Messages, Note } from './messages.ts';

/** Tells everybody who may hear of the farm, all or nobody; the same note of one key once. */
export async function notifyFarm(
  { db, messages }: { db: Db; messages: Pick<Messages, 'notify'> },
  farmId: number,
  note: Note & { readonly dedupeKey: string },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const accountId of await accountsWithFlag(trx, farmId, 'notifications', now))
      await messages.notify(accountId, note, now, trx);
  });
}
