import { complainOfNewPassword, GUESSABLE_TEXT, isGuessable } from '@headrace/contract/rules/account-form';
import { invalid } from '../../http/errors.ts';
import { COMMON_PASSWORD_TEXT, isCommonPassword } from './common-password.ts';

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
  if (await isCommonPassword(password)) throw invalid(COMMON_PASSWORD_TEXT, names.password);
  if (complaints.passwordConfirmation)
    throw invalid(complaints.passwordConfirmation, names.passwordConfirmation);
}
