import { describe, expect, it } from 'vitest';
import { isCommonPassword } from './common-password.ts';

/** From published lists of leaked passwords, those that zxcvbn's bare list left out among them. */
const leaked =
  `123456 password 12345678 qwerty 123456789 111111 123123 abc123 1234567 iloveyou dragon monkey letmein
  555555 222222 777777 888888 999999 987654321 987654 123123123 121212 aaaaaa abcdef abcdefg zzzzzz 131313 112233 102030 159753
  147258369 1q2w3e4r asdfgh zxcvbn qazwsx michael jessica ashley daniel andrew thomas samantha joshua matthew robert
  william charlie anthony jordan jennifer Password1! Summer2026 Passw0rd IloveYou`.split(/\s+/);

/** Leaked, and rare enough to take many guesses: the last of the list, in any case. */
const rarelyLeaked = ['193570356033', '87654321vv', 'dimazarya', 'XPCREW'];

describe('a common password', () => {
  it.each([...leaked, ...rarelyLeaked])('%s is one', async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it.each(['correct horse', 'stone river', 'rakaia', 'wide river stones', 'k7#mQ2', 'seven-wet-fields'])(
    '%s is none',
    async (password) => {
      expect(await isCommonPassword(password)).toBe(false);
    },
  );

  it('is found at any length', async () => {
    expect(await isCommonPassword('a'.repeat(256))).toBe(true);
    expect(await isCommonPassword('ab'.repeat(128))).toBe(true);
    expect(await isCommonPassword('qwe123!@#'.repeat(28))).toBe(false);
  });
});
