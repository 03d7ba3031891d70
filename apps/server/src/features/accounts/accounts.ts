import type { SharersSecondStep } from '@headrace/contract/sharing';
import type { Db } from '../../db/client.ts';
import type { Caller } from '../../http/access-gate.ts';
import type { By } from '../devices/record-change.ts';
import type { Messages } from '../messages/messages.ts';
import { createAccountsRepo } from './accounts.repo.ts';
import { createAttempts } from './attempts.ts';
import { createBackground } from '../../jobs/background.ts';
import { createClosing } from './closing.service.ts';
import { createDetails } from './details.service.ts';
import { createNewAddress } from './new-address.service.ts';
import { createPasswords } from './passwords.service.ts';
import { createRegistration } from './registration.service.ts';
import { createFactorsRepo } from './second-step/factors.repo.ts';
import { passkeySite } from './second-step/passkey-site.ts';
import { createOwnProof } from './second-step/own-proof.ts';
import { createPasskeyCheck } from './second-step/passkey-check.ts';
import { createPasskeys } from './second-step/passkeys.service.ts';
import { createSecondStep } from './second-step/second-step.service.ts';
import { createSecretBox } from './second-step/secret-box.ts';
import { createSetUp } from './second-step/set-up.service.ts';
import { createRememberedRepo, createTicketsRepo } from './second-step/tickets.repo.ts';
import type { Sessions } from './sessions.ts';
import { createSignIn } from './sign-in.service.ts';

export interface AccountsParts {
  db: Db;
  sessions: Sessions;
  messages: Messages;
  /** The demo password is known to everyone: refused where others can reach the server. */
  refuseDemoAccounts: boolean;
  /** New accounts may be made on this installation. */
  mayRegister(): boolean | Promise<boolean>;
  /** New accounts wait for the operator's approval. */
  requireApproval: boolean;
  /** Where people reach the app. */
  publicUrl: string;
  /** The operator's, that seals what the database keeps and nobody may read; null: none was set. */
  secretKey: string | null;
  removeFarm(farmId: number, by: By): Promise<void>;
  onAccessChanged(accountIds: readonly number[]): void;
  /** The password alone signs in from now on: owners may shut farms to such accounts. */
  onSecondStepEnded(accountId: number, now: Date, trx: Db): Promise<void>;
  /** Of the people with whom the caller's farms are shared. */
  requireSecondStep(caller: Caller, isRequired: boolean, now: Date): Promise<SharersSecondStep>;
  log: { info(details: object, message: string): void; error(details: object, message: string): void };
}

/** All that people do with their accounts, put together. */
export function createAccounts(parts: AccountsParts) {
  const { db } = parts;
  const common = { ...parts, accounts: createAccountsRepo(db), attempts: createAttempts(db) };
  const factors = createFactorsRepo(db);
  const tickets = createTicketsRepo(db);
  const box = createSecretBox(db, parts.secretKey);
  const site = passkeySite(parts.publicUrl);
  const ofSecondStep = { ...common, factors, tickets, box, site };
  const secondStep = createSecondStep({ ...ofSecondStep, remembered: createRememberedRepo(db) });
  const signIn = createSignIn({ ...common, secondStep });
  const check = createPasskeyCheck(ofSecondStep);
  const proveOwn = createOwnProof({ ...ofSecondStep, signIn, secondStep, check });
  const setUp = createSetUp({ ...ofSecondStep, proveOwn });
  const newAddress = createNewAddress(common);
  const registration = createRegistration({ ...common, newAddress });
  return {
    db,
    accounts: common.accounts,
    sessions: parts.sessions,
    signIn,
    proveOwn,
    requireSecondStep: parts.requireSecondStep,
    secondStep,
    setUp,
    passkeys: createPasskeys({ ...ofSecondStep, proveOwn, check, setUp }),
    registration,
    passwords: createPasswords({ ...common, signIn }),
    details: createDetails({ ...common, proveOwn, newAddress }),
    newAddress,
    closing: createClosing({ ...common, proveOwn }),
    background: createBackground(parts.log),
  };
}
export type Accounts = ReturnType<typeof createAccounts>;
