import { createHmac, timingSafeEqual } from 'node:crypto';

/** Twilio signs what it calls: the address and the form's fields by name, HMAC-SHA1 with the account's token. */
export function isSignedByTwilio(
  address: string,
  fields: Readonly<Record<string, unknown>>,
  signature: string,
  token: string,
): boolean {
  const said = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}${String(fields[name])}`);
  const right = createHmac('sha1', token)
    .update([address, ...said].join(''))
    .digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === right.length && timingSafeEqual(given, right);
}
