import type { AccountDetailsEntry, OwnAccount } from '@headrace/contract/account-details';
import type { OwnProof } from '@headrace/contract/second-step';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import { invalid } from '../../http/errors.ts';
import type { AccountsRepo } from './accounts.repo.ts';
import type { NewAddress } from './new-address.service.ts';
import { personColumns, refuseWrong } from './person.ts';
import type { ProveOwn } from './second-step/own-proof.ts';
import type { SignInFrom } from './sessions.ts';

export interface DetailsParts {
  db: Db;
  accounts: AccountsRepo;
  proveOwn: ProveOwn;
  newAddress: NewAddress;
}

export function createDetails({ db, accounts, proveOwn, newAddress }: DetailsParts) {
  /** Whoever has only the session, as at an open browser, can't take the account with it. */
  async function prove(
    proof: Partial<OwnProof>,
    account: AccountRow,
    caller: Caller,
    from: SignInFrom,
    now: Date,
  ) {
    const { password = '' } = proof;
    if (password === '' && account.password_hash !== null)
      throw invalid('Please enter your password: it is asked for before the address is changed.', 'password');
    await proveOwn(caller, { ...proof, password }, from, now);
  }

  return {
    own: async (caller: Caller): Promise<OwnAccount> => toOwnAccount(await accounts.byId(caller.accountId)),

    /** Another address needs what signing in takes, and waits until the mail that goes there is followed. */
    async change(
      { password, code, passkey, ...details }: AccountDetailsEntry,
      caller: Caller,
      from: SignInFrom,
      now: Date,
    ): Promise<OwnAccount> {
      refuseWrong(details);
      const { email, ...columns } = personColumns(details);
      const isMove = ({ email: own, pending_email: pending }: AccountRow) =>
        email !== own && email !== pending;
      const seen = await accounts.byId(caller.accountId);
      if (isMove(seen)) await prove({ password, code, passkey }, seen, caller, from, now);
      return db.transaction().execute(async (trx) => {
        const before = await accounts.lock(caller.accountId, trx);
        const values = { ...columns, newsletter: details.newsletter };
        const after = await accounts.change(before.id, values, now, trx);
        const isMoving = isMove(seen) && isMove(before);
        return toOwnAccount(isMoving ? await newAddress.ask(after, email, now, trx) : after);
      });
    },
  };
}

export function toOwnAccount(account: AccountRow): OwnAccount {
  return {
    name: account.name,
    email: account.email,
    pendingEmail: account.pending_email,
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
