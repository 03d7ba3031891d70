import { sql } from 'kysely';
import { levels } from '@headrace/contract/permissions';
import { isExpired } from '@headrace/contract/rules/subscription';
import { ACCOUNT_SUSPENDED_TEXT } from '@headrace/contract/texts';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import { forbidden, invalid } from '../../http/errors.ts';
import type { Caller } from '../../http/access-gate.ts';

/** Shares, holding now, of an account as a whole: each of its farms carries one, marked by `Account` on `farms`. */
function wholeAccountShares(db: Db, now: Date) {
  return db
    .selectFrom('farm_share as share')
    .innerJoin('farm', 'farm.id', 'share.farm_id')
    .where('farm.deleted_at', 'is', null)
    .where(sql<boolean>`(share.permissions->>'farms')::int & ${levels.Account} <> 0`)
    .where((eb) => eb.or([eb('share.expires_at', 'is', null), eb('share.expires_at', '>', now)]));
}

/** The accounts in which the caller may make farms, by name: an owner's own, an agent's those shared as a whole. */
export function ownersFor(db: Db, caller: Caller, now: Date): Promise<AccountRow[]> {
  const accounts = db.selectFrom('account').selectAll().orderBy(sql`lower(name)`).orderBy('id');
  if (caller.type === 'SUBSCRIBER') return accounts.where('id', '=', caller.accountId).execute();
  const owners = wholeAccountShares(db, now)
    .where('share.account_id', '=', caller.accountId)
    .select('farm.owner_id');
  return accounts.where('id', 'in', owners).execute();
}

/** Whose the new farm will be. Throws where the caller may not make one for that account, or it has expired. */
export async function ownerOfNewFarm(
  db: Db,
  caller: Caller,
  accountUid: string | undefined,
  now: Date,
): Promise<AccountRow> {
  if (caller.type === 'AGENT' && accountUid === undefined)
    throw invalid('Please choose the owner of the farm.', 'accountId');
  const owners = await ownersFor(db, caller, now);
  const owner =
    accountUid === undefined ? owners[0] : owners.find(({ uid }) => uid === accountUid.toLowerCase());
  // An account that exists and one that doesn't answer alike.
  if (!owner) throw forbidden();
  if (isExpired(owner.subscription_valid_until, now)) throw forbidden(ACCOUNT_SUSPENDED_TEXT);
  return owner;
}

/** With whom the owner shares the whole account, each once: the newest share of each. */
export async function inheritShares(trx: Db, farmId: number, ownerId: number, now: Date): Promise<number[]> {
  const inherited = wholeAccountShares(trx, now)
    .where('farm.owner_id', '=', ownerId)
    .distinctOn('share.account_id')
    .select([
      sql<number>`${farmId}::int`.as('farm_id'),
      'share.account_id',
      'share.template',
      'share.permissions',
      'share.expires_at',
      sql<Date>`${now}::timestamptz`.as('created_at'),
    ])
    .orderBy('share.account_id')
    .orderBy('share.created_at', 'desc');
  const rows = await trx
    .insertInto('farm_share')
    .columns(['farm_id', 'account_id', 'template', 'permissions', 'expires_at', 'created_at'])
    .expression(inherited)
    .returning('account_id')
    .execute();
  return rows.map(({ account_id }) => account_id);
}
