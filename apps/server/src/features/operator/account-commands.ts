import { NEW_ACCOUNT_PAID_DAYS } from '@headrace/contract/limits';
import { EMAIL_TAKEN_TEXT, type PasswordOwner, validatePerson } from '@headrace/contract/rules/account-form';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import { ApiFailure } from '../../http/errors.ts';
import { endWaysIn, isHeld, issueKey, keyPath } from '../accounts/account-keys.ts';
import { accountMails } from '../accounts/account-mails.ts';
import { createAccountsRepo } from '../accounts/accounts.repo.ts';
import { endSessions, forgetKnownBrowsers } from '../accounts/end-sessions.ts';
import { refuseWeakPassword } from '../accounts/new-password.ts';
import { hashPassword } from '../accounts/password.ts';
import { factorNames, removeFactors } from '../accounts/second-step/factors.repo.ts';
import { endTickets } from '../accounts/second-step/tickets.repo.ts';
import { createMessages } from '../messages/create-messages.ts';
import type { Mail } from '../messages/messages.ts';
import { accountOf, change, type Command, DAY } from './command.ts';
import { UsageError } from './usage-error.ts';

/** The rules of the app's own forms, and their sentences. */
async function checkPassword(given: string | undefined, owner: PasswordOwner): Promise<string> {
  const password = given ?? '';
  await refuseWeakPassword(password, password, owner).catch(asUsageError);
  return password;
}

function checkPerson(name: string, email: string): void {
  const { name: ofName, email: ofEmail } = validatePerson({ name, email, countryCode: null, mobile: '' });
  const fault = ofEmail ?? ofName;
  if (fault) throw new UsageError(fault);
}

function asUsageError(error: unknown): never {
  throw error instanceof ApiFailure ? new UsageError(error.message) : error;
}

/** To the person, who may not be the one who asked for it. It goes with what it tells of, or not at all. */
const mail = (about: Mail, { db, now, publicUrl }: { db: Db; now: Date; publicUrl: string }) =>
  createMessages({ db, publicUrl }).mail(about, now, db);

/** Making accounts and letting people in. */
export const accountCommands: Record<string, Command> = {
  'create-account': {
    usage: 'create-account <e-mail> <password, or - to be asked for it> <name…>',
    does: 'Makes a farm owner',
    secrets: [1],
    async run({ db, now }, [given = '', password, ...words]) {
      const name = words.join(' ').trim();
      const email = given.trim().toLowerCase();
      checkPerson(name, email);
      const taken = await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirst();
      // Also one that an account has left a moment ago and may come back to.
      if (taken || (await isHeld(db, email, now))) throw new UsageError(EMAIL_TAKEN_TEXT);
      const row = {
        uid: newUid(now),
        email,
        name,
        type: 'SUBSCRIBER' as const,
        password_hash: await hashPassword(await checkPassword(password, { name, email })),
        subscription_valid_until: new Date(now.getTime() + NEW_ACCOUNT_PAID_DAYS * DAY),
        mobile: null,
        // The operator knows whose it is.
        email_confirmed_at: now,
      };
      await db.insertInto('account').values(row).execute();
      return `Account ${row.email} made.`;
    },
  },
  'set-password': {
    usage: 'set-password <e-mail> <password, or - to be asked for it>',
    does: 'Sets a new password, ends all sessions and mailed links, and mails the person; a demo account becomes an ordinary one',
    secrets: [1],
    async run({ db, now, publicUrl = '' }, [email, password]) {
      const account = await accountOf(db, email);
      const { id } = account;
      const owner = { ...account, farms: await createAccountsRepo(db).farmNames(id) };
      const passwordHash = await hashPassword(await checkPassword(password, owner));
      await change(db, async (trx) => {
        await trx
          .updateTable('account')
          .set({ password_hash: passwordHash, pending_email: null, is_demo: false, updated_at: now })
          .where('id', '=', id)
          .execute();
        await endSessions(trx, (some) => some.where('account_id', '=', id));
        await endWaysIn(trx, id);
        await endTickets(trx, id);
        await forgetKnownBrowsers(trx, id);
        await mail(accountMails.passwordSetForYou(account), { db: trx, now, publicUrl });
        return [{ kind: 'access-changed', accountId: id }];
      });
      const left = await factorNames(db, id);
      const named = `It is still opened by ${left.join(', ')}: where that may be somebody else's, remove-second-step.`;
      return `Password set. All sessions have ended.${left.length > 0 ? ` ${named}` : ''}`;
    },
  },
  'remove-second-step': {
    usage: 'remove-second-step <e-mail>',
    does: 'Lets somebody who lost the authenticator app and the recovery codes in with the password alone, and mails them; be sure who asks',
    async run({ db, now, publicUrl = '' }, [email]) {
      const account = await accountOf(db, email);
      if (account.second_step_since === null)
        throw new UsageError(`${account.email} signs in with the password alone already.`);
      await change(db, async (trx) => {
        await removeFactors(trx, account.id, now);
        await endSessions(trx, (some) => some.where('account_id', '=', account.id));
        await mail(accountMails.secondStepTakenAway(account), { db: trx, now, publicUrl });
        return [{ kind: 'access-changed', accountId: account.id }];
      });
      return `${account.email} signs in with the password alone. All sessions have ended.`;
    },
  },
  passwordless: {
    usage: 'passwordless <e-mail>',
    does: 'Prints a link that signs in once, within 24 hours',
    async run({ db, now, publicUrl = '' }, [email]) {
      const account = await accountOf(db, email);
      if (!account.approved) throw new UsageError(`${account.email} is not approved: approve it first.`);
      return `${publicUrl}${keyPath.passwordless(await issueKey(db, account, 'passwordless', now))}`;
    },
  },
};
