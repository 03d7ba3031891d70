import type { ReplyOf } from '@headrace/contract/endpoint';
import {
  type acceptInvite,
  type InviteFailure,
  type InviteInfo,
  inviteFailures,
} from '@headrace/contract/sharing';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import { ApiFailure } from '../../http/errors.ts';
import { hashToken } from '../accounts/tokens.ts';
import { accountOf, confirmAddress } from './people.repo.ts';
import { shownRights } from './rights.ts';
import { createSharesRepo, type SharesRepo, type ShareWithPeople } from './shares.repo.ts';
import type { SharersSecondStepService } from './sharers-second-step.service.ts';
import { inTransaction, logShare, rightsChanged, type SharingContext, tell } from './sharing-context.ts';
import { shareNotes } from './labels.ts';

const refused = (reason: InviteFailure) => new ApiFailure(reason, inviteFailures[reason]);

/** An invitation, found by what was mailed or by its name in the list. */
interface Found {
  readonly share: ShareWithPeople;
  /** Whoever has the mailed key reads the mail of that address. */
  readonly byMail: boolean;
}

/** What an invited person sees and answers. */
export function createAnswerService(
  context: SharingContext,
  secondStep: Pick<SharersSecondStepService, 'accepted'>,
) {
  return {
    async info(key: string, caller: Caller | null, now: Date): Promise<InviteInfo> {
      const account = caller && (await accountOf(context.db, caller.accountId));
      const shares = createSharesRepo(context.db);
      const found = await find(shares, key, account);
      const reason = await objection(shares, found?.share, account, now);
      if (!found || reason) return { ...noInfo, reason: reason ?? 'INVALID_KEY' };
      const { share } = found;
      return {
        success: true,
        reason: null,
        name: share.farm_name ?? '',
        farmer: share.owner_name,
        icon: share.farm_icon,
        description: share.farm_description ?? '',
        farmUID: share.farm_uid,
        isAccountShare: share.farm_id === null,
        endsAt: share.ends_at?.toISOString() ?? null,
        permissions: shownRights(share),
      };
    },

    /** By the mailed key alone, or by the list's where the account has the confirmed address it was sent to. */
    async accept(key: string, caller: Caller, now: Date): Promise<ReplyOf<typeof acceptInvite>> {
      const share = await unlessSubscribed(() =>
        inTransaction(context, async (trx, shares) => {
          const account = await accountOf(trx, caller.accountId);
          const { share, byMail } = await locked(shares, await find(shares, key, account));
          const reason = await objection(shares, share, account, now);
          if (reason) throw refused(reason);
          await shares.removeEnded(account.id, share, now);
          const answered = await answer(trx, shares, { share, byMail }, account, 'accepted', now);
          await secondStep.accepted(account.id, share.owner_id, now, trx);
          return answered;
        }),
      );
      await tell(context, share.owner_id, shareNotes.toOwnerAnswered(share), now);
      await rightsChanged(context, caller.accountId);
      return { farmUID: share.farm_uid, permissions: shownRights(share) };
    },

    async reject(key: string, caller: Caller, now: Date): Promise<void> {
      const share = await inTransaction(context, async (trx, shares) => {
        const account = await accountOf(trx, caller.accountId);
        const found = await locked(shares, await find(shares, key, account));
        if (found.share.state !== 'pending') throw refused('ALREADY_USED');
        return answer(trx, shares, found, account, 'rejected', now);
      });
      await tell(context, share.owner_id, shareNotes.toOwnerAnswered(share), now);
    },
  };
}

const noInfo = {
  success: false,
  name: '',
  farmer: '',
  icon: null,
  description: '',
  farmUID: null,
  isAccountShare: false,
  endsAt: null,
  permissions: null,
} as const;

async function find(shares: SharesRepo, key: string, account: AccountRow | null): Promise<Found | undefined> {
  const mailed = await shares.byKeyHash(hashToken(key));
  if (mailed) return { share: mailed, byMail: true };
  const listed = await shares.byUid(key);
  const isTheirs =
    account &&
    (listed?.agent_id === account.id || (account.email_confirmed_at && listed?.email === account.email));
  return listed && isTheirs ? { share: listed, byMail: false } : undefined;
}

/** As it is now that nobody else can answer or revoke it. Throws when it is none any more. */
async function locked(shares: SharesRepo, found: Found | undefined): Promise<Found> {
  if (!found || !(await shares.lock(found.share.id))) throw refused('INVALID_KEY');
  return { ...found, share: await shares.byId(found.share.id) };
}

/** Why the account can't accept it; without an account, why nobody can. */
async function objection(
  shares: SharesRepo,
  share: ShareWithPeople | undefined,
  account: AccountRow | null,
  now: Date,
): Promise<InviteFailure | null> {
  if (!share) return 'INVALID_KEY';
  if (share.state === 'pending' && share.ends_at && share.ends_at <= now) return 'INVALID_KEY';
  if (account && account.type !== 'AGENT') return 'IS_SUBSCRIBER';
  if (share.state !== 'pending') return 'ALREADY_USED';
  return account && (await shares.has(account.id, share, now)) ? 'ALREADY_SUBSCRIBED' : null;
}

async function answer(
  trx: Db,
  shares: SharesRepo,
  { share, byMail }: Found,
  account: AccountRow,
  state: 'accepted' | 'rejected',
  now: Date,
): Promise<ShareWithPeople> {
  await shares.change(share.id, { state, agent_id: account.id, answered_at: now });
  if (byMail && share.email === account.email) await confirmAddress(trx, account, share.email, now);
  const answered = await shares.byId(share.id);
  const note = share.email === account.email ? '' : `The invitation went to ${share.email}.`;
  await logShare(trx, answered, { actor: account, what: state, note }, now);
  return answered;
}

/** Two invitations to the same, accepted at once by one person: one of them holds. */
async function unlessSubscribed<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, constraint = '' } = error as { code?: string; constraint?: string };
    if (code === '23505' && ['share_of_farm', 'share_of_account'].includes(constraint))
      throw refused('ALREADY_SUBSCRIBED');
    throw error;
  }
}
