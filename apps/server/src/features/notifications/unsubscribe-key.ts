import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Db } from '../../db/client.ts';

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
  return `${uid}.${signatureOf(await readOrMakeSecret(db, now), uid)}`;
}

/** Whose key it is; null: nobody's. */
export async function accountOfUnsubscribeKey(db: Db, key: string): Promise<number | null> {
  const [uid = '', signature = ''] = key.split('.');
  const secret = await readSecret(db);
  if (secret === undefined) return null;
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(secret, uid))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  const row = await db.selectFrom('account').select('id').where('uid', '=', uid).executeTakeFirst();
  return row?.id ?? null;
}

const signatureOf = (secret: string, uid: string): string =>
  createHmac('sha256', secret).update(`unsubscribe ${uid}`).digest('base64url');

/** Made once, whichever server is first. */
async function readOrMakeSecret(db: Db, now: Date): Promise<string> {
  const kept = await readSecret(db);
  if (kept !== undefined) return kept;
  const value = JSON.stringify(randomBytes(32).toString('base64url'));
  await db
    .insertInto('installation')
    .values({ name: NAME, value, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const made = await readSecret(db);
  if (made === undefined) throw new Error('The secret for links in mails was not stored.');
  return made;
}

async function readSecret(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', NAME).executeTakeFirst();
  return row?.value as string | undefined;
}
