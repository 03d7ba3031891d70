import type { FarmEntry } from '@headrace/contract/farms';
import { AGENT_PAID_YEARS, NEW_ACCOUNT_PAID_DAYS } from '@headrace/contract/limits';
import type { AgentRegistration, OwnerRegistration } from '@headrace/contract/registration';
import type { AccountType } from '@headrace/contract/accounts';
import type { Insertable } from 'kysely';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { AccountTable } from '../../db/schema/accounts.ts';
import type { AccountRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import { ApiFailure, forbidden, invalid } from '../../http/errors.ts';
import { addFarm } from '../farms/farm-editor.ts';
import { type FarmColumns, readEntry } from '../farms/farm-entry.ts';
import type { Messages } from '../messages/messages.ts';
import { isHeld, issueKey, useKey, wasIssued } from './account-keys.ts';
import { accountMails } from './account-mails.ts';
import { type AccountsRepo, emailTaken } from './accounts.repo.ts';
import { confirmed } from './confirmed.ts';
import { refuseWeakPassword } from './new-password.ts';
import { hashPassword } from './password.ts';
import type { NewAddress } from './new-address.service.ts';
import { personColumns, refuseWrong } from './person.ts';

/** A link to confirm an address is mailed again after this, ms. */
const MAIL_AGAIN_MS = 10 * 60_000;

export interface RegistrationParts {
  db: Db;
  accounts: AccountsRepo;
  messages: Messages;
  newAddress: NewAddress;
  /** New accounts may be made on this installation. */
  mayRegister(): boolean | Promise<boolean>;
  /** New accounts wait for the operator's approval. */
  requireApproval: boolean;
}

export function createRegistration(parts: RegistrationParts) {
  const { db, accounts, messages, newAddress } = parts;

  async function mailConfirmation(account: AccountRow, now: Date, trx: Db): Promise<void> {
    const key = await issueKey(trx, account, 'confirm-email', now);
    await messages.mail(accountMails.confirmation(account, key), now, trx);
  }

  async function refuseWhenClosed(): Promise<void> {
    if (!(await parts.mayRegister()))
      throw forbidden('New accounts are not made at present. Please ask the operator.');
  }

  /** Also one that an account has left a moment ago and may come back to. */
  const isTaken = async (email: string, now: Date): Promise<boolean> =>
    (await accounts.byEmail(email)) !== undefined || isHeld(db, email.trim().toLowerCase(), now);

  /** Throws what is wrong, before the costly hash. */
  async function readPerson(
    body: AgentRegistration & Pick<OwnerRegistration, 'notes'>,
    type: AccountType,
    now: Date,
  ): Promise<Insertable<AccountTable>> {
    refuseWrong(body);
    await refuseWeakPassword(body.password, body.passwordConfirmation, body);
    if (await isTaken(body.email, now)) throw emailTaken();
    return {
      uid: newUid(now),
      ...personColumns(body),
      type,
      password_hash: await hashPassword(body.password),
      approved: !parts.requireApproval,
      subscription_valid_until: paidUntil(type, now),
      newsletter: body.newsletter ?? type === 'AGENT',
      accepted_terms: body.acceptedTerms,
      terms_accepted_at: now,
      created_at: now,
      updated_at: now,
    };
  }

  return {
    /** Account and first farm, both or neither. A fault of the farm is named `farms.0.…`. */
    async owner({ farms: [entry], ...body }: OwnerRegistration, now: Date): Promise<{ id: string }> {
      await refuseWhenClosed();
      const values = await readPerson(body, 'SUBSCRIBER', now);
      const columns = readFirstFarm(entry);
      return db.transaction().execute(async (trx) => {
        const account = await accounts.add(values, trx);
        await addFarm(trx, account.id, columns, { accountId: account.id, now });
        await mailConfirmation(account, now, trx);
        return { id: account.uid };
      });
    },

    async agent(body: AgentRegistration, now: Date): Promise<void> {
      await refuseWhenClosed();
      const values = await readPerson(body, 'AGENT', now);
      await db.transaction().execute(async (trx) => {
        await mailConfirmation(await accounts.add(values, trx), now, trx);
      });
    },

    isRegistered: isTaken,

    /** The account's address, or the new one that it waits for. False when the key is wrong, used or old. */
    confirm: (key: string, now: Date): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const account = await useKey(trx, 'confirm-email', key, now);
        if (!account) return newAddress.take(key, now, trx);
        await accounts.change(account.id, confirmed(account, now), now, trx);
        return true;
      }),

    /** Mails the link again; nothing when the address is confirmed or got one in the last ten minutes. */
    resend: (caller: Caller, now: Date): Promise<void> =>
      db.transaction().execute(async (trx) => {
        const account = await accounts.lock(caller.accountId, trx);
        const since = new Date(now.getTime() - MAIL_AGAIN_MS);
        const { id, pending_email: to } = account;
        if (to !== null) {
          if (!(await wasIssued(trx, { id, email: to }, 'change-email', since)))
            await newAddress.mailLink(account, to, now, trx);
          return;
        }
        if (account.email_confirmed_at || (await wasIssued(trx, account, 'confirm-email', since))) return;
        await mailConfirmation(account, now, trx);
      }),
  };
}

function paidUntil(type: AccountType, now: Date): Date {
  const until = new Date(now);
  if (type === 'AGENT') until.setUTCFullYear(until.getUTCFullYear() + AGENT_PAID_YEARS);
  else until.setUTCDate(until.getUTCDate() + NEW_ACCOUNT_PAID_DAYS);
  return until;
}

function readFirstFarm(entry: FarmEntry | undefined): FarmColumns {
  if (!entry) throw invalid('Please describe your farm.', 'farms');
  try {
    return readEntry(entry);
  } catch (error) {
    throw error instanceof ApiFailure && error.field
      ? invalid(error.message, `farms.0.${error.field}`)
      : error;
  }
}
