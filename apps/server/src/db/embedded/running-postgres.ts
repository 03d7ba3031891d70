import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readIfThere } from './files.ts';
import { readPassword } from './password.ts';
import { parsePostmasterPid } from './postmaster-pid.ts';
import { isPostgresOf } from './process-state.ts';

/** Where to reach the database that a running server of this data folder has; null when none runs. */
export async function runningPostgresUrl(dataDir: string): Promise<string | null> {
  const folder = resolve(dataDir);
  const cluster = await realpath(join(folder, 'postgres')).catch(() => null);
  if (cluster === null) return null;
  const text = await readIfThere(join(cluster, 'postmaster.pid'));
  const running = text === undefined ? undefined : parsePostmasterPid(text);
  if (!running?.port || running.status !== 'ready' || !(await isPostgresOf(running.pid, cluster)))
    return null;
  const password = await readPassword(folder);
  return password === undefined ? null : `postgres://headrace:${password}@127.0.0.1:${running.port}/headrace`;
}
