import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const demoSecretFile = (dataDir: string) => join(dataDir, 'demo-secret');

/** The secret that demo device keys are derived from; made once, readable by this user alone. */
export async function readOrMakeDemoSecret(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true });
  const path = demoSecretFile(dataDir);
  const secret = randomBytes(32).toString('base64url');
  await writeFile(path, secret, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return (await readFile(path, 'utf8')).trim();
}
