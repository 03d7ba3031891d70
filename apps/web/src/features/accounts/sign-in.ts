import type { LoginReply, SecondStepAsked } from '@headrace/contract/accounts';
import { ApiError, call, UNREACHABLE_TEXT } from '../../api/client.ts';
import { rememberedSecondStep, signIn } from '../../api/session.ts';
import { toast } from '../../ui/toasts.ts';

/** The server's words decide which of the three texts a person sees. */
export function signInFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Invalid username/password.';
  if (error.status === 503 && error.code) return error.message;
  // A server that doesn't answer has said nothing about the password.
  if (error.status === 0 || error.status >= 500) return `${UNREACHABLE_TEXT}. Please try again.`;
  if (error.message.includes('exist')) return "You're not registered yet!";
  if (error.message.includes('approved')) return "Your account wasn't approved yet!";
  return 'Invalid username/password.';
}

export type SignedIn = { failure: string } | { asked: SecondStepAsked } | { isIn: true };

/** Signs in, or says what is missing. */
export async function signInWith(email: string, password: string): Promise<SignedIn> {
  try {
    const rememberKey = rememberedSecondStep();
    const body = { email, password, ...(rememberKey && { rememberKey }) };
    const reply = await call('POST /account/auth', { body });
    if ('secondStep' in reply) return { asked: reply.secondStep };
    enterWith(reply);
    return { isIn: true };
  } catch (error) {
    return { failure: signInFailure(error) };
  }
}

/** The last step is done: whatever led here, the session begins. */
export function enterWith(reply: LoginReply): void {
  toast.close('session-ended');
  signIn(reply);
}
