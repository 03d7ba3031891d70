import { ApiError, call, UNREACHABLE_TEXT } from '../../api/client.ts';
import { signIn } from '../../api/session.ts';
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

/** Signs in. Null, or what to tell the person. */
export async function signInWith(email: string, password: string): Promise<string | null> {
  try {
    const reply = await call('POST /account/auth', { body: { email, password } });
    toast.close('session-ended');
    signIn(reply);
    return null;
  } catch (error) {
    return signInFailure(error);
  }
}
