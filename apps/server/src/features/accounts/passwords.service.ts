import type { BodyOf } from '@headrace/contract/endpoint';
import type { changePassword } from '@headrace/contract/account-details';
import type { resetPassword } from '@headrace/contract/registration';
import { RESET_LINK_TEXT } from '@headrace/contract/texts';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import { invalid } from '../../http/errors.ts';
import type { Messages } from '../messages/messages.ts';
import { accountOfKey, endWaysIn, issueKey, keyLifeMs, useKey, wasIssued } from './account-keys.ts';
import { accountMails } from './account-mails.ts';
import type { AccountsRepo } from './accounts.repo.ts';
import type { Attempts } from './attempts.ts';
import { confirmed } from './confirmed.ts';
import { forgetKnownBrowsers } from './end-sessions.ts';
import { refuseWeakPassword } from './new-password.ts';
import { hashPassword } from './password.ts';
import { forgetRemembered } from './second-step/factors.repo.ts';
import { endTickets } from './second-step/tickets.repo.ts';
import type { Sessions, SignInFrom } from './sessions.ts';
import type { SignIn } from './sign-in.service.ts';

/** A link to set a new password is mailed again after this, ms. */
const MAIL_AGAIN_MS = 10 * 60_000;

const refusedKey = () => invalid(RESET_LINK_TEXT, 'key');

export interface PasswordParts {
  db: Db;
  accounts: AccountsRepo;
  sessions: Sessions;
  signIn: SignIn;
  attempts: Attempts;
  messages: Messages;
}

export function createPasswords(parts: PasswordParts) {
  const { db, accounts, sessions, signIn, attempts, messages } = parts;

  /** The new password; what was mailed to get in without it opens nothing any more, and no other address waits. */
  async function store(account: AccountRow, hash: string, now: Date, trx: Db): Promise<void> {
    const values = { password_hash: hash, must_change_password: false, pending_email: null };
    await accounts.change(account.id, values, now, trx);
    await endWaysIn(trx, account.id);
    await endTickets(trx, account.id);
    await forgetRemembered(trx, account.id);
    await messages.mail(accountMails.passwordChanged(account), now, trx);
  }

  /** What somebody who knows the person would try. */
  const ownerOf = async ({ id, name, email }: AccountRow) => ({
    name,
    email,
    farms: await accounts.farmNames(id),
  });

  return {
    /** Mails a link to set a new password, at most one in ten minutes; nothing to an address without an account. */
    async forgot(email: string, now: Date): Promise<void> {
      const found = await accounts.byEmail(email);
      if (!found || found.is_demo) return;
      await db.transaction().execute(async (trx) => {
        const account = await accounts.lock(found.id, trx);
        const since = new Date(now.getTime() - MAIL_AGAIN_MS);
        if (await wasIssued(trx, account, 'reset-password', since)) return;
        const key = await issueKey(trx, account, 'reset-password', now);
        const expiresAt = new Date(now.getTime() + keyLifeMs['reset-password']);
        await messages.mail({ ...accountMails.reset(account, key), expiresAt }, now, trx);
      });
    },

    /** Throws invalid when the key is wrong, used or old. A password that is refused leaves the key as it is. */
    async reset(body: BodyOf<typeof resetPassword>, now: Date): Promise<void> {
      const account = await accountOfKey(db, 'reset-password', body.key, now);
      if (!account) throw refusedKey();
      await refuseWeakPassword(body.password, body.passwordConfirmation, await ownerOf(account));
      const hash = await hashPassword(body.password);
      await sessions.endAll(account.id, async (trx) => {
        if (!(await useKey(trx, 'reset-password', body.key, now))) throw refusedKey();
        await store(account, hash, now, trx);
        await forgetKnownBrowsers(trx, account.id);
        await accounts.change(account.id, confirmed(account, now), now, trx);
        await attempts.forget(account.email, trx);
      });
    },

    /** The new token of the caller's session; every other session ends. */
    async change(
      { currPwd, newPwd }: BodyOf<typeof changePassword>,
      caller: Caller,
      from: SignInFrom,
      now: Date,
    ): Promise<string> {
      const names = { password: 'newPwd', passwordConfirmation: 'newPwd' };
      const account = await accounts.byId(caller.accountId);
      await refuseWeakPassword(newPwd, newPwd, await ownerOf(account), names);
      await signIn.provePassword(account, currPwd, 'currPwd', from, now);
      if (newPwd === currPwd) throw invalid('Please choose another password than the current one.', 'newPwd');
      const hash = await hashPassword(newPwd);
      return sessions.rotate(caller, (trx) => store(account, hash, now, trx));
    },
  };
}
