import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type { SecondStepAsked } from '@headrace/contract/accounts';
import type { answerSecondStep } from '@headrace/contract/second-step';
import type { AccountRow } from '../../../db/schema.ts';
import { subscriberNetwork } from '../../../http/subscriber-network.ts';
import type { Messages } from '../../messages/messages.ts';
import { accountMails, KNOWN_PASSWORD_SUBJECT, TRIED_CODES_SUBJECT } from '../account-mails.ts';
import type { AccountsRepo } from '../accounts.repo.ts';
import type { Sessions, SignInFrom } from '../sessions.ts';
import type { FactorsRepo } from './factors.repo.ts';
import type { SecretBox } from './secret-box.ts';
import { type RememberedRepo, type TicketsRepo, TRIES } from './tickets.repo.ts';
import { stepOf } from './totp.ts';

const DAY = 86_400_000;
const WINDOW_MS = 15 * 60_000;
/** Tickets whose password is told nothing of, for one account to strangers, or to one known browser, in 15 minutes; of strangers' to one address. */
const BLIND_MAX = 30;
const BLIND_HERE_MAX = 10;
/** Codes of the app that strangers may try for one account in a day: of 1,000,000 three are right at a time. */
const TRIES_A_DAY = 50;
/** In one browser that signed in before, by mailed links, and by those who are signed in. */
const KNOWN_TRIES_A_DAY = 100;
/** How long a browser is saved the second step. */
const REMEMBER_DAYS = 30;

export interface SecondStepParts {
  accounts: AccountsRepo;
  sessions: Sessions;
  messages: Messages;
  factors: FactorsRepo;
  tickets: TicketsRepo;
  remembered: RememberedRepo;
  box: SecretBox;
}

type Answer = ReplyOf<typeof answerSecondStep>;
const over: Answer = { success: false, isOver: true };
const shut: Answer = { ...over, isShut: true };

const spaceless = (code: string) => code.replace(/\s/g, '');
/** Others are recovery codes. */
const isOfApp = (code: string) => /^\d{6}$/.test(spaceless(code));

