import type { Db } from '../../db/client.ts';
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
  removeFarm(farmId: number, by: By): Promise<void>;
  onAccessChanged(accountIds: readonly number[]): void;
  log: { error(details: object, message: string): void };
}

/** All that people do with their accounts, put together. */
export function createAccounts(parts: AccountsParts) {
  const { db } = parts;
  const common = { ...parts, accounts: createAccountsRepo(db), attempts: createAttempts(db) };
  const signIn = createSignIn(common);
  const newAddress = createNewAddress(common);
  const registration = createRegistration({ ...common, newAddress });
  return {
    db,
    accounts: common.accounts,
    sessions: parts.sessions,
    signIn,
    registration,
    passwords: createPasswords({ ...common, signIn }),
    details: createDetails({ ...common, signIn, newAddress }),
    newAddress,
    closing: createClosing({ ...common, signIn }),
    background: createBackground(parts.log),
  };
}
export type Accounts = ReturnType<typeof createAccounts>;
