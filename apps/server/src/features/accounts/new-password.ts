import {
  validateNewPassword,
  GUESSABLE_TEXT,
  isGuessable,
  type PasswordOwner,
} from '@headrace/contract/rules/account-form';
import { invalid } from '../../http/errors.ts';
import { COMMON_PASSWORD_TEXT, isCommonPassword } from './common-password.ts';

/**
 * Throws the form's sentence where somebody may not choose this password, with the name of the field: `names` are those
 * of the caller's body.
 */
export async function refuseWeakPassword(
  password: string,
  confirmation: string,
  person: PasswordOwner,
  names = { password: 'password', passwordConfirmation: 'passwordConfirmation' },
): Promise<void> {
  const fieldErrors = validateNewPassword({ password, passwordConfirmation: confirmation });
  if (fieldErrors.password) throw invalid(fieldErrors.password, names.password);
  if (isGuessable(password, person)) throw invalid(GUESSABLE_TEXT, names.password);
  if (await isCommonPassword(password)) throw invalid(COMMON_PASSWORD_TEXT, names.password);
  if (fieldErrors.passwordConfirmation)
    throw invalid(fieldErrors.passwordConfirmation, names.passwordConfirmation);
}
