import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { type auth, authFailures, type authPasswordless } from '@headrace/contract/accounts';
import { NO_PASSWORD_TEXT } from '@headrace/contract/texts';
import type { Db } from '../../db/client.ts';
import type { AccountRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import { invalid, TextFailure, tooMany, tryAgain } from '../../http/errors.ts';
import { logRefused } from '../../http/refused-log.ts';
import type { Messages } from '../messages/messages.ts';
import { issueKey, useKey } from './account-keys.ts';
import { accountMails, GUESSING_SUBJECT } from './account-mails.ts';
import type { AccountsRepo } from './accounts.repo.ts';
import { type Attempts, SIGNED_IN, WINDOW_MS } from './attempts.ts';
import { confirmed } from './confirmed.ts';
import { verifyPassword } from './password.ts';
import type { SecondStep } from './second-step/second-step.service.ts';
import { browserOf, type Sessions, type SignInFrom } from './sessions.ts';

export interface SignInParts {
  db: Db;
  accounts: AccountsRepo;
  sessions: Sessions;
  attempts: Attempts;
  messages: Messages;
  secondStep: SecondStep;
  /** The demo password is known to everyone: refused where others can reach the server. */
  refuseDemoAccounts: boolean;
  log: { info(details: object, message: string): void };
}

export function createSignIn(parts: SignInParts) {
  const { db, accounts, sessions, attempts, messages, secondStep } = parts;

  /** With a way in that no guesser can shut. */
  function warnOwner(account: AccountRow, from: SignInFrom, now: Date): Promise<void> {
    const mayEnter = account.email_confirmed_at && account.approved && !account.is_demo;
    const mail = {
      to: account.email,
      subject: GUESSING_SUBJECT,
      make: async (trx: Db) => {
        const key = mayEnter ? await issueKey(trx, account, 'passwordless', now) : null;
        return accountMails.guessing(account, from.address, key);
      },
    };
    return messages.mailOnce(mail, new Date(now.getTime() - WINDOW_MS), now);
  }

  /** Why the account isn't opened; null when it is. */
  async function refusal(account: AccountRow | undefined, password: string): Promise<string | null> {
    if (!account) return authFailures.unknown;
    const matches = account.password_hash !== null && (await verifyPassword(account.password_hash, password));
    if (!matches || (account.is_demo && parts.refuseDemoAccounts)) return authFailures.wrong;
    return account.approved ? null : authFailures.notApproved;
  }

  /**
   * Too many were wrong, and the second step stands before the account: whether the password is right is told together with that,
   * to nobody who hasn't got both. So the owner gets in with both, and who guesses learns nothing.
   */
  async function askBlindly(
    account: AccountRow,
    password: string,
    known: boolean,
    from: SignInFrom,
    now: Date,
  ) {
    if (await secondStep.isBlindShut(account, known, from, now)) return null;
    const isProved = (await refusal(account, password)) === null;
    return secondStep.ask(account, { kind: 'password', isProved, known }, from, now);
  }

  /**
   * Throws unless this is the account's password, with `field` named. An account without one has to get one by mail:
   * a session alone proves nothing. Counts like a sign-in, so that somebody at an open browser can't go on guessing.
   */
  async function provePassword(
    account: AccountRow,
    password: string,
    field: string,
    from: SignInFrom,
    now: Date,
  ): Promise<void> {
    if (account.password_hash === null) throw invalid(NO_PASSWORD_TEXT, field);
    const attempt = await attempts.begin(
      { email: account.email, address: from.address, device: SIGNED_IN },
      now,
    );
    if (attempt.isShut) {
      logRefused(parts.log, 'web', from.address);
      await warnOwner(account, from, now);
      throw tooMany(`There were too many wrong passwords. ${tryAgain(WINDOW_MS)}`, WINDOW_MS);
    }
    if (!(await verifyPassword(account.password_hash, password))) {
      logRefused(parts.log, 'web', from.address);
      throw invalid('This is not your current password.', field);
    }
    await attempts.forgive(attempt.id);
  }

  return {
    /**
     * Throws the specification's plain text. Beyond the limits the answer is that of a wrong password, right or not; `onShut` hears
     * where it is another.
     */
    async withPassword(
      { email, password, rememberKey }: BodyOf<typeof auth>,
      from: SignInFrom,
      now: Date,
      onShut: () => void,
    ): Promise<ReplyOf<typeof auth>> {
      const address = email.trim().toLowerCase();
      const account = await accounts.byEmail(address);
      const known = account ? await sessions.isKnownDevice(account.id, from.deviceUid) : false;
      const device = account && known ? browserOf(account.id, from) : null;
      const attempt = await attempts.begin({ email: address, address: from.address, device }, now);
      if (attempt.isShut && account) await warnOwner(account, from, now);
      if (attempt.isShut && account?.approved && secondStep.isAsked(account)) {
        const asked = await askBlindly(account, password, known, from, now);
        if (asked) {
          onShut();
          return asked;
        }
      }
      const failure = attempt.isShut ? authFailures.wrong : await refusal(account, password);
      if (failure || !account) throw new TextFailure(401, failure ?? authFailures.unknown);
      await attempts.forgive(attempt.id);
      const by = 'password';
      if (!secondStep.isAsked(account)) return sessions.open(account, { by, secondStep: 'none' }, from, now);
      if (await secondStep.isSaved(account, rememberKey, from, now))
        return sessions.open(account, { by, secondStep: 'browser' }, from, now);
      return secondStep.ask(account, { kind: 'password', isProved: true, known }, from, now);
    },

    /** With a mailed key, which also proves the address. */
    async withKey(
      { key }: BodyOf<typeof authPasswordless>,
      from: SignInFrom,
      now: Date,
    ): Promise<ReplyOf<typeof authPasswordless>> {
      const account = await db.transaction().execute(async (trx) => {
        const found = await useKey(trx, 'passwordless', key, now);
        return found && accounts.change(found.id, confirmed(found, now), now, trx);
      });
      if (!account?.approved) return { success: false };
      if (secondStep.isAsked(account))
        return {
          success: true,
          ...(await secondStep.ask(account, { kind: 'mail', isProved: true, known: true }, from, now)),
        };
      const data = await sessions.open(account, { by: 'mail', secondStep: 'none' }, from, now);
      const { hasMobile, sendSms, sendPush, sendEmail, sendAction, deviceId } = data;
      return { success: true, data, hasMobile, sendSms, sendPush, sendEmail, sendAction, deviceId };
    },

    provePassword,

    /** Throws unless it is the caller's. */
    proveOwn: async (caller: Caller, password: string, from: SignInFrom, now: Date): Promise<void> =>
      provePassword(await accounts.byId(caller.accountId), password, 'password', from, now),
  };
}
export type SignIn = ReturnType<typeof createSignIn>;
