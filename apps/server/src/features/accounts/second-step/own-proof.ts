import type { OwnProof } from '@headrace/contract/second-step';
import type { Caller } from '../../../http/access-gate.ts';
import { invalid } from '../../../http/errors.ts';
import { logRefused } from '../../../http/refused-log.ts';
import type { AccountsRepo } from '../accounts.repo.ts';
import type { SignInFrom } from '../sessions.ts';
import type { SignIn } from '../sign-in.service.ts';
import type { FactorsRepo } from './factors.repo.ts';
import type { PasskeyCheck } from './passkey-check.ts';
import type { SecondStep } from './second-step.service.ts';

interface ProofParts {
  accounts: AccountsRepo;
  signIn: SignIn;
  secondStep: SecondStep;
  factors: FactorsRepo;
  check: PasskeyCheck;
  log: { info(details: object, message: string): void };
}

export type ProveOwn = (caller: Caller, proof: OwnProof, from: SignInFrom, now: Date) => Promise<void>;

const MISSING = 'Type a code of your authenticator app, or a recovery code.';
const WRONG =
  'This code is wrong or was used already. Type the next one that the app shows, or a recovery code.';
const SHUT = 'Too many codes were tried for this account today. Use a recovery code or a passkey.';
const NO_PASSKEY = "This passkey isn't one of your account, or it took too long. Please try again.";

/**
 * Whoever changes how an account is signed in to proves what signing in takes: with the password alone a thief at an open browser could
 * take the second step away, or add one and take the other away with that. Throws unless it is proved.
 */
export function createOwnProof({ accounts, signIn, secondStep, factors, check, log }: ProofParts): ProveOwn {
  return async (caller, { password, code, passkey }, from, now) => {
    await signIn.proveOwn(caller, password, from, now);
    const account = await accounts.byId(caller.accountId);
    if (!secondStep.isAsked(account)) return;
    if (passkey) {
      const checked = await check(passkey, now);
      if (checked?.passkey.account_id !== account.id) throw invalid(NO_PASSKEY, 'code');
      return factors.passkeyUsed(checked.passkey.uid, checked.counter, now);
    }
    if (!code) throw invalid(MISSING, 'code');
    const isRight = await secondStep.isOwnCode(account, code, from, now);
    if (!isRight) logRefused(log, 'web', from.address);
    if (!isRight) throw invalid(isRight === null ? SHUT : WRONG, 'code');
  };
}
