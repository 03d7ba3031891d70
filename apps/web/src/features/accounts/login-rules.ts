import { PASSWORD_MIN } from '@headrace/contract/limits';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What is wrong with a login e-mail, or null. */
export function emailFault(email: string): string | null {
  if (!email.trim()) return 'Enter your e-mail address.';
  return EMAIL.test(email.trim()) ? null : 'This is not an e-mail address.';
}

/** What is wrong with a password to sign in with, or null. Measured after trimming, as every text is. */
export function passwordFault(password: string): string | null {
  if (!password.trim()) return 'Enter your password.';
  return password.trim().length >= PASSWORD_MIN
    ? null
    : `A password has at least ${PASSWORD_MIN} characters.`;
}
