import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../db/client.ts';
import { newSecret, readKept, readOrMake } from '../../db/made-once.ts';

const NAME = 'unsubscribeSecret';

/**
 * What ends the notifications by mail of an account, and does nothing else. It holds as long as the account: mails are looked at years
 * later. Nothing is stored of it but the installation's secret.
 */
export async function unsubscribeKey(db: Db, accountId: number, now: Date): Promise<string> {
  const { uid } = await db
    .selectFrom('account')
    .select('uid')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return `${uid}.${signatureOf(await readOrMake(db, NAME, newSecret, now), uid)}`;
}

/** Whose key it is; null: nobody's. */
export async function accountOfUnsubscribeKey(db: Db, key: string): Promise<number | null> {
  const [uid = '', signature = ''] = key.split('.');
  const secret = await readKept<string>(db, NAME);
  if (secret === undefined) return null;
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(secret, uid))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const row = await db.selectFrom('account').select('id').where('uid', '=', uid).executeTakeFirst();
  return row?.id ?? null;
}

const signatureOf = (secret: string, uid: string): string =>
  createHmac('sha256', secret).update(`unsubscribe ${uid}`).digest('base64url');
