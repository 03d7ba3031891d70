import { pbkdf2Sync, randomBytes } from 'node:crypto';

/** What `mosquitto_passwd` uses; device keys are 256 random bits, so there is nothing to guess. */
const ITERATIONS = 101;
const SALT_BYTES = 12;
const HASH_BYTES = 64;

/** A password as Mosquitto 2 keeps it in its password file: PBKDF2 with SHA-512, `$7$iterations$salt$hash`. */
export function brokerHash(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const hash = pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, 'sha512');
  return `$7$${ITERATIONS}$${salt.toString('base64')}$${hash.toString('base64')}`;
}
