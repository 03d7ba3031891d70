import type { OwnAccount } from '@headrace/contract/account-details';
import type { OwnProof } from '@headrace/contract/second-step';
import { durationText } from '@headrace/contract/rules/contact';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import type { By } from '../devices/record-change.ts';
import type { Messages } from '../messages/messages.ts';
import { accountMails } from './account-mails.ts';
import type { AccountsRepo } from './accounts.repo.ts';
import { toOwnAccount } from './details.service.ts';
import {
  claimForErasing,
  closeUnproved,
  dueAccounts,
  eraseAccount,
  farmsOf,
  sharedFarmsOf,
} from './erase-account.ts';
import type { ProveOwn } from './second-step/own-proof.ts';
import type { Sessions, SignInFrom } from './sessions.ts';

/** A closed account can be kept for this long. */
const GRACE_MS = 30 * 86_400_000;

export interface ClosingParts {
  db: Db;
  accounts: AccountsRepo;
  sessions: Sessions;
  proveOwn: ProveOwn;
  messages: Messages;
  /** As its owner would, with all that has to hear of it. */
  removeFarm(farmId: number, by: By): Promise<void>;
  /** What these accounts may do has changed. */
  onAccessChanged(accountIds: readonly number[]): void;
  log: { error(details: object, message: string): void };
}

export function createClosing(parts: ClosingParts) {
  const { db, accounts, sessions, proveOwn, messages } = parts;

  async function erase(account: AccountRow, now: Date): Promise<void> {
    // From here on nobody can sign in any more and keep it.
    if (!(await claimForErasing(db, account.id, now))) return;
    for (const farmId of await farmsOf(db, account.id))
      await parts.removeFarm(farmId, { accountId: account.id, now });
    const others = await sessions.endAll(account.id, async (trx) => {
      const agents = await eraseAccount(trx, account, now);
      // An address that was never proved may be a stranger's.
      if (account.email_confirmed_at) await messages.mail(accountMails.closed(account), now, trx);
      return agents;
    });
    parts.onAccessChanged(others);
  }

  return {
    /** In 30 days. Throws unless the caller proves what signing in takes. A second call changes nothing. */
    async close(proof: OwnProof, caller: Caller, from: SignInFrom, now: Date): Promise<OwnAccount> {
      await proveOwn(caller, proof, from, now);
      const shared = await sharedFarmsOf(db, caller.accountId, now);
      return db.transaction().execute(async (trx) => {
        const account = await accounts.lock(caller.accountId, trx);
        if (account.closes_at) return toOwnAccount(account);
        const closesAt = new Date(now.getTime() + GRACE_MS);
        const closing = await accounts.change(account.id, { closes_at: closesAt }, now, trx);
        const when = `${closesAt.toISOString().slice(0, 10)}, in ${durationText(GRACE_MS)}`;
        await messages.mail(accountMails.closing(account, when, shared.map(farmText)), now, trx);
        return toOwnAccount(closing);
      });
    },

    keep: (caller: Caller, now: Date): Promise<OwnAccount> =>
      db.transaction().execute(async (trx) => {
        const account = await accounts.lock(caller.accountId, trx);
        if (!account.closes_at) return toOwnAccount(account);
        const kept = await accounts.change(account.id, { closes_at: null }, now, trx);
        await messages.mail(accountMails.kept(account), now, trx);
        return toOwnAccount(kept);
      }),

    /** Deletes the accounts whose days of grace are over. One that fails is tried again at the next turn. */
    async closeDue(now: Date): Promise<void> {
      await closeUnproved(db, now);
      for (const account of await dueAccounts(db, now)) {
        await erase(account, now).catch((error: unknown) =>
          parts.log.error({ err: error, account: account.uid }, 'account not deleted'),
        );
      }
    },
  };
}

function farmText({ farm, people }: { farm: string; people: number }): string {
  if (people === 0) return farm;
  return `${farm}, which ${people === 1 ? '1 other person uses' : `${people} other people use`}`;
}
