import { createHash, randomBytes } from 'node:crypto';

export const RECOVERY_CODES = 10;
/** Without letters and digits that look alike: Crockford's. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const BITS = 5;
/** 140 bits: a fast hash will do (ASVS 6.5.2, 11.5.1), so nobody's guesses have to be counted. */
const CHARACTERS = 28;
/** What people wrote down before had 120, and still counts. */
const CHARACTERS_BEFORE = 24;
const GROUP = 7;

/** As "7KX2MDA-…": four groups of seven characters. */
export function newRecoveryCode(): string {
  const characters = [...randomBytes(CHARACTERS)].map((byte) => ALPHABET[byte % 2 ** BITS]).join('');
  return characters.match(new RegExp(`.{${GROUP}}`, 'g'))?.join('-') ?? '';
}

/** What people typed, as it was shown: O is read as 0, I and L as 1. */
const asShown = (typed: string): string =>
  typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');

/** Null: this can be none. */
export function hashRecoveryCode(typed: string): Buffer | null {
  const code = asShown(typed);
  return code.length === CHARACTERS || code.length === CHARACTERS_BEFORE
    ? createHash('sha256').update(code).digest()
    : null;
}
