import { authFailures, type LoginReply } from '@headrace/contract/accounts';
import { SESSION_DAYS } from '@headrace/contract/limits';
import type { AccountRow } from '../../db/schema.ts';
import type { Caller } from '../../http/access-gate.ts';
import { TextFailure } from '../../http/errors.ts';
import type { AccountsRepo } from './accounts.repo.ts';
import { verifyPassword } from './password.ts';
import { hashToken, newToken } from './tokens.ts';

/** Failed sign-ins in the window that shut the door, by e-mail and address, by address, and by e-mail from strangers. */
const WINDOW_MS = 15 * 60_000;
const MAX_EMAIL_AND_ADDRESS = 10;
const MAX_ADDRESS = 50;
const MAX_EMAIL_FROM_STRANGERS = 30;
const SESSION_MS = SESSION_DAYS * 86_400_000;
/** A session's use is written at most this often, ms. */
const TOUCH_MS = 5 * 60_000;

export interface SignInFrom {
  deviceUid: string;
  address: string;
  userAgent: string;
}

/** Puts a mail into the outbox, unless the same went to that address since `since`. */
export type SendMailOnce = (
  mail: { to: string; subject: string; body: string },
  since: Date,
  now: Date,
) => Promise<void>;

export interface AccountsOptions {
  sendMailOnce: SendMailOnce;
  /** The demo password is known to everyone: refused where others can reach the server. */
  refuseDemoAccounts: boolean;
}

export function createAccountsService(accounts: AccountsRepo, options: AccountsOptions) {
  /** Throws the specification's plain text. Beyond the limits the answer is that of a wrong password, right or not. */
  async function signIn(email: string, password: string, from: SignInFrom, now: Date): Promise<LoginReply> {
    const address = email.trim().toLowerCase();
    const account = await accounts.accountByEmail(address);
    const known = account ? await accounts.isKnownDevice(account.id, from.deviceUid) : false;
    const shut = await isShut(address, from.address, known, now);
    if (shut && account) await warnOwner(account, from, now);
    const failure = shut ? authFailures.wrong : await checkAccount(account, password, options);
    if (failure || !account) {
      await accounts.addFailure({ at: now, email: address, address: from.address, known_device: known });
      throw new TextFailure(401, failure ?? authFailures.unknown);
    }
    return openSession(account, from, now);
  }

  async function isShut(email: string, address: string, known: boolean, now: Date): Promise<boolean> {
    const failures = await accounts.failures(email, address, new Date(now.getTime() - WINDOW_MS));
    return (
      failures.emailAndAddress >= MAX_EMAIL_AND_ADDRESS ||
      failures.address >= MAX_ADDRESS ||
      (!known && failures.emailFromStrangers >= MAX_EMAIL_FROM_STRANGERS)
    );
  }

  function warnOwner(account: AccountRow, from: SignInFrom, now: Date): Promise<void> {
    const mail = {
      to: account.email,
      subject: 'Someone is trying to sign in to your Headrace account',
      body: warning(account, from),
    };
    return options.sendMailOnce(mail, new Date(now.getTime() - WINDOW_MS), now);
  }

  async function openSession(account: AccountRow, from: SignInFrom, now: Date): Promise<LoginReply> {
    const token = newToken();
    const expiresAt = new Date(now.getTime() + SESSION_MS);
    await accounts.addSession({
      tokenHash: hashToken(token),
      accountId: account.id,
      ...from,
      at: now,
      expiresAt,
    });
    return toLoginReply(account, token);
  }

  return {
    signIn,

    /** The account behind a token; using a session keeps it alive. */
    async callerOf(token: string, now: Date): Promise<Caller | null> {
      const tokenHash = hashToken(token);
      const session = await accounts.sessionByHash(tokenHash, now);
      if (!session) return null;
      if (now.getTime() - session.last_used_at.getTime() > TOUCH_MS) {
        await accounts.touchSession(tokenHash, now, new Date(now.getTime() + SESSION_MS));
      }
      return {
        accountId: session.id,
        uid: session.uid,
        type: session.type,
        tokenHash,
        isStaff: session.is_staff,
        mustChangePassword: session.must_change_password,
        subscriptionValidUntil: session.subscription_valid_until,
      };
    },

    signOut: (caller: Caller) => accounts.endSession(caller.tokenHash),
    addPageView: accounts.addPageView,
  };
}
export type AccountsService = ReturnType<typeof createAccountsService>;

async function checkAccount(
  account: AccountRow | undefined,
  password: string,
  options: AccountsOptions,
): Promise<string | null> {
  if (!account) return authFailures.unknown;
  const matches = account.password_hash !== null && (await verifyPassword(account.password_hash, password));
  if (!matches || (account.is_demo && options.refuseDemoAccounts)) return authFailures.wrong;
  return account.approved ? null : authFailures.notApproved;
}

function toLoginReply(account: AccountRow, token: string): LoginReply {
  return {
    name: account.name,
    email: account.email,
    token,
    type: account.type,
    hasMobile: account.mobile !== null,
    sendSms: account.send_sms,
    sendPush: account.send_push,
    sendEmail: account.send_email,
    sendAction: account.send_action,
    deviceId: null,
    subscriptionValidUntil: account.subscription_valid_until.toISOString(),
    mustChangePassword: account.must_change_password,
    isStaff: account.is_staff,
  };
}

const warning = (account: AccountRow, from: SignInFrom) =>
  `Hello ${account.name},

there were many failed attempts to sign in to your account, the last from ${from.address}. For a quarter of an hour no
further attempt of this kind is looked at, not even with the right password.

If it was you, wait and try again. If it was not, there is nothing you must do; a longer password makes guessing harder.
`;
