import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../db/client.ts';
import { forget, keep, newSecret, readKept, readOrMake } from '../../db/made-once.ts';

const NAME = 'unsubscribeSecret';
const FORMER = 'formerUnsubscribeSecrets';

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
  const secrets = [await readKept<string>(db, NAME), ...(await formerSecrets(db))];
  if (!secrets.some((secret) => secret !== undefined && isEqual(signature, signatureOf(secret, uid))))
    return null;
  const row = await db.selectFrom('account').select('id').where('uid', '=', uid).executeTakeFirst();
  return row?.id ?? null;
}

const signatureOf = (secret: string, uid: string): string =>
  createHmac('sha256', secret).update(`unsubscribe ${uid}`).digest('base64url');

function isEqual(...both: [string, string]): boolean {
  const [given, right] = both.map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return given.length === right.length && timingSafeEqual(given, right);
}

const formerSecrets = async (db: Db): Promise<string[]> => (await readKept<string[]>(db, FORMER)) ?? [];

/** Another secret for mails from now on. Those before are opened still, unless the secret leaked (`isLeaked`). */
export async function renewUnsubscribeSecret(trx: Db, now: Date, isLeaked: boolean): Promise<void> {
  const secret = await readOrMake(trx, NAME, newSecret, now);
  const former = await formerSecrets(trx);
  await keep(trx, NAME, newSecret(), now);
  if (isLeaked) return forget(trx, FORMER);
  await keep(trx, FORMER, [secret, ...former], now);
}
