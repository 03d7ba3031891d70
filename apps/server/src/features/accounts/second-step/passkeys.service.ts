import type { ReplyOf } from '@headrace/contract/endpoint';
import type { NewPasskey, OwnProof, PasskeyAnswer, passkeySignIn } from '@headrace/contract/second-step';
import type { Caller } from '../../../http/access-gate.ts';
import { browserName } from '../../../http/browser-name.ts';
import { invalid } from '../../../http/errors.ts';
import type { AccountsRepo } from '../accounts.repo.ts';
import type { Sessions, SignInFrom } from '../sessions.ts';
import type { FactorsRepo } from './factors.repo.ts';
import type { ProveOwn } from './own-proof.ts';
import { type PasskeyCheck, transportsOf } from './passkey-check.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { SetUp } from './set-up.service.ts';
import type { TicketsRepo } from './tickets.repo.ts';

const MOST = 20;

/** Read when the first passkey is asked for. */
const library = () => import('@simplewebauthn/server');

export interface PasskeyParts {
  accounts: AccountsRepo;
  sessions: Sessions;
  proveOwn: ProveOwn;
  check: PasskeyCheck;
  factors: FactorsRepo;
  tickets: TicketsRepo;
  setUp: SetUp;
  site: PasskeySite | null;
  /** The demo password is known to everyone: refused where others can reach the server. */
  refuseDemoAccounts: boolean;
}

type Options = Record<string, unknown>;

/**
 * Passkeys are found by the browser and ask for the person's finger, face or PIN: what the person has and is or knows, so that they
 * sign in without a password.
 */
export function createPasskeys(parts: PasskeyParts) {
  const { accounts, sessions, proveOwn, check, factors, tickets, setUp } = parts;

  function site(): PasskeySite {
    if (!parts.site)
      throw invalid('Passkeys need an address with a name and https. This server is reached without.');
    return parts.site;
  }

  return {
    async begin(caller: Caller, proof: OwnProof, from: SignInFrom, now: Date): Promise<Options> {
      const { id } = site();
      await proveOwn(caller, proof, from, now);
      const account = await accounts.byId(caller.accountId);
      const known = await factors.passkeysOf(account.id);
      if (known.length >= MOST)
        throw invalid(`An account has at most ${MOST} passkeys. Please remove one first.`);
      const { generateRegistrationOptions } = await library();
      const options = await generateRegistrationOptions({
        rpName: 'Headrace',
        rpID: id,
        userID: new TextEncoder().encode(account.uid),
        userName: account.email,
        userDisplayName: account.name,
        attestationType: 'none',
        excludeCredentials: known.map((one) => ({ id: one.credential_id, transports: transportsOf(one) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      const ticket = { accountId: account.id, kind: 'new-passkey', isProved: true, known: true } as const;
      await tickets.add(ticket, now, options.challenge);
      return { ...options };
    },

    /** Recovery codes, where it is the first factor; null: it is not what was asked for. */
    async add(
      caller: Caller,
      made: NewPasskey,
      { userAgent }: SignInFrom,
      now: Date,
    ): Promise<string[] | null> {
      const { id, origin } = site();
      const { verifyRegistrationResponse } = await library();
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: made,
        expectedChallenge: (challenge) => tickets.use(challenge, ['new-passkey'], now, caller.accountId),
        expectedOrigin: origin,
        expectedRPID: id,
      }).catch(() => ({ verified: false as const, registrationInfo: undefined }));
      if (!verified) return null;
      const { credential, credentialBackedUp } = registrationInfo;
      return setUp.changed(caller, now, async (trx) => {
        const row = {
          account_id: caller.accountId,
          credential_id: credential.id,
          public_key: Buffer.from(credential.publicKey),
          counter: String(credential.counter),
          transports: credential.transports ?? [],
          is_synced: credentialBackedUp,
          name: browserName(userAgent),
          created_at: now,
        };
        if (!(await factors.addPasskey(row, trx))) throw invalid('This passkey is kept already.');
      });
    },

    async beginSignIn(now: Date): Promise<Options> {
      const { generateAuthenticationOptions } = await library();
      const options = await generateAuthenticationOptions({ rpID: site().id, userVerification: 'required' });
      const ticket = { accountId: null, kind: 'passkey', isProved: false, known: false } as const;
      await tickets.add(ticket, now, options.challenge);
      return { ...options };
    },

    async signIn(answer: PasskeyAnswer, from: SignInFrom, now: Date): Promise<ReplyOf<typeof passkeySignIn>> {
      site();
      const checked = await check(answer, now);
      if (!checked) return { success: false };
      const { passkey, counter } = checked;
      const account = await accounts.byId(passkey.account_id);
      const isRefused = !account.approved || (account.is_demo && parts.refuseDemoAccounts);
      if (isRefused) return { success: false };
      await factors.passkeyUsed(passkey.uid, counter, now);
      const by = { by: 'passkey', secondStep: 'passkey' } as const;
      return { success: true, data: await sessions.open(account, by, from, now) };
    },
  };
}
