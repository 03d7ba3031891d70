import webPush from 'web-push';
import type { Db } from '../../db/client.ts';

export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Pages that hold it ask for it again with every start of the app; a new one would end all subscriptions. */
const NAME = 'vapidKeys';

/** The installation's pair, by which push services know this server: made once, whichever server is first. */
export async function readOrMakeVapidKeys(db: Db, now: Date): Promise<VapidKeys> {
  const kept = await readKeys(db);
  if (kept) return kept;
  const value = JSON.stringify(webPush.generateVAPIDKeys());
  await db
    .insertInto('installation')
    .values({ name: NAME, value, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await readKeys(db);
  if (!made) throw new Error('The keys for push messages were not stored.');
  return made;
}

async function readKeys(db: Db): Promise<VapidKeys | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst();
  return row?.value as VapidKeys | undefined;
}
