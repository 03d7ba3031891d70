import { SESSION_MOST_DAYS } from '@headrace/contract/limits';
import webPush from 'web-push';
import type { Db } from '../../db/client.ts';
import { forget, keep, readKept, readOrMake } from '../../db/made-once.ts';

export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const NAME = 'vapidKeys';
const FORMER = 'formerVapidKeys';
const FORMER_MS = SESSION_MOST_DAYS * 86_400_000;

/** The installation's pair, by which push services know this server: made once, whichever server is first. */
export const readOrMakeVapidKeys = (db: Db, now: Date): Promise<VapidKeys> =>
  readOrMake<VapidKeys>(db, NAME, () => webPush.generateVAPIDKeys(), now);

/** The pair, and the one before while browsers may have subscribed by it: a push service takes the pair of the subscription alone. */
export async function usableVapidKeys(db: Db, now: Date): Promise<VapidKeys[]> {
  const former = await readKept<VapidKeys & { until: string }>(db, FORMER);
  const isUsable = former !== undefined && new Date(former.until) > now;
  return [await readOrMakeVapidKeys(db, now), ...(isUsable ? [former] : [])];
}

/**
 * Another pair. A browser subscribes anew when it opens the app; the former pair reaches it until then, at most as long as a session
 * lasts: with its session its messages end too. One that leaked (`isLeaked`) is not used again.
 */
export async function renewVapidKeys(trx: Db, now: Date, isLeaked: boolean): Promise<void> {
  const former = await readOrMakeVapidKeys(trx, now);
  await keep(trx, NAME, webPush.generateVAPIDKeys(), now);
  if (isLeaked) return forget(trx, FORMER);
  await keep(trx, FORMER, { ...former, until: new Date(now.getTime() + FORMER_MS) }, now);
}
