import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readIfThere, writeWhole } from './files.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { explainFailure } from './explain-failure.ts';
import type { Launch } from './launch.ts';
import { runProgram } from './run-program.ts';

/** Of the cluster's two roles: `postgres`, which only the supervisor uses, and `headrace`. */
export function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres.password');
}

/** @throws EmbeddedPostgresError 'unreadable' for a file that holds no password */
export async function readPassword(dataDir: string): Promise<string | undefined> {
  const file = passwordFile(dataDir);
  const text = (await readIfThere(file))?.trim();
  if (text === '' || text?.includes('\n')) {
    throw new EmbeddedPostgresError(
      'unreadable',
      `${file} should hold the database password, one line, and does not: delete it and start again, and a new password is made.`,
    );
  }
  return text;
}

/** Only the user who runs the server can read it. */
export async function makePassword(dataDir: string): Promise<string> {
  const password = newPassword();
  await writeWhole(passwordFile(dataDir), password);
  return password;
}

/**
 * A new password for a cluster whose password file is gone, set by PostgreSQL in single-user mode, which asks for none.
 * The file comes last: interrupted before that, the next start does all of it again.
 */
export async function replacePassword(
  dataDir: string,
  clusterDir: string,
  postgres: Launch,
): Promise<string> {
  const password = newPassword();
  const statements = ['postgres', 'headrace'].map((role) => `alter role ${role} password '${password}';\n`);
  const run = await runProgram(postgres, ['--single', '-D', clusterDir, 'postgres'], statements.join(''));
  if (!run.ok) throw explainFailure(run.stderr, { dataDir });
  await writeWhole(passwordFile(dataDir), password);
  return password;
}

/** Letters, digits, - and _: fits SQL and a URL as it is. */
function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
