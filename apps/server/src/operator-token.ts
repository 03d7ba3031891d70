import { join } from 'node:path';
import { readOrMakeSecret, readSecret } from './secret-file.ts';

export const operatorTokenFile = (dataDir: string) => join(dataDir, 'operator-token');

/** The operator's: what the settings say, else the one in the data folder, which is made there. Null: it can't be kept. */
export async function readOrMakeOperatorToken(
  { operatorToken, dataDir }: { operatorToken: string | null; dataDir: string },
  log: { warn(details: object, message: string): void },
): Promise<string | null> {
  if (operatorToken !== null) return operatorToken;
  return readOrMakeSecret(operatorTokenFile(dataDir)).catch((error: unknown) => {
    log.warn(
      { err: error },
      "no operator token: the operator's calls are refused until OPERATOR_TOKEN is set",
    );
    return null;
  });
}

/** The same for commands beside a server: they make none. */
export const operatorTokenOf = async (settings: {
  operatorToken: string | null;
  dataDir: string;
}): Promise<string | null> =>
  settings.operatorToken ?? readSecret(operatorTokenFile(settings.dataDir)).catch(() => null);
