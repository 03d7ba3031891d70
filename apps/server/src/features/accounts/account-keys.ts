import type { Db } from '../../db/client.ts';
import type { AccountKeyTable } from '../../db/schema/accounts.ts';
import type { AccountRow } from '../../db/schema.ts';
import { hashToken, newToken } from './tokens.ts';

export type KeyPurpose = AccountKeyTable['purpose'];

const HOUR = 3_600_000;
/** How long a mailed key opens what it is for, ms. */
export const keyLifeMs: Readonly<Record<KeyPurpose, number>> = {
  'confirm-email': 7 * 24 * HOUR,
  'reset-password': HOUR,
  passwordless: 24 * HOUR,
  'change-email': 7 * 24 * HOUR,
  'undo-email': 7 * 24 * HOUR,
};

/** Where in the app a mailed key leads. */
export const keyPath: Readonly<Record<KeyPurpose, (key: string) => string>> = {
  'confirm-email': (key) => `/confirm-email?key=${key}`,
  'reset-password': (key) => `/reset-password?key=${key}`,
  passwordless: (key) => `/login/${key}`,
  'change-email': (key) => `/confirm-email?key=${key}`,
  'undo-email': (key) => `/undo-email?key=${key}`,
};

/**
 * Makes a key that opens once: 32 random bytes in 43 characters. Its hash alone is kept. It stands for the address that
 * it goes to: where the account has another one by then it opens nothing, but for the key that brings the address back.
 */
export async function issueKey(
  db: Db,
  account: Pick<AccountRow, 'id' | 'email'>,
  purpose: KeyPurpose,
  now: Date,
): Promise<string> {
  const key = newToken();
  await db
    .insertInto('account_key')
    .values({
      key_hash: hashToken(key),
      account_id: account.id,
      purpose,
      email: account.email,
      created_at: now,
      expires_at: new Date(now.getTime() + keyLifeMs[purpose]),
    })
    .execute();
  return key;
}

/** Whether such a key went to that address since `since`. */
export async function wasIssued(
  db: Db,
  account: Pick<AccountRow, 'id' | 'email'>,
  purpose: KeyPurpose,
  since: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('account_key')
    .select('account_id')
    .where('account_id', '=', account.id)
    .where('purpose', '=', purpose)
    .where('email', '=', account.email)
    .where('created_at', '>', since)
    .executeTakeFirst();
  return row !== undefined;
}

/** When keys of this kind were made for the account since `since`, whatever address they went to. */
export async function issuedSince(
  db: Db,
  accountId: number,
  purpose: KeyPurpose,
  since: Date,
): Promise<Date[]> {
  const rows = await db
    .selectFrom('account_key')
    .select('created_at')
    .where('account_id', '=', accountId)
    .where('purpose', '=', purpose)
    .where('created_at', '>', since)
    .execute();
  return rows.map(({ created_at }) => created_at);
}

/** The account that a key would open now; undefined when it is wrong, used or old. */
export const accountOfKey = (
  db: Db,
  purpose: KeyPurpose,
  key: string,
  now: Date,
): Promise<AccountRow | undefined> => opened(db, purpose, key, now).executeTakeFirst();

function opened(db: Db, purpose: KeyPurpose, key: string, now: Date) {
  const open = db
    .selectFrom('account')
    .innerJoin('account_key as key', 'key.account_id', 'account.id')
    .selectAll('account')
    .where('key.key_hash', '=', hashToken(key))
    .where('key.purpose', '=', purpose)
    .where('key.used_at', 'is', null)
    .where('key.expires_at', '>', now);
  if (purpose === 'undo-email') return open;
  return open.whereRef(
    'key.email',
    '=',
    purpose === 'change-email' ? 'account.pending_email' : 'account.email',
  );
}

/** Uses a key up. Of two that come with the same one, one gets the account and the other undefined. */
export async function useKey(
  trx: Db,
  purpose: KeyPurpose,
  key: string,
  now: Date,
): Promise<AccountRow | undefined> {
  // Locked: a change of the address at this moment must not be proved by the key of the former one.
  const account = await opened(trx, purpose, key, now).forNoKeyUpdate('account').executeTakeFirst();
  if (!account) return undefined;
  const used = await trx
    .updateTable('account_key')
    .set({ used_at: now })
    .where('key_hash', '=', hashToken(key))
    .where('used_at', 'is', null)
    .returning('account_id')
    .executeTakeFirst();
  return used && account;
}

/** What was mailed to get in without a password, or to take the account to another address, opens nothing any more. */
export async function endWaysIn(trx: Db, accountId: number): Promise<void> {
  await trx
    .deleteFrom('account_key')
    .where('account_id', '=', accountId)
    .where('purpose', 'in', ['reset-password', 'passwordless', 'change-email'])
    .execute();
}

/** The address that a change is undone to, and when the key was made. */
export const undoneTo = (db: Db, key: string): Promise<{ email: string; created_at: Date }> =>
  db
    .selectFrom('account_key')
    .select(['email', 'created_at'])
    .where('key_hash', '=', hashToken(key))
    .executeTakeFirstOrThrow();

/** Whoever had the account before can still undo what came after; the others of these keys end. */
export async function endLaterUndo(trx: Db, accountId: number, from: Date): Promise<void> {
  await trx
    .deleteFrom('account_key')
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'undo-email')
    .where('created_at', '>=', from)
    .where('used_at', 'is', null)
    .execute();
}

/** Whether an account may still come back to this address: nobody else gets it meanwhile. */
export async function isHeld(db: Db, email: string, now: Date, butFor = 0): Promise<boolean> {
  const row = await db
    .selectFrom('account_key')
    .select('account_id')
    .where('purpose', '=', 'undo-email')
    .where('email', '=', email)
    .where('account_id', '!=', butFor)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keys that open nothing any more, a day after they ended. */
export async function purgeKeys(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 24 * HOUR);
  await db
    .deleteFrom('account_key')
    .where((eb) => eb.or([eb('expires_at', '<', before), eb('used_at', '<', before)]))
    .execute();
}
