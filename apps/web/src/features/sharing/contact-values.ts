import type { ShareContact } from '@headrace/contract/sharing';
import { validateAccount, validatePerson } from '@headrace/contract/rules/account-form';
import type { FieldErrors } from '../../forms/use-record-form.ts';

/** A new contact as it stands in the form. */
export interface ContactValues {
  name: string;
  email: string;
  countryCode: string;
  mobile: string;
  notes: string;
  /** An account is made for the person, with a first password. */
  makesAccount: boolean;
  password: string;
  passwordConfirmation: string;
  /** Of that account. */
  newsletter: boolean;
}

export const newContact: ContactValues = {
  name: '',
  email: '',
  countryCode: '',
  mobile: '',
  notes: '',
  makesAccount: false,
  password: '',
  passwordConfirmation: '',
  newsletter: false,
};

export const sameAddress = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/**
 * The rules of accounts. Who is only invited gives country code and mobile when registering: here they may be blank,
 * both. `known`: addresses that are on the list.
 */
export function validateContact(values: ContactValues, own: string, known: readonly string[]): FieldErrors {
  const fieldErrors: FieldErrors = values.makesAccount ? validateAccount(values) : validatePerson(values);
  if (!values.makesAccount && values.mobile.trim() === '' && values.countryCode === '') {
    delete fieldErrors.mobile;
    delete fieldErrors.countryCode;
  }
  if (fieldErrors.email) return fieldErrors;
  if (sameAddress(values.email, own)) return { ...fieldErrors, email: 'This is your own address.' };
  if (known.some((address) => sameAddress(address, values.email)))
    return { ...fieldErrors, email: 'This person is on the list already.' };
  return fieldErrors;
}

/** A contact as it is sent. */
export function contactOf(values: ContactValues): ShareContact {
  const { name, email, countryCode, mobile, notes, makesAccount } = values;
  const { password, passwordConfirmation, newsletter } = values;
  return {
    name: name.trim(),
    email: email.trim(),
    ...(mobile.trim() !== '' && { mobile: mobile.trim(), countryCode: Number(countryCode) }),
    ...(notes.trim() !== '' && { notes: notes.trim() }),
    ...(makesAccount && { password, passwordConfirmation, newsletter, active: true }),
  };
}
