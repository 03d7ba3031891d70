import type { PasskeyAnswer } from '@headrace/contract/second-step';
import type { AuthenticatorTransport } from '@simplewebauthn/server';
import type { FactorsRepo } from './factors.repo.ts';
import type { PasskeyRow } from './passkeys.repo.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { TicketsRepo } from './tickets.repo.ts';

export interface PasskeyCheckParts {
  factors: FactorsRepo;
  tickets: TicketsRepo;
  site: PasskeySite | null;
}

export interface Checked {
  passkey: PasskeyRow;
  /** To be kept once it has opened something. */
  counter: number;
}

/** Whose passkey signed what this server asked for a moment ago; each question is answered once. Null: nobody's. */
export const createPasskeyCheck = ({ factors, tickets, site }: PasskeyCheckParts) =>
  async function check(answer: PasskeyAnswer, now: Date): Promise<Checked | null> {
    const passkey = site && (await factors.passkeyOf(answer.id));
    if (!passkey) return null;
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const verification = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: (challenge) => tickets.use(challenge, ['passkey'], now),
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(passkey.public_key),
        counter: Number(passkey.counter),
        transports: transportsOf(passkey),
      },
    }).catch(() => null);
    return verification?.verified ? { passkey, counter: verification.authenticationInfo.newCounter } : null;
  };
export type PasskeyCheck = ReturnType<typeof createPasskeyCheck>;

export const transportsOf = ({ transports }: Pick<PasskeyRow, 'transports'>) =>
  transports as AuthenticatorTransport[];
