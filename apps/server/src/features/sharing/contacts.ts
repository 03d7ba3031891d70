import { validatePerson } from '@headrace/contract/rules/account-form';
import type { ShareContact } from '@headrace/contract/sharing';
import type { ShareContactColumns } from '../../db/schema/accounts.ts';
import { invalid } from '../../http/errors.ts';
import { refuseWeakPassword } from '../accounts/new-password.ts';

/** Someone to invite, as entered and found to be right. */
export interface Invitee {
  readonly email: string;
  readonly contact: ShareContactColumns;
  /** For an account that is made at once. */
  readonly password: string | null;
  /** Where in the body the address stands. */
  readonly field: string;
}

/** Judges each by the rules of the account's form. Number and country are needed by nobody here: right where given. */
export async function readContacts(contacts: readonly ShareContact[]): Promise<Invitee[]> {
  const invitees: Invitee[] = [];
  for (const [index, contact] of contacts.entries()) {
    const invitee = await readContact(contact, `contacts.${index}`);
    if (invitees.some(({ email }) => email === invitee.email))
      throw invalid(`${invitee.email} is there twice.`, invitee.field);
    invitees.push(invitee);
  }
  return invitees;
}

async function readContact(contact: ShareContact, at: string): Promise<Invitee> {
  const mobile = contact.mobile?.trim() ?? '';
  const { name, email, notes = '', countryCode = null } = contact;
  const found = validatePerson({ name, email, notes, mobile, countryCode });
  const fieldErrors = mobile ? found : { ...found, mobile: undefined, countryCode: undefined };
  for (const [field, sentence] of Object.entries(fieldErrors))
    if (sentence) throw invalid(sentence, `${at}.${field}`);
  const password = contact.active === false ? '' : (contact.password ?? '');
  if (password)
    await refuseWeakPassword(password, contact.passwordConfirmation ?? '', contact, {
      password: `${at}.password`,
      passwordConfirmation: `${at}.passwordConfirmation`,
    });
  return {
    email: email.trim().toLowerCase(),
    contact: {
      name: name.trim(),
      ...(mobile && { mobile, countryCode }),
      ...(contact.newsletter !== undefined && { newsletter: contact.newsletter }),
      ...(notes.trim() && { notes: notes.trim() }),
    },
    password: password || null,
    field: `${at}.email`,
  };
}
