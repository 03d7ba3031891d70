import { Secret, TOTP } from 'otpauth';

/** What somebody's authenticator app shows at `at` (epoch ms). */
export const codeShown = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({ timestamp: at });
