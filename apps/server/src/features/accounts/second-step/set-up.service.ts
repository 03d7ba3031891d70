import { required } from '@headrace/contract/rules/form-rules';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { beginAuthenticator, OwnProof, Passkey, SecondStepState } from '@headrace/contract/second-step';
import { renderSVG } from 'uqr';
import type { Db } from '../../../db/client.ts';
import type { AccountRow } from '../../../db/schema.ts';
import type { Caller } from '../../../http/access-gate.ts';
import { invalid } from '../../../http/errors.ts';
import type { Messages } from '../../messages/messages.ts';
import { issueKey } from '../account-keys.ts';
import { accountMails } from '../account-mails.ts';
import type { AccountsRepo } from '../accounts.repo.ts';
import type { SignInFrom } from '../sessions.ts';
import type { FactorsRepo } from './factors.repo.ts';
import type { ProveOwn } from './own-proof.ts';
import type { PasskeyRow } from './passkeys.repo.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { SecretBox } from './secret-box.ts';
import { newSecret, stepOf, uriOf } from './totp.ts';

/** How long the first code of a new secret is waited for, ms. */
const PENDING_MS = 15 * 60_000;

export interface SetUpParts {
  db: Db;
  accounts: AccountsRepo;
  messages: Messages;
  proveOwn: ProveOwn;
  factors: FactorsRepo;
  box: SecretBox;
  site: PasskeySite | null;
  /** What this account may do is another now. */
  onAccessChanged(accountIds: readonly number[]): void;
  /** The password alone signs in from now on. */
  onSecondStepEnded(accountId: number, now: Date, trx: Db): Promise<void>;
}

/** What people sign in with besides the password: turned on, off and looked at. Each change needs what signing in takes, and is mailed. */
export function createSetUp(parts: SetUpParts) {
  const { db, accounts, messages, proveOwn, factors, box, site } = parts;

  /**
   * What `work` changes, with all that follows from it. Recovery codes are made with the first factor. Whoever reads the account's mail
   * can undo what was added: a thief adds it with the password alone.
   */
  async function changed(
    { accountId }: Caller,
    now: Date,
    work: (trx: Db, account: AccountRow) => Promise<void>,
    isAdded = true,
  ): Promise<string[]> {
    const codes = await db.transaction().execute(async (trx) => {
      const account = await accounts.lock(accountId, trx);
      await work(trx, account);
      const isOn = await factors.settle(accountId, now, trx);
      const isFirst = isOn && account.second_step_since === null;
      const mayUndo = isAdded && account.email_confirmed_at;
      const key = mayUndo ? await issueKey(trx, account, 'undo-email', now) : null;
      await messages.mail(accountMails.secondStepChanged(account, isOn, key), now, trx);
      if (!isOn && account.second_step_since !== null) await parts.onSecondStepEnded(accountId, now, trx);
      return isFirst ? factors.newRecoveryCodes(accountId, trx) : [];
    });
    // Owners may open farms to those alone who have a second step.
    parts.onAccessChanged([accountId]);
    return codes;
  }

  return {
    changed,

    async state({ accountId }: Caller): Promise<SecondStepState> {
      const account = await accounts.byId(accountId);
      const { hasApp } = await factors.factorsOf(accountId);
      return {
        since: account.second_step_since?.toISOString() ?? null,
        hasApp,
        passkeys: (await factors.passkeysOf(accountId)).map(present),
        recoveryCodesLeft: await factors.codesLeft(accountId),
        passkeySite: site?.id ?? null,
      };
    },

    async begin(
      caller: Caller,
      proof: OwnProof,
      from: SignInFrom,
      now: Date,
    ): Promise<ReplyOf<typeof beginAuthenticator>> {
      await proveOwn(caller, proof, from, now);
      const { email } = await accounts.byId(caller.accountId);
      const secret = newSecret();
      await factors.setPending(caller.accountId, await box.seal(secret, now), now);
      const uri = uriOf(secret, email);
      return { secret, uri, qr: renderSVG(uri, { ecc: 'M', border: 2 }) };
    },

    async confirm(caller: Caller, code: string, now: Date): Promise<string[]> {
      const row = await factors.authenticatorOf(caller.accountId);
      const { pending = null, pending_at: at = null } = row ?? {};
      if (!pending || !at || now.getTime() - at.getTime() > PENDING_MS)
        throw invalid('This code came too late. Please begin again.', 'code');
      const secret = await box.open(pending, now);
      // Sealed with a key that was renewed meanwhile.
      if (secret === null) throw invalid('This code can’t be checked any more. Please begin again.', 'code');
      const step = stepOf(secret, code.replace(/\s/g, ''), now);
      if (!step)
        throw invalid(
          'This is not the code that the app shows now. Check the clock of your phone, and type the next code.',
          'code',
        );
      return changed(caller, now, async (trx) => {
        if (!(await factors.confirm(caller.accountId, { pending, step, now }, trx)))
          throw invalid('Another code was begun meanwhile. Please begin again.', 'code');
      });
    },

    async removeApp(caller: Caller, proof: OwnProof, from: SignInFrom, now: Date): Promise<void> {
      await proveOwn(caller, proof, from, now);
      await changed(caller, now, (trx) => factors.removeAuthenticator(caller.accountId, trx), false);
    },

    /** Mails name passkeys, so that a thief must not name one like the owner's. */
    async renamePasskey(
      caller: Caller,
      { id, name, ...proof }: OwnProof & { id: string; name: string },
      from: SignInFrom,
      now: Date,
    ): Promise<boolean> {
      const missing = required('Name')(name);
      if (missing) throw invalid(missing, 'name');
      await proveOwn(caller, proof, from, now);
      const isOne = (await factors.passkeysOf(caller.accountId)).some(({ uid }) => uid === id);
      if (isOne) await factors.renamePasskey(caller.accountId, id, name);
      return isOne;
    },

    async removePasskey(
      caller: Caller,
      { id, ...proof }: OwnProof & { id: string },
      from: SignInFrom,
      now: Date,
    ): Promise<boolean> {
      await proveOwn(caller, proof, from, now);
      const isOne = (await factors.passkeysOf(caller.accountId)).some(({ uid }) => uid === id);
      if (isOne) await changed(caller, now, (trx) => factors.removePasskey(caller.accountId, id, trx), false);
      return isOne;
    },

    async newCodes(caller: Caller, proof: OwnProof, from: SignInFrom, now: Date): Promise<string[]> {
      await proveOwn(caller, proof, from, now);
      return db.transaction().execute(async (trx) => {
        const account = await accounts.lock(caller.accountId, trx);
        if (account.second_step_since === null) return [];
        await messages.mail(accountMails.recoveryCodesMade(account), now, trx);
        return factors.newRecoveryCodes(account.id, trx);
      });
    },
  };
}
export type SetUp = ReturnType<typeof createSetUp>;

const present = (row: PasskeyRow): Passkey => ({
  id: row.uid,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  isSynced: row.is_synced,
});
