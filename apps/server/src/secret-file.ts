import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** 256 random bits in a file that this user alone can read; made once. Of two that make it, both get the first's. */
export async function readOrMakeSecret(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const secret = randomBytes(32).toString('base64url');
  await writeFile(path, secret, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return readSecret(path);
}

export async function readSecret(path: string): Promise<string> {
  const secret = (await readFile(path, 'utf8')).trim();
  if (secret === '') throw new Error(`${path} is empty: delete it, and a new secret is made.`);
  return secret;
}
