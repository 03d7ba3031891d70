import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { LoginReply } from '@headrace/contract/accounts';
import type { PasskeyAnswer, SecondStepState } from '@headrace/contract/second-step';
import { ApiError, call, errorText } from '../../api/client.ts';

/** Fetched when the first passkey is asked for. */
const library = () => import('@simplewebauthn/browser');

/** Browsers have them for named sites by https, and for this machine by the name "localhost". */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);

/** They are made for one name of the server. */
export const hasPasskeysHere = ({ passkeySite }: Pick<SecondStepState, 'passkeySite'>): boolean =>
  passkeySite !== null && passkeySite === location.hostname && canUsePasskeys();

const NOT_CHOSEN = 'No passkey was chosen. Please try again, or sign in another way.';
const NOT_MADE = 'No passkey was made. Please try again.';
const UNKNOWN = 'This passkey is not known here any more. Please sign in another way.';

/** What to tell a person whose passkey did not work: browsers say no more than that it didn't. */
const passkeyFailure = (error: unknown): string =>
  error instanceof ApiError ? errorText(error) : NOT_CHOSEN;

async function askBrowser() {
  const { options } = await call('POST /account/auth/passkey/begin');
  const { startAuthentication } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON });
}

/** Proves a change of somebody who is signed in. Throws what to tell the person. */
export async function takePasskey(): Promise<PasskeyAnswer> {
  try {
    return await askBrowser();
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(400, { errorMessage: NOT_CHOSEN, code: 'invalid' });
  }
}

/** Signs in without a password. The reply, or what to tell the person. */
export async function signInWithPasskey(): Promise<LoginReply | string> {
  try {
    const answer = await askBrowser();
    const { success, data } = await call('POST /account/auth/passkey', { body: { answer } });
    return success && data ? data : UNKNOWN;
  } catch (error) {
    return passkeyFailure(error);
  }
}

/** Has the browser make one. Recovery codes, where it is the first second step. */
export async function makePasskey(options: Record<string, unknown>): Promise<string[]> {
  const { startRegistration } = await library();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const made = await startRegistration({ optionsJSON }).catch(() => null);
  const kept = made && (await call('POST /account/passkey', { body: { made } }));
  if (!kept?.success) throw new ApiError(400, { errorMessage: NOT_MADE, code: 'invalid' });
  return kept.recoveryCodes;
}
