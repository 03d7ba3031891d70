import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedPostgresLog } from './embedded-postgres-log.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { errorCode, readIfThere } from './files.ts';
import { parsePostmasterPid } from './postmaster-pid.ts';
import { isPostgresOf, isRunning, postgresProcessesOf } from './process-state.ts';
import { waitUntil } from './wait.ts';

/** Longest wait in ms after each signal: fast shutdown, immediate shutdown, kill. */
const STEPS = [
  { signal: 'SIGINT', wait: 20_000 },
  { signal: 'SIGQUIT', wait: 8_000 },
  { signal: 'SIGKILL', wait: 2_000 },
] as const;

/**
 * Ends what a killed server left running on this cluster. Only called under the server lock, so no live server of ours
 * uses it. `clusterDir` has its links resolved.
 *
 * @throws EmbeddedPostgresError 'in-use' when it may not be stopped or doesn't stop
 */
export async function endPreviousPostgres(clusterDir: string, log: EmbeddedPostgresLog): Promise<void> {
  const pid = await postmasterOf(clusterDir);
  if (pid !== undefined) {
    log.warn({ pid, clusterDir }, 'Stopping the database that an earlier server left running');
    await end(pid, clusterDir);
  }
  await endOrphanedChildren(clusterDir, log);
}

/**
 * A postmaster.pid that is empty, or whose id now belongs to another program or to a zombie, would keep PostgreSQL from
 * starting, so it is removed. PostgreSQL's second guard, the shared memory block keyed by the folder, stays.
 */
async function postmasterOf(clusterDir: string): Promise<number | undefined> {
  const path = join(clusterDir, 'postmaster.pid');
  const pid = parsePostmasterPid((await readIfThere(path)) ?? '')?.pid;
  if (pid !== undefined && (await isRunning(pid)) && (await isPostgresOf(pid, clusterDir))) return pid;
  await rm(path, { force: true });
  return undefined;
}

async function end(pid: number, clusterDir: string): Promise<void> {
  for (const { signal, wait } of STEPS) {
    sendSignal(pid, signal, clusterDir);
    if (await waitUntil(async () => !(await isRunning(pid)), wait)) return;
  }
  throw stillThere(pid, clusterDir);
}

/** A postmaster killed outright leaves its children a moment; a new one can't start beside them. */
async function endOrphanedChildren(clusterDir: string, log: EmbeddedPostgresLog): Promise<void> {
  const gone = async () => (await postgresProcessesOf(clusterDir)).length === 0;
  if (await waitUntil(gone, 3_000)) return;
  const pids = await postgresProcessesOf(clusterDir);
  log.warn({ pids, clusterDir }, 'Ending processes of a database whose main process is gone');
  for (const pid of pids) sendSignal(pid, 'SIGQUIT', clusterDir);
  if (await waitUntil(gone, 5_000)) return;
  for (const pid of await postgresProcessesOf(clusterDir)) sendSignal(pid, 'SIGKILL', clusterDir);
  if (!(await waitUntil(gone, 2_000))) throw stillThere(pids[0], clusterDir);
}

function sendSignal(pid: number, signal: NodeJS.Signals, clusterDir: string): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw stillThere(pid, clusterDir);
  }
}

function stillThere(pid: number | undefined, clusterDir: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'in-use',
    `A PostgreSQL (pid ${pid}) uses ${clusterDir} and this user could not stop it: stop it, or set DATA_DIR to another folder.`,
  );
}
