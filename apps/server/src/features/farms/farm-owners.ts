import { sql } from 'kysely';
import { isExpired } from '@headrace/contract/rules/subscription';
import { ACCOUNT_SUSPENDED_TEXT } from '@headrace/contract/texts';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import { forbidden, invalid } from '../../http/errors.ts';
import type { Caller } from '../../http/access-gate.ts';
import { isShut } from '../access/share-holds.ts';

/** Shares, holding now, of an account as a whole. */
function wholeAccountShares(db: Db, now: Date) {
  return db
    .selectFrom('share')
    .where('state', '=', 'accepted')
    .where('farm_id', 'is', null)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', now)]));
}

/** Those that give this agent something: not of owners who shut out whoever has no second step of signing in. */
export const wholeAccountsFor = (db: Db, agentId: number, now: Date) =>
  wholeAccountShares(db, now)
    .where('agent_id', '=', agentId)
    .where(sql<boolean>`not ${isShut(agentId, 'share', now)}`);

/** Of these farms those whose owner shuts this account out. */
export async function shutFarms(
  db: Db,
  accountId: number,
  ids: readonly number[],
  now: Date,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('farm')
    .select('id')
    .where(sql<boolean>`id = any(${ids})`)
    .where(isShut(accountId, 'farm', now))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function isOwner(db: Db, ownerId: number, accountUid: string): Promise<boolean> {
  const owner = await db
    .selectFrom('account')
    .select('id')
    .where('id', '=', ownerId)
    .where('uid', '=', accountUid.toLowerCase())
    .executeTakeFirst();
  return owner !== undefined;
}

/** The accounts in which the caller may make farms, by name: an owner's own, an agent's those shared as a whole. */
export function ownersFor(db: Db, caller: Caller, now: Date): Promise<AccountRow[]> {
  const accounts = db.selectFrom('account').selectAll().orderBy(sql`lower(name)`).orderBy('id');
  if (caller.type === 'SUBSCRIBER') return accounts.where('id', '=', caller.accountId).execute();
  const owners = wholeAccountsFor(db, caller.accountId, now).select('owner_id');
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

/** With whom the owner shares the whole account: they may use its new farms too. */
export async function agentsOfAccount(db: Db, ownerId: number, now: Date): Promise<number[]> {
  const rows = await wholeAccountShares(db, now).where('owner_id', '=', ownerId).select('agent_id').execute();
  return rows.flatMap(({ agent_id }) => agent_id ?? []);
}
