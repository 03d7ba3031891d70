import type { AccountDetails, OwnAccount } from '@headrace/contract/account-details';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import type { Messages } from '../messages/messages.ts';
import { tooMany } from '../../http/errors.ts';
import { issuedSince } from './account-keys.ts';
import { accountMails } from './account-mails.ts';
import type { AccountsRepo } from './accounts.repo.ts';
import { personColumns, refuseWrong } from './person.ts';
import type { Registration } from './registration.service.ts';

/** Links to confirm an address that one account can have mailed in 24 hours by changing it. */
const ADDRESSES_A_DAY = 10;

export interface DetailsParts {
  db: Db;
  accounts: AccountsRepo;
  messages: Messages;
  registration: Registration;
}

export function createDetails({ db, accounts, messages, registration }: DetailsParts) {
  return {
    own: async (caller: Caller): Promise<OwnAccount> => toOwnAccount(await accounts.byId(caller.accountId)),

    /** A new address is not known to be this person's until its mail is followed; the old one is told. */
    async change(details: AccountDetails, caller: Caller, now: Date): Promise<OwnAccount> {
      refuseWrong(details);
      const columns = { ...personColumns(details), newsletter: details.newsletter };
      return db.transaction().execute(async (trx) => {
        const before = await accounts.lock(caller.accountId, trx);
        const isMoved = columns.email !== before.email;
        const values = isMoved ? { ...columns, email_confirmed_at: null } : columns;
        const after = await accounts.change(before.id, values, now, trx);
        if (isMoved) {
          await refuseOften(trx, before.id, now);
          await registration.mailConfirmation(after, now, trx);
          await messages.mail(accountMails.addressChanged(before, after), now, trx);
        }
        return toOwnAccount(after);
      });
    },
  };
}

/** Each change is a mail to whatever address was typed. */
async function refuseOften(trx: Db, accountId: number, now: Date): Promise<void> {
  const mailed = await issuedSince(trx, accountId, 'confirm-email', new Date(now.getTime() - 86_400_000));
  if (mailed >= ADDRESSES_A_DAY)
    throw tooMany('The e-mail address was changed often today. Please try again tomorrow.');
}

export function toOwnAccount(account: AccountRow): OwnAccount {
  return {
    name: account.name,
    email: account.email,
    newsletter: account.newsletter,
    mobile: account.mobile ?? '',
    countryCode: account.country_code,
    notes: account.notes,
    emailConfirmed: account.email_confirmed_at !== null,
    hasPassword: account.password_hash !== null,
    createdAt: account.created_at.toISOString(),
    closesAt: account.closes_at?.toISOString() ?? null,
  };
}
