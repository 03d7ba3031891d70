import type { ReplyOf } from '@headrace/contract/endpoint';
import type { undoEmail } from '@headrace/contract/account-details';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import { tooMany, tryAgain } from '../../http/errors.ts';
import { roomAgain } from '../../room-again.ts';
import type { Messages } from '../messages/messages.ts';
import {
  accountOfKey,
  endLaterUndo,
  endWaysIn,
  isHeld,
  issuedSince,
  issueKey,
  undoneTo,
  useKey,
} from './account-keys.ts';
import { accountMails } from './account-mails.ts';
import { type AccountsRepo, emailTaken } from './accounts.repo.ts';
import type { Attempts } from './attempts.ts';
import { forgetKnownBrowsers } from './end-sessions.ts';
import { factorNames, removeFactorsSince } from './second-step/factors.repo.ts';
import { endTickets } from './second-step/tickets.repo.ts';
import type { Sessions } from './sessions.ts';

const DAY = 86_400_000;
/** Links to confirm an address that one account can have mailed in 24 hours by changing it. */
const ADDRESSES_A_DAY = 10;

export interface NewAddressParts {
  db: Db;
  accounts: AccountsRepo;
  sessions: Sessions;
  attempts: Attempts;
  messages: Messages;
  /** The password alone signs in from now on. */
  onSecondStepEnded(accountId: number, now: Date, trx: Db): Promise<void>;
}

/**
 * From one e-mail address to another: asked for with the password, done when the new one is proved, and undone for seven
 * days by whoever reads the mail of the former one. docs/decisions/0054
 */
export function createNewAddress(parts: NewAddressParts) {
  const { db, accounts, sessions, attempts, messages } = parts;
  /** Only where the address is known to be this person's: of a mistyped one a stranger would get the account. */
  async function undoKey(account: AccountRow, now: Date, trx: Db): Promise<string | null> {
    return account.email_confirmed_at ? issueKey(trx, account, 'undo-email', now) : null;
  }

  async function mailLink(account: AccountRow, to: string, now: Date, trx: Db): Promise<void> {
    const key = await issueKey(trx, { id: account.id, email: to }, 'change-email', now);
    await messages.mail(accountMails.newAddress(account, to, key), now, trx);
  }

  return {
    mailLink,

    /** Throws a conflict where another account has the address, and when it was changed often today. */
    async ask(account: AccountRow, to: string, now: Date, trx: Db): Promise<AccountRow> {
      if ((await accounts.byEmail(to, trx)) || (await isHeld(trx, to, now, account.id))) throw emailTaken();
      await refuseOften(trx, account.id, now);
      const asked = await accounts.change(account.id, { pending_email: to }, now, trx);
      await mailLink(asked, to, now, trx);
      const key = await undoKey(account, now, trx);
      if (key) await messages.mail(accountMails.addressAsked(account, key), now, trx);
      return asked;
    },

    /** The account stays where it is. */
    async withdraw(caller: Caller, now: Date): Promise<AccountRow> {
      return accounts.change(caller.accountId, { pending_email: null }, now);
    },

    /** By the mailed key. False when it is wrong, used or old. */
    async take(key: string, now: Date, trx: Db): Promise<boolean> {
      const before = await useKey(trx, 'change-email', key, now);
      if (!before?.pending_email) return false;
      if (await isHeld(trx, before.pending_email, now, before.id)) throw emailTaken();
      const values = { email: before.pending_email, pending_email: null, email_confirmed_at: now };
      await accounts.change(before.id, values, now, trx);
      const undo = await undoKey(before, now, trx);
      if (undo) await messages.mail(accountMails.addressChanged(before, undo), now, trx);
      return true;
    },

    /**
     * The former address is back, everybody is signed out, the password and what was added since to sign in with open nothing, and
     * closing the account is called off. `resetKey` sets a new password.
     */
    async undo(key: string, now: Date): Promise<ReplyOf<typeof undoEmail>> {
      const found = await accountOfKey(db, 'undo-email', key, now);
      if (!found) return { success: false };
      return sessions.endAll(found.id, async (trx) => {
        const account = await useKey(trx, 'undo-email', key, now);
        if (!account) return { success: false };
        const { email, created_at } = await undoneTo(trx, key);
        const values = {
          email,
          pending_email: null,
          email_confirmed_at: now,
          password_hash: null,
          must_change_password: false,
          closes_at: null,
        };
        const back = await accounts.change(account.id, values, now, trx);
        await endWaysIn(trx, account.id);
        await endLaterUndo(trx, account.id, created_at);
        await endTickets(trx, account.id);
        await removeFactorsSince(trx, account.id, { since: created_at, now });
        await forgetKnownBrowsers(trx, account.id);
        await attempts.forget(email, trx);
        const left = await factorNames(trx, account.id);
        const isSame = account.email === email && account.pending_email === null;
        const mail = isSame ? accountMails.addedTakenBack : accountMails.addressBack;
        await messages.mail(mail(back, left), now, trx);
        const isEnded = account.second_step_since !== null && left.length === 0;
        if (isEnded) await parts.onSecondStepEnded(account.id, now, trx);
        return { success: true, email, resetKey: await issueKey(trx, back, 'reset-password', now) };
      });
    },
  };
}
export type NewAddress = ReturnType<typeof createNewAddress>;

/** Each change is a mail to whatever address was typed. */
async function refuseOften(trx: Db, accountId: number, now: Date): Promise<void> {
  const mailed = await issuedSince(trx, accountId, 'change-email', new Date(now.getTime() - DAY));
  if (mailed.length < ADDRESSES_A_DAY) return;
  const uses = mailed.map((at) => ({ at, count: 1 }));
  const restMs = roomAgain(uses, ADDRESSES_A_DAY, 1, now).getTime() - now.getTime();
  throw tooMany(`The e-mail address was changed often today. ${tryAgain(restMs)}`, restMs);
}
