import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { AccountRow, FarmRow } from '../../db/schema.ts';
import { confirmed } from '../accounts/confirmed.ts';
import type { Invitee } from './contacts.ts';

export const accountOf = (db: Db, id: number): Promise<AccountRow> =>
  db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

export const accountWith = (db: Db, email: string): Promise<AccountRow | undefined> =>
  db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst();

/** Locked: of two calls at once the second waits for what the first did. */
export const lockInviter = (trx: Db, id: number): Promise<Pick<AccountRow, 'email_confirmed_at'>> =>
  trx
    .selectFrom('account')
    .select('email_confirmed_at')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();

/** Of these uids, those of farms that are the owner's own. */
export const farmsOf = (db: Db, ownerId: number, uids: readonly string[]): Promise<Pick<FarmRow, 'id'>[]> =>
  db
    .selectFrom('farm')
    .select('id')
    .where('uid', 'in', uids)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();

/** An agent's account with a password that must be changed; paid until `paidUntil`. */
export const addAgent = (
  trx: Db,
  { email, contact }: Invitee,
  passwordHash: string,
  { now, paidUntil }: { now: Date; paidUntil: Date },
): Promise<AccountRow> =>
  trx
    .insertInto('account')
    .values({
      uid: newUid(now),
      email,
      name: contact.name ?? email,
      type: 'AGENT',
      password_hash: passwordHash,
      must_change_password: true,
      mobile: contact.mobile || null,
      country_code: contact.mobile ? (contact.countryCode ?? null) : null,
      newsletter: contact.newsletter ?? false,
      subscription_valid_until: paidUntil,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Its address is proved, unless it was given another a moment ago. */
export const confirmAddress = (trx: Db, account: AccountRow, email: string, now: Date) =>
  trx
    .updateTable('account')
    .set(confirmed(account, now))
    .where('id', '=', account.id)
    .where('email', '=', email)
    .execute();
