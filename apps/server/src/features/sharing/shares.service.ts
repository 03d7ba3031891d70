import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { INVITES_A_DAY } from '@headrace/contract/limits';
import { type Permissions, templates, toPermissions } from '@headrace/contract/permissions';
import type {
  Invite,
  listContacts,
  SharePermissions,
  updateSharePermissions,
} from '@headrace/contract/sharing';
import type { Caller } from '../../http/access-gate.ts';
import { conflict, notFound } from '../../http/errors.ts';
import type { AccessService } from '../access/access.service.ts';
import { invitesLeft } from './invites-left.ts';
import { accountOf } from './people.repo.ts';
import { endOf, rightsOf, shownRights } from './rights.ts';
import { createSharesRepo, type SharesRepo, toInvite, type ShareWithPeople } from './shares.repo.ts';
import {
  actorOf,
  agentOf,
  callOffInvitation,
  inTransaction,
  logShare,
  mailAgent,
  rightsChanged,
  type SharingContext,
  tell,
} from './sharing-context.ts';
import { roleOf, shareMails, shareNotes } from './labels.ts';

/** Shares as they stand: seen, changed and ended. */
export function createSharesService(context: SharingContext, access: AccessService) {
  const { db } = context;
  const shares = createSharesRepo(db);

  /** The caller's own rights on a farm, of whatever they come. */
  async function ownRights(farmUid: string, caller: Caller, now: Date): Promise<SharePermissions> {
    const found = await access.farmByUid(caller, farmUid.toLowerCase(), now);
    if (!found) throw notFound();
    const me = await accountOf(db, caller.accountId);
    const share = (await shares.received(me)).find(
      ({ state, farm_uid, owner_id, farm_id }) =>
        state === 'accepted' &&
        (farm_uid === found.farm.uid || (farm_id === null && owner_id === found.farm.owner_id)),
    );
    return {
      key: found.farm.uid,
      template: share?.template ?? (found.farm.owner_id === me.id ? templates.FarmManager : templates.Custom),
      farmUID: found.farm.uid,
      isAccountShare: share?.farm_id === null,
      permissions: found.permissions,
      endsAt: share?.ends_at?.toISOString() ?? null,
      name: me.name,
      email: me.email,
      farmName: found.farm.name,
    };
  }

  return {
    async list(caller: Caller): Promise<{ invites: Invite[] }> {
      const rows =
        caller.type === 'SUBSCRIBER'
          ? await shares.sent(caller.accountId)
          : await shares.received(await accountOf(db, caller.accountId));
      return { invites: rows.map(toInvite) };
    },

    /** People that the caller shared with, and how many more may be invited. */
    async contacts({ accountId }: Caller, now: Date): Promise<ReplyOf<typeof listContacts>> {
      const { left, moreAt } = await invitesLeft(context.db, accountId, now);
      return {
        contacts: await shares.contacts(accountId),
        invitations: { left, limit: INVITES_A_DAY, moreAt: moreAt?.toISOString() ?? null },
      };
    },

    /** Of a share that the caller gave or has; or the caller's own, where the key is a farm. */
    async rights(key: string, caller: Caller, now: Date): Promise<SharePermissions> {
      const share = await shares.byUid(key);
      if (!share) return ownRights(key, caller, now);
      if (share.owner_id !== caller.accountId && share.agent_id !== caller.accountId) throw notFound();
      return toRights(share);
    },

    async change(
      { key, template, permissions, endsAt }: BodyOf<typeof updateSharePermissions>,
      caller: Caller,
      now: Date,
    ): Promise<SharePermissions> {
      const end = endOf(endsAt, now);
      const changed = await inTransaction(context, async (trx, locking) => {
        const before = await lockedShare(locking, key);
        if (before.owner_id !== caller.accountId) throw notFound();
        if (before.state === 'rejected') throw conflict('This invitation was rejected. Please invite again.');
        await locking.change(before.id, {
          template,
          permissions: JSON.stringify(rightsOf(template, permissions)),
          ...(end !== undefined && { ends_at: end, ended_at: null }),
        });
        const after = await locking.byId(before.id);
        const detail = { before: judged(before), after: judged(after) };
        const actor = await actorOf(trx, caller.accountId);
        await logShare(trx, after, { actor, what: 'changed', note: changeNote(before, after), detail }, now);
        await mailAgent(context, after, shareMails.changed(after), now, trx);
        return after;
      });
      await rightsChanged(context, changed.agent_id);
      await tell(context, agentOf(changed), shareNotes.toAgentChanged(changed), now);
      return toRights(changed);
    },

    /** By the owner, or by the one who has it or was invited. */
    async revoke(key: string, caller: Caller, now: Date): Promise<void> {
      const { share, byOwner } = await inTransaction(context, async (trx, locking) => {
        const share = await lockedShare(locking, key);
        const actor = await accountOf(trx, caller.accountId);
        const byOwner = share.owner_id === actor.id;
        const isInvited =
          share.agent_id === null && actor.email_confirmed_at !== null && share.email === actor.email;
        if (!byOwner && share.agent_id !== actor.id && !isInvited) throw notFound();
        await locking.remove(share.id);
        await callOffInvitation(context, share, trx);
        const detail = { state: share.state, ...judged(share) };
        await logShare(trx, share, { actor, what: byOwner ? 'revoked' : 'given up', detail }, now);
        if (byOwner && share.state !== 'rejected')
          await mailAgent(context, share, shareMails.revoked(share), now, trx);
        return { share, byOwner };
      });
      await rightsChanged(context, share.agent_id);
      if (!byOwner) await tell(context, share.owner_id, shareNotes.toOwnerGivenUp(share), now);
      else if (share.state !== 'rejected')
        await tell(context, agentOf(share), shareNotes.toAgentRevoked(share), now);
    },
  };
}

async function lockedShare(shares: SharesRepo, uid: string): Promise<ShareWithPeople> {
  const found = await shares.byUid(uid);
  if (!found || !(await shares.lock(found.id))) throw notFound();
  return shares.byId(found.id);
}

const judged = ({ template, permissions, ends_at }: ShareWithPeople) => ({
  template,
  permissions: toPermissions(permissions),
  endsAt: ends_at?.toISOString() ?? null,
});

/** What changed, as one sentence. */
function changeNote(before: ShareWithPeople, after: ShareWithPeople): string {
  const parts = [];
  if (before.template !== after.template)
    parts.push(`from ${roleOf(before.template)} to ${roleOf(after.template)}`);
  else {
    const rights = changedRights(toPermissions(before.permissions), toPermissions(after.permissions));
    if (rights.length > 0) parts.push(`rights: ${rights.join(', ')}`);
  }
  if (before.ends_at?.getTime() !== after.ends_at?.getTime())
    parts.push(after.ends_at ? `ends ${after.ends_at.toISOString()}` : 'without an end');
  return parts.join('; ');
}

const changedRights = (before: Permissions, after: Permissions): string[] =>
  (Object.keys(after) as (keyof Permissions)[]).filter((name) => before[name] !== after[name]);

const toRights = (share: ShareWithPeople): SharePermissions => ({
  key: share.uid,
  template: share.template,
  farmUID: share.farm_uid,
  isAccountShare: share.farm_id === null,
  permissions: shownRights(share),
  endsAt: share.ends_at?.toISOString() ?? null,
  name: share.agent_name || share.contact.name || '',
  email: share.agent_email,
  farmName: share.farm_name ?? '',
});
