import { complainOfNewPassword, GUESSABLE_TEXT, isGuessable } from '@headrace/contract/rules/account-form';
import { invalid } from '../../http/errors.ts';

let common: Promise<ReadonlySet<string>> | undefined;

async function readCommon(): Promise<ReadonlySet<string>> {
  const { default: list } = await import('./generated/common-passwords.json', { with: { type: 'json' } });
  return new Set(list.passwords);
}

/** One of the 10,000 most common passwords, in small or capital letters. The list is read when it is first needed. */
async function isCommon(password: string): Promise<boolean> {
  common ??= readCommon();
  return (await common).has(password.toLowerCase());
}

/**
 * Throws the form's sentence where somebody may not choose this password, with the name of the field: `names` are those
 * of the caller's body.
 */
export async function refuseWeakPassword(
  password: string,
  confirmation: string,
  person: { readonly name: string; readonly email: string },
  names = { password: 'password', passwordConfirmation: 'passwordConfirmation' },
): Promise<void> {
  const complaints = complainOfNewPassword({ password, passwordConfirmation: confirmation });
  if (complaints.password) throw invalid(complaints.password, names.password);
  if (isGuessable(password, person)) throw invalid(GUESSABLE_TEXT, names.password);
  if (await isCommon(password))
    throw invalid('This password is one of the most common ones. Please choose another.', names.password);
  if (complaints.passwordConfirmation)
    throw invalid(complaints.passwordConfirmation, names.passwordConfirmation);
}
