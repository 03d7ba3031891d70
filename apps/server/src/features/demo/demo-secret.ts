import { join } from 'node:path';
import { readOrMakeSecret } from '../../secret-file.ts';

export const demoSecretFile = (dataDir: string) => join(dataDir, 'demo-secret');

/** The secret that demo device keys are derived from; made once, readable by this user alone. */
export const readOrMakeDemoSecret = (dataDir: string): Promise<string> =>
  readOrMakeSecret(demoSecretFile(dataDir));
