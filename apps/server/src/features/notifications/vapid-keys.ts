import webPush from 'web-push';
import type { Db } from '../../db/client.ts';
import { readOrMake } from '../../db/made-once.ts';

export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Pages that hold it ask for it again with every start of the app; a new one would end all subscriptions. */
const NAME = 'vapidKeys';

/** The installation's pair, by which push services know this server: made once, whichever server is first. */
export const readOrMakeVapidKeys = (db: Db, now: Date): Promise<VapidKeys> =>
  readOrMake<VapidKeys>(db, NAME, () => webPush.generateVAPIDKeys(), now);
