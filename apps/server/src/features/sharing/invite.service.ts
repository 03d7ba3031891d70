import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type { share as shareEndpoint } from '@headrace/contract/sharing';
import { AGENT_PAID_YEARS, INVITES_A_DAY } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import type { AccountRow, FarmRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import { ApiFailure, conflict, forbidden, invalid, notFound, tooMany, tryAgain } from '../../http/errors.ts';
import { issueKey, keyPath } from '../accounts/account-keys.ts';
import { hashPassword } from '../accounts/password.ts';
import { hashToken, newToken } from '../accounts/tokens.ts';
import { type Invitee, readContacts } from './contacts.ts';
import { invitesLeft } from './invites-left.ts';
import { accountWith, addAgent, farmsOf, lockInviter } from './people.repo.ts';
import { endOf, rightsOf } from './rights.ts';
import {
  createSharesRepo,
  type NewShare,
  type SharesRepo,
  toInvite,
  type ShareWithPeople,
  whomOf,
} from './shares.repo.ts';
import {
  type Actor,
  actorOf,
  agentOf,
  callOffInvitation,
  inTransaction,
  invitationKey,
  logShare,
  type SharingContext,
  tell,
} from './sharing-context.ts';
import { roleOf, shareMails, shareNotes, thingOf } from './labels.ts';

const UNPROVED_TEXT =
  'Please confirm your e-mail address first, by the link that we mailed to it. Account Details sends it again.';
/** Each is a mail. */
const INVITES_MAX = 500;
const PAID_MS = AGENT_PAID_YEARS * 365.25 * 86_400_000;

type ShareEntry = BodyOf<typeof shareEndpoint>;

/** Inviting people: each to each farm, or to the whole account; all or nobody. */
export function createInviteService(context: SharingContext) {
  const { db, messages } = context;

  /** What the mail of an invitation carries; the earlier link ends. */
  async function send(
    trx: Db,
    share: ShareWithPeople,
    account: InvitedAccount | null,
    now: Date,
  ): Promise<void> {
    await callOffInvitation(context, share, trx);
    const key = newToken();
    const keyHash = hashToken(key);
    await createSharesRepo(trx).change(share.id, { key_hash: keyHash, sent_at: now });
    const canSignIn = account && !account.isNew && account.row.email_confirmed_at && account.row.approved;
    const signInPath = canSignIn
      ? keyPath.passwordless(await issueKey(trx, account.row, 'passwordless', now))
      : null;
    const mail = shareMails.invited(share, { key, signInPath, isNewAccount: account?.isNew ?? false });
    const delivery = {
      dedupeKey: invitationKey(keyHash),
      ...(share.ends_at && { expiresAt: share.ends_at }),
    };
    await messages.mail({ ...mail, ...delivery }, now, trx);
  }

  async function invite(
    trx: Db,
    of: NewShare,
    invitee: Invitee,
    account: InvitedAccount | null,
    actor: Actor,
  ): Promise<ShareWithPeople> {
    const shares = createSharesRepo(trx);
    await makeRoom(shares, of, invitee.email, of.created_at);
    const share = await shares.add(of, invitee);
    await send(trx, share, account, of.created_at);
    const detail = { template: of.template, permissions: share.permissions, email: invitee.email };
    await logShare(trx, share, { actor, what: 'invited', note: noteOf(share), detail }, of.created_at);
    return share;
  }

  return {
    async share(entry: ShareEntry, caller: Caller, now: Date): Promise<ReplyOf<typeof shareEndpoint>> {
      const endsAt = endOf(entry.endsAt, now) ?? null;
      const invitees = await readContacts(entry.contacts);
      const farms = await farmsToShare(db, entry, caller.accountId);
      if (invitees.length * farms.length > INVITES_MAX)
        throw invalid(
          `These are more than ${INVITES_MAX} invitations. Please invite fewer at once.`,
          'contacts',
        );
      const columns = {
        owner_id: caller.accountId,
        state: 'pending' as const,
        template: entry.template,
        permissions: JSON.stringify(rightsOf(entry.template, entry.permissions)),
        ends_at: endsAt,
        sent_at: now,
        created_at: now,
      };
      // Before the costly hashes; asked again where it counts.
      await refuseFlood(context, db, caller, invitees, farms.length, now);
      const passwordHashes = new Map<Invitee, string>();
      for (const invitee of invitees)
        if (invitee.password) passwordHashes.set(invitee, await hashPassword(invitee.password));

      const made = await unlessShared(() =>
        inTransaction(context, async (trx) => {
          await refuseFlood(context, trx, caller, invitees, farms.length, now);
          const actor = await actorOf(trx, caller.accountId);
          const made: ShareWithPeople[] = [];
          for (const invitee of invitees) {
            const account = await accountFor(trx, invitee, passwordHashes.get(invitee), caller, now);
            for (const farm of farms)
              made.push(
                await invite(trx, { ...columns, farm_id: farm?.id ?? null }, invitee, account, actor),
              );
          }
          return made;
        }),
      );
      for (const share of made) await tell(context, agentOf(share), shareNotes.toAgentInvited(share), now);
      return { invites: made.map(toInvite) };
    },

    /** Only to an address without an account: who has one finds the invitation there. */
    async resend(uid: string, caller: Caller, now: Date): Promise<void> {
      await inTransaction(context, async (trx, shares) => {
        const found = await shares.byUid(uid);
        if (!found || found.owner_id !== caller.accountId || !(await shares.lock(found.id))) throw notFound();
        const share = await shares.byId(found.id);
        if (share.state !== 'pending') throw conflict('This invitation was answered.');
        if (share.agent_name)
          throw conflict(`${share.agent_name} has an account already and finds the invitation there.`);
        if (share.ends_at && share.ends_at <= now)
          throw conflict('This invitation has ended. Please set a later end.');
        await refuseFlood(context, trx, caller, [share], 1, now);
        await send(trx, share, null, now);
        const actor = await actorOf(trx, caller.accountId);
        await logShare(trx, share, { actor, what: 'invited again' }, now);
      });
    },
  };
}

/**
 * Mail to strangers has its limits: by who invites, whose row is locked so that two calls at once can't pass them, and by
 * who is invited.
 */
async function refuseFlood(
  { messages }: SharingContext,
  trx: Db,
  { accountId }: Caller,
  invitees: readonly { readonly email: string }[],
  eachTimes: number,
  now: Date,
): Promise<void> {
  const owner = await lockInviter(trx, accountId);
  if (!owner.email_confirmed_at) throw forbidden(UNPROVED_TEXT);
  const { left, again } = await invitesLeft(trx, accountId, now);
  const wanted = invitees.length * eachTimes;
  if (wanted > left) {
    const restMs = again(wanted).getTime() - now.getTime();
    throw tooMany(
      `An account can send ${INVITES_A_DAY} invitations a day. These are ${wanted}, and ${left} are left. ${tryAgain(restMs)}`,
      restMs,
    );
  }
  for (const { email } of invitees) {
    const restMs = (await messages.roomAgain(email, eachTimes, now, trx)).getTime() - now.getTime();
    if (restMs > 0)
      throw tooMany(
        `Too much mail went to ${email} today. ${tryAgain(restMs)}${eachTimes > 1 ? ' A share of the whole account is one mail alone.' : ''}`,
        restMs,
      );
  }
}

interface InvitedAccount {
  readonly row: AccountRow;
  readonly isNew: boolean;
}

const noteOf = (share: ShareWithPeople): string =>
  share.ends_at ? `${roleOf(share.template)}, until ${share.ends_at.toISOString()}` : roleOf(share.template);

/** Null stands for the whole account. A farm that isn't the caller's own answers as if it did not exist. */
async function farmsToShare(
  db: Db,
  entry: ShareEntry,
  ownerId: number,
): Promise<(Pick<FarmRow, 'id'> | null)[]> {
  if (entry.isAccountShare) return [null];
  const uids = [...new Set(entry.farms.map((uid) => uid.toLowerCase()))];
  if (uids.length === 0) throw invalid('Please choose at least one farm.', 'farms');
  const farms = await farmsOf(db, ownerId, uids);
  if (farms.length !== uids.length) throw notFound();
  return farms;
}

/** The account of the address, made where a password was given. Throws where the address can't be invited. */
async function accountFor(
  trx: Db,
  invitee: Invitee,
  passwordHash: string | undefined,
  caller: Caller,
  now: Date,
): Promise<InvitedAccount | null> {
  const row = await accountWith(trx, invitee.email);
  if (!row) {
    if (!passwordHash) return null;
    const paidUntil = new Date(now.getTime() + PAID_MS);
    return { row: await addAgent(trx, invitee, passwordHash, { now, paidUntil }), isNew: true };
  }
  if (row.id === caller.accountId) throw invalid("You can't invite yourself.", invitee.field);
  // Anybody may claim an address: whoever reads its mail is invited all the same, and accepts by what is mailed.
  if (!row.email_confirmed_at && !row.must_change_password) {
    if (passwordHash)
      throw conflict(
        `${invitee.email} is registered and not confirmed yet. Please leave the password empty.`,
        invitee.field,
      );
    return null;
  }
  if (row.type !== 'AGENT')
    throw new ApiFailure(
      'IS_SUBSCRIBER',
      `${invitee.email} is the account of a farm owner. Please ask for another address, with which an agent's account can be made.`,
      invitee.field,
    );
  if (passwordHash)
    throw conflict(
      `${invitee.email} has an account already. Please leave the password empty.`,
      invitee.field,
    );
  return { row, isNew: false };
}

/** What was rejected or has ended gives way to a new invitation; what holds or waits is a conflict. */
async function makeRoom(
  shares: SharesRepo,
  of: Pick<NewShare, 'owner_id' | 'farm_id'>,
  email: string,
  now: Date,
): Promise<void> {
  const there = await shares.lockLike(of, email);
  if (!there) return;
  if (there.state !== 'rejected' && (there.ends_at === null || there.ends_at > now)) {
    const share = await shares.byId(there.id);
    throw conflict(
      there.state === 'accepted'
        ? `${whomOf(share)} has access to ${thingOf(share)} already.`
        : `${whomOf(share)} is invited to ${thingOf(share)} already.`,
      'contacts',
    );
  }
  await shares.remove(there.id);
}

/** Two calls at once invite the same person: one of them has. */
async function unlessShared<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && (constraint === 'share_of_person' || constraint === 'account_email_key'))
      throw conflict('Somebody has just invited one of these people. Please look at the list.', 'contacts');
    throw error;
  }
}
