import { useEffect } from 'react';
import { validateAccount } from '@headrace/contract/rules/account-form';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { keepRegistration, noContact, registration, type ContactValues } from './registration-state.ts';
import { useEmailCheck } from './use-email-check.ts';

/** The form of a person who registers: its rules, the check of the address, and what was typed before. */
export function usePersonForm<R>(save: (values: ContactValues) => Promise<R>, onSaved: (reply: R) => void) {
  const form = useRecordForm<ContactValues, R>({
    draftKey: null,
    initial: registration().typedContact ?? noContact,
    validate: (values) => validateAccount(values),
    save,
    onSaved,
  });
  const { values } = form;
  useEffect(() => keepRegistration({ typedContact: values }), [values]);
  const emailTaken = useEmailCheck(values.email);
  const isReady = Object.keys(validateAccount(values)).length === 0 && emailTaken === undefined;
  return { form, emailTaken, isReady };
}

/** What is sent of it. */
export function personOf({ notes: _notes, countryCode, ...values }: ContactValues) {
  return {
    ...values,
    name: values.name.trim(),
    email: values.email.trim(),
    mobile: values.mobile.trim(),
    countryCode: Number(countryCode),
  };
}
