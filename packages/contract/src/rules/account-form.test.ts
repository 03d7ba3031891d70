import { describe, expect, it } from 'vitest';
import { validateAccount, validateNewPassword, validatePerson, isGuessable } from './account-form.ts';

const good = {
  name: 'Ana Tawhai',
  email: 'ana@example.com',
  countryCode: 64,
  mobile: '211234567',
  password: 'six by six',
  passwordConfirmation: 'six by six',
};

describe('an account', () => {
  it('can be made of what passes, from both countries, typed or chosen', () => {
    expect(validateAccount(good)).toEqual({});
    expect(
      validateAccount({ ...good, countryCode: '61', notes: 'one\ntwo', mobile: ' 0211234567 ' }),
    ).toEqual({});
  });

  it.each([
    ['name', '', 'Name is required.'],
    ['name', ' ab ', 'Name must have at least 3 characters.'],
    ['name', 'x'.repeat(101), 'Name can have at most 100 characters.'],
    ['name', 'An\u0000a', "Name holds a character that can't be shown. Please type it again."],
    ['email', '', 'E-mail is required.'],
    ['email', 'ana', 'E-mail must be an e-mail address.'],
    ['email', 'a@b.nz, c@d.nz', 'E-mail must be an e-mail address.'],
    ['countryCode', null, 'Country code is required.'],
    ['countryCode', 1, 'Please choose a country code: 64 or 61.'],
    ['mobile', '', 'Mobile is required.'],
    ['mobile', '1234567', 'Invalid mobile number.'],
    ['mobile', '12345678901', 'Invalid mobile number.'],
    ['notes', 'x'.repeat(2001), 'Notes can have at most 2000 characters.'],
    ['notes', 'a\u0007', "Notes holds a character that can't be shown. Please type it again."],
  ])('with %s %j is told: %s', (field, value, sentence) => {
    expect(validatePerson({ ...good, [field]: value })).toEqual({ [field]: sentence });
  });

  it('needs its password twice, six characters or more', () => {
    expect(validateNewPassword({ password: 'five5', passwordConfirmation: '' })).toEqual({
      password: 'Password must have at least 6 characters.',
      passwordConfirmation: 'Please enter the password again.',
    });
    expect(validateNewPassword({ password: 'six by six', passwordConfirmation: 'six by sic' })).toEqual({
      passwordConfirmation: 'Password confirmation must be the same as the password.',
    });
  });

  it('takes any characters in it, and up to 256 of them', () => {
    const of = (password: string) => validateNewPassword({ password, passwordConfirmation: password });
    for (const password of ['a'.repeat(256), 'x      x', '123 456', 'ŌTAKI\u{1F69C}', '"\t\'\\<>;'])
      expect(of(password)).toEqual({});
    expect(of('a'.repeat(257))).toEqual({ password: 'Password can have at most 256 characters.' });
  });
});

describe('a password of the letters that everyone tries first', () => {
  const person = { name: 'Anahera Tipene', email: 'ana.farm@example.com' };
  it.each([
    ['headrace1', true],
    ['Tipene2026!', true],
    ['anahera tipene', true],
    ['ana.farm99', true],
    ['ana.farm@example.com', true],
    ['tipene waters well', false],
    ['123456', false],
  ])('%j: %j', (password, expected) => expect(isGuessable(password, person)).toBe(expected));

  it('from the name of a farm, all of it or a word', () => {
    const owner = { ...person, farms: ['Rakaia Flats'] };
    for (const password of ['rakaia-flats', 'Rakaia2026!', 'flats99', 'Farm2026'])
      expect(isGuessable(password, owner)).toBe(true);
    expect(isGuessable('rakaia', person)).toBe(false);
    expect(isGuessable('rakaia river', owner)).toBe(false);
  });

  it('names of fewer than four letters say nothing', () => {
    expect(isGuessable('Li12345', { name: 'Li Po', email: 'li@example.com' })).toBe(false);
  });
});
