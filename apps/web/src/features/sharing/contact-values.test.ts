import { expect, test } from 'vitest';
import { validateContact, contactOf, newContact, type ContactValues } from './contact-values.ts';

const tama: ContactValues = { ...newContact, name: 'Tama Reid', email: 'tama@headrace.test' };
const validate = (over: Partial<ContactValues>) =>
  validateContact({ ...tama, ...over }, 'owner@headrace.test', ['hana@headrace.test']);

test.each<[string, Partial<ContactValues>, object]>([
  ['name and e-mail are enough to invite', {}, {}],
  ['a short name', { name: 'Ta' }, { name: 'Name must have at least 3 characters.' }],
  ['no e-mail', { email: '' }, { email: 'E-mail is required.' }],
  ['one that is none', { email: 'tama@' }, { email: 'E-mail must be an e-mail address.' }],
  ["the owner's own", { email: 'Owner@headrace.test ' }, { email: 'This is your own address.' }],
  ['one on the list', { email: 'HANA@headrace.test' }, { email: 'This person is on the list already.' }],
  [
    'a mobile with seven digits',
    { countryCode: '64', mobile: '2112345' },
    { mobile: 'Invalid mobile number.' },
  ],
  ['a mobile without a country', { mobile: '211234567' }, { countryCode: 'Country code is required.' }],
  [
    'an account asks for all of it',
    { makesAccount: true },
    {
      countryCode: 'Country code is required.',
      mobile: 'Mobile is required.',
      password: 'Password is required.',
      passwordConfirmation: 'Please enter the password again.',
    },
  ],
])('%s', (_name, over, fieldErrors) => {
  expect(validate(over)).toEqual(fieldErrors);
});

test('is sent without what is blank, and with a password only where an account is made', () => {
  expect(contactOf({ ...tama, name: ' Tama Reid ', password: 'typed and left' })).toEqual({
    name: 'Tama Reid',
    email: 'tama@headrace.test',
  });
  const whole = { ...tama, countryCode: '64', mobile: '211234567', makesAccount: true };
  expect(
    contactOf({
      ...whole,
      password: 'three blind mice',
      passwordConfirmation: 'three blind mice',
      newsletter: true,
    }),
  ).toEqual({
    name: 'Tama Reid',
    email: 'tama@headrace.test',
    countryCode: 64,
    mobile: '211234567',
    password: 'three blind mice',
    passwordConfirmation: 'three blind mice',
    newsletter: true,
    active: true,
  });
});
