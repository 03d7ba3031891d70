import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';
import { type AccessLogEntry, logAccess } from '../access/access-log.ts';
import type { Mail, Messages, Note } from '../messages/messages.ts';
import { createSharesRepo, type SharesRepo, type ShareWithPeople, whomOf } from './shares.repo.ts';

/** What every part of sharing works with. */
export interface SharingContext {
  readonly db: Db;
  readonly messages: Messages;
  /** This account's rights are others now: on all servers, and on its open pages. */
  readonly accessChanged: (accountId: number) => Promise<void>;
  readonly log: { warn(details: object, message: string): void };
}

export interface Actor {
  readonly id: number;
  readonly name: string;
}

export const actorOf = (db: Db, accountId: number): Promise<Actor> =>
  db.selectFrom('account').select(['id', 'name']).where('id', '=', accountId).executeTakeFirstOrThrow();

/** In one transaction, with the repository of it. */
export const inTransaction = <T>(
  { db }: SharingContext,
  work: (trx: Db, shares: SharesRepo) => Promise<T>,
): Promise<T> =>
  db.transaction().execute(async (trx) => {
    await claimOnce(trx);
    return work(trx, createSharesRepo(trx));
  });

/** One line of the owner's access log. */
export function logShare(
  trx: Db,
  share: ShareWithPeople,
  entry: Pick<AccessLogEntry, 'actor' | 'what' | 'note' | 'detail'>,
  now: Date,
): Promise<void> {
  const farm = share.farm_id === null ? null : { id: share.farm_id, name: share.farm_name ?? '' };
  return logAccess(trx, [{ ownerId: share.owner_id, farm, whom: whomOf(share), ...entry }], now);
}

/** The account that the share's person has: the one that accepted it, or that has the address. */
export const agentOf = (share: ShareWithPeople): number | null => share.agent_id ?? share.known_id;

/** After the commit. What was done stays done when somebody can't be told. */
export async function tell(
  { messages, log }: SharingContext,
  accountId: number | null,
  note: Note,
  now: Date,
): Promise<void> {
  if (accountId === null) return;
  await messages
    .notify(accountId, { ...note, isMinor: true }, now)
    .catch((err: unknown) => log.warn({ err }, 'a notification about a share not stored'));
}

/** A mail about a share, unless the person asks for notifications by mail and gets the same so. */
export async function mailAgent(
  { messages }: SharingContext,
  share: ShareWithPeople,
  mail: Mail,
  now: Date,
  trx: Db,
): Promise<void> {
  const agentId = agentOf(share);
  const hears =
    agentId !== null &&
    (await trx
      .selectFrom('account')
      .select('id')
      .where('id', '=', agentId)
      .where('send_email', '=', true)
      .where('email_confirmed_at', 'is not', null)
      .executeTakeFirst());
  if (!hears) await messages.mail({ ...mail, isMinor: true }, now, trx);
}

/** Under which the mail with this key of an invitation waits, so that it can be called off. */
export const invitationKey = (keyHash: Buffer): string => `invitation ${keyHash.toString('hex')}`;

/** The invitation's link opens nothing any more: its mail doesn't go where it hasn't gone. */
export async function callOffInvitation(
  { messages }: SharingContext,
  { key_hash: keyHash }: Pick<ShareWithPeople, 'key_hash'>,
  trx: Db,
): Promise<void> {
  if (keyHash) await messages.cancel(invitationKey(keyHash), {}, trx);
}

/** What somebody may do has changed: nothing of the old is shown from now on. */
export async function rightsChanged(
  { accessChanged, log }: SharingContext,
  agentId: number | null,
): Promise<void> {
  if (agentId === null) return;
  await accessChanged(agentId).catch((err: unknown) => log.warn({ err }, 'new rights not told'));
}
