import { hash, verify } from '@node-rs/argon2';

/**
 * argon2id with 19 MiB, two passes and one lane: the first choice of the OWASP password storage cheat sheet
 * (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
 */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, options);

/** False too for a hash that can't be read. */
export async function verifyPassword(stored: string, password: string): Promise<boolean> {
  return verify(stored, password).catch(() => false);
}
