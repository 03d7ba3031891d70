import { NAME_MIN, PASSWORD_MIN } from '../limits.ts';
import {
  all,
  email,
  isEmpty,
  isEqual,
  line,
  lines,
  maxLength,
  minLength,
  required,
  type Rule,
} from './form-rules.ts';
import { withoutLink } from './plain-name.ts';

/** What is asked of a person who registers. spec 1 §5 */
export interface AccountForm {
  readonly name: string;
  readonly email: string;
  readonly countryCode: number | string | null;
  readonly mobile: string;
  readonly password: string;
  readonly passwordConfirmation: string;
  readonly notes?: string | undefined;
}

export type AccountErrors<Field extends string = keyof AccountForm> = Partial<Record<Field, string>>;

export const EMAIL_TAKEN_TEXT = 'Sorry, this email is already registered.';
export const INVALID_MOBILE_TEXT = 'Invalid mobile number.';

/** Australia and New Zealand. */
export const countryCodes = { au: 61, nz: 64 } as const;

const knownCountry: Rule = (value) =>
  Object.values<number>(countryCodes).includes(Number(value))
    ? null
    : 'Please choose a country code: 64 or 61.';

const mobileNumber: Rule = (value) =>
  typeof value === 'string' && /^\d{8,10}$/.test(value.trim()) ? null : INVALID_MOBILE_TEXT;

const rules = {
  name: all(required('Name'), minLength('Name', NAME_MIN), line('Name', 100), withoutLink('Name')),
  email: all(required('E-mail'), line('E-mail', 254), email('E-mail')),
  countryCode: all(required('Country code'), knownCountry),
  mobile: all(required('Mobile'), mobileNumber),
  password: all(required('Password'), minLength('Password', PASSWORD_MIN), maxLength('Password', 256)),
  notes: lines('Notes', 2000),
} as const;

const errorsOnly = <T extends Record<string, string | null>>(found: T) =>
  Object.fromEntries(Object.entries(found).filter(([, sentence]) => sentence !== null)) as {
    [K in keyof T]?: string;
  };

/** One sentence for each field that is wrong; none when the account can be made. Browser and server both ask here. */
export function validateAccount(form: AccountForm): AccountErrors {
  return errorsOnly({
    ...validatePerson(form),
    ...(isGuessable(form.password, form) && { password: GUESSABLE_TEXT }),
    ...validateNewPassword(form),
  });
}

/** The details alone, without a password: of an account that exists. */
export function validatePerson(
  form: Pick<AccountForm, 'name' | 'email' | 'countryCode' | 'mobile' | 'notes'>,
): AccountErrors<'name' | 'email' | 'countryCode' | 'mobile' | 'notes'> {
  return errorsOnly({
    name: rules.name(form.name),
    email: rules.email(form.email),
    countryCode: rules.countryCode(form.countryCode),
    mobile: rules.mobile(form.mobile),
    notes: rules.notes(form.notes ?? ''),
  });
}

/** A password that is being chosen, typed twice. Blanks in it count; a password of blanks alone does not pass. */
export function validateNewPassword(
  form: Pick<AccountForm, 'password' | 'passwordConfirmation'>,
): AccountErrors<'password' | 'passwordConfirmation'> {
  return errorsOnly({
    password: rules.password(form.password),
    passwordConfirmation: isEmpty(form.passwordConfirmation)
      ? 'Please enter the password again.'
      : isEqual('Password confirmation', () => form.password, 'the password')(form.passwordConfirmation),
  });
}

export const GUESSABLE_TEXT =
  'This password is easy to guess from your name, address or farm. Please choose another.';

/** Words that everyone tries first, besides those that the person is known by. */
const productLabels = ['headrace', 'irrigation', 'sprinkler', 'farm'];
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}]/gu, '');

/** Whom a password is for; `farms`: names of their farms. */
export interface PasswordOwner extends Pick<AccountForm, 'name' | 'email'> {
  readonly farms?: readonly string[];
}

/**
 * Whether the letters of a password are no more than a name or address of its person or of their farms, or a word of the product:
 * with whatever digits and signs around them. Names of fewer than four letters say nothing.
 */
export function isGuessable(password: string, { name, email: address, farms = [] }: PasswordOwner): boolean {
  const [local = ''] = address.split('@');
  const words = [
    ...productLabels,
    ...[name, ...farms].flatMap((one) => [one, ...one.split(/\s+/)]),
    address,
    local,
  ];
  const bare = letters(password);
  return bare.length >= 4 && words.some((word) => letters(word) === bare);
}