/** The second step of signing in. */
export function createSecondStep(parts: SecondStepParts) {
  const { accounts, sessions, messages, factors, tickets, remembered, box } = parts;

  /** Each code counts once; one without the right password is looked at all the same, and stays good. */
  async function isCode(
    accountId: number,
    { code, isProved }: { code: string; isProved: boolean },
    now: Date,
  ): Promise<boolean> {
    const sealed = (await factors.authenticatorOf(accountId))?.secret;
    const secret = sealed && (await box.open(sealed, now));
    const step = secret ? stepOf(secret, code, now) : null;
    return step !== null && isProved && factors.takeStep(accountId, step);
  }

  /** Null: too many codes of the app were tried today. */
  async function isRightCode(
    account: AccountRow,
    tried: NonNullable<Awaited<ReturnType<TicketsRepo['tryOnce']>>>,
    code: string,
    now: Date,
  ): Promise<boolean | null> {
    if (!isOfApp(code)) return tried.is_proved && factors.takeRecoveryCode(account.id, code, now);
    const most = tried.known_device ? KNOWN_TRIES_A_DAY : TRIES_A_DAY;
    if ((await tickets.codesTried(account.id, tried, new Date(now.getTime() - DAY))) > most) return null;
    return isCode(account.id, { code: spaceless(code), isProved: tried.is_proved }, now);
  }

  /** How many recovery codes are left, which its owner is mailed. */
  async function tellUsed(account: AccountRow, isSignIn: boolean, now: Date): Promise<number> {
    const left = await factors.codesLeft(account.id);
    await messages.mail(accountMails.recoveryCodeUsed(account, left, isSignIn), now);
    return left;
  }

  /** Somebody has the password: strangers get no tickets without it, unless they guess blindly. */
  const warn = (account: AccountRow, from: SignInFrom, now: Date) =>
    messages.mailOnce(
      {
        to: account.email,
        subject: KNOWN_PASSWORD_SUBJECT,
        make: async () => accountMails.passwordKnown(account, from.address),
      },
      new Date(now.getTime() - DAY),
      now,
    );

  /** Somebody is signed in, has the password, and hasn't the codes. */
  async function warnOfOwn(account: AccountRow, from: SignInFrom, now: Date): Promise<void> {
    const since = new Date(now.getTime() - DAY);
    if ((await tickets.ownWrong(account.id, since)) < TRIES) return;
    const make = async () => accountMails.codesTried(account, from.address);
    await messages.mailOnce({ to: account.email, subject: TRIED_CODES_SUBJECT, make }, since, now);
  }

  return {
    isAsked: (account: AccountRow): boolean => account.second_step_since !== null,

    /** A browser that was told to remember. */
    isSaved: async (account: AccountRow, key: string | undefined, from: SignInFrom, now: Date) =>
      key !== undefined && remembered.isRemembered(account.id, from.deviceUid, key, now),

    /** Strangers, or this known browser, have had as many tickets as they may have whose password is told nothing of. */
    async isBlindShut(
      account: AccountRow,
      known: boolean,
      { address, deviceUid }: SignInFrom,
      now: Date,
    ): Promise<boolean> {
      const since = new Date(now.getTime() - WINDOW_MS);
      if (known) return (await tickets.ofKnown(account.id, deviceUid, since)) >= BLIND_MAX;
      const had = await tickets.ofStrangers(account.id, since, subscriberNetwork(address));
      return had.tickets >= BLIND_MAX || had.here >= BLIND_HERE_MAX;
    },

    /** A ticket for the second step, and what answers it. */
    async ask(
      account: AccountRow,
      by: { kind: 'password' | 'mail'; isProved: boolean; known: boolean },
      { address, deviceUid }: SignInFrom,
      now: Date,
    ): Promise<{ secondStep: SecondStepAsked }> {
      const network = subscriberNetwork(address);
      const ticket = await tickets.add({ accountId: account.id, network, deviceUid, ...by }, now);
      return { secondStep: { ticket, ...(await factors.factorsOf(account.id)) } };
    },

    /** Asked again of somebody who is signed in and gave the password; counted by the account. Null: too many. */
    async isOwnCode(account: AccountRow, code: string, from: SignInFrom, now: Date): Promise<boolean | null> {
      const network = subscriberNetwork(from.address);
      const asked = { kind: 'own', isProved: true, known: true, network, deviceUid: from.deviceUid } as const;
      const ticket = await tickets.add({ accountId: account.id, ...asked }, now);
      const tried = await tickets.tryOnce(ticket, now);
      const isRight = tried ? await isRightCode(account, tried, code, now) : false;
      if (isRight) await tickets.use(ticket, ['own'], now);
      else await warnOfOwn(account, from, now);
      if (isRight && !isOfApp(code)) await tellUsed(account, false, now);
      return isRight;
    },

    async answer(
      { ticket, code, remember }: BodyOf<typeof answerSecondStep>,
      from: SignInFrom,
      now: Date,
    ): Promise<Answer> {
      const tried = await tickets.tryOnce(ticket, now);
      if (!tried?.account_id) return over;
      const account = await accounts.byId(tried.account_id);
      const isRight = await isRightCode(account, tried, code, now);
      if (isRight === null) return shut;
      if (!isRight || !tried.is_proved || !account.approved) {
        if (tried.is_proved && tried.tries === TRIES) await warn(account, from, now);
        return { success: false, isOver: tried.tries >= TRIES };
      }
      if (!(await tickets.use(ticket, ['password', 'mail'], now))) return over;
      const by = tried.kind === 'mail' ? 'mail' : 'password';
      const how = { by, secondStep: isOfApp(code) ? 'app' : 'recovery code' } as const;
      const data = await sessions.open(account, how, from, now);
      const until = new Date(now.getTime() + REMEMBER_DAYS * DAY);
      const rememberKey = remember ? await remembered.remember(account.id, from.deviceUid, until) : undefined;
      if (isOfApp(code)) return { success: true, data, ...(rememberKey && { rememberKey }) };
      const codesLeft = await tellUsed(account, true, now);
      return { success: true, data, codesLeft, ...(rememberKey && { rememberKey }) };
    },
  };
}
export type SecondStep = ReturnType<typeof createSecondStep>;
