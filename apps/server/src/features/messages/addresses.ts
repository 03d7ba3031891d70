import { cut } from '../../cut.ts';

/** Nothing can be sent there, however often it is tried. */
export class NoAddress extends Error {}

/** Control characters and what ends a line in some mail programs: none of it may reach a mail's header. */
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** One address and nothing else: no list, no name, no header of its own. Throws otherwise, without the address. */
export function mailAddress(text: string): string {
  const address = text.trim();
  const isOne = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/u.test(address);
  if (!isOne || CONTROL.test(address) || address.length > 254)
    throw new NoAddress('A mail was not stored: its recipient is not one e-mail address.');
  return address;
}

/** A subject on one line, at most 250 characters: whatever would begin another header becomes a blank. */
export function mailSubject(text: string): string {
  const line = Array.from(text, (sign) => (CONTROL.test(sign) ? ' ' : sign)).join('');
  return cut(line.replace(/\s+/g, ' ').trim(), 250);
}

/** E.164, as +64211234567: the national number without its leading zero. Throws when it can't be a telephone number. */
export function e164(countryCode: number, mobile: string): string {
  const national = mobile.replace(/[\s().-]/g, '').replace(/^0+/, '');
  const number = `+${countryCode}${national}`;
  if (!/^\+[1-9]\d{6,14}$/.test(number))
    throw new NoAddress('An SMS was not stored: its recipient is not a telephone number.');
  return number;
}
