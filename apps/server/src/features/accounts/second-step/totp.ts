import { Secret, TOTP } from 'otpauth';

/** What all authenticator apps can do: RFC 6238 with its defaults. */
const PERIOD_S = 30;
const DIGITS = 6;
const ALGORITHM = 'SHA1';
/** 160 bits: as long as the hash, RFC 4226, 4. */
const SECRET_BYTES = 20;
/** A phone's clock may be so many periods off, either way: RFC 6238, 5.2. */
const DRIFT = 1;

const totpOf = (secret: string) =>
  new TOTP({
    issuer: 'Headrace',
    secret: Secret.fromBase32(secret),
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD_S,
  });

/** Base32, as people type it. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What the QR code says: `otpauth://totp/…`. */
export function uriOf(secret: string, email: string): string {
  const totp = totpOf(secret);
  totp.label = email;
  return totp.toString();
}

/** The 30 s since 1970 that a code is of; null: it is of none that may be taken now. */
export function stepOf(secret: string, code: string, now: Date): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: DRIFT });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_S) + delta;
}
