import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { createWhole, readIfThere } from './files.ts';
import { isRunning, startedAt } from './process-state.ts';

/** Says which server uses a data folder, so that a second one leaves the first's database alone. */
export interface ServerLock {
  release(): Promise<void>;
}

const ATTEMPTS = 5;

/** @throws EmbeddedPostgresError 'in-use' when the lock's owner lives; what a dead owner left is taken over. */
export async function takeServerLock(dataDir: string): Promise<ServerLock> {
  const path = join(dataDir, 'server.lock');
  const mine = `${process.pid}\n${(await startedAt(process.pid)) ?? ''}\n${randomUUID()}\n`;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await createWhole(path, mine)) return { release: () => release(path, mine) };
    await clearStale(path, dataDir);
  }
  throw inUse(dataDir, 'just started');
}

async function clearStale(path: string, dataDir: string): Promise<void> {
  const theirs = await readIfThere(path);
  if (theirs === undefined) return;
  const owner = await liveOwner(theirs);
  if (owner !== undefined) throw inUse(dataDir, `pid ${owner}`);
  await removeExactly(path, theirs);
}

/** Removes the lock only while it holds this text: another server may have replaced it since we read it. */
async function removeExactly(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    const moved = await readIfThere(aside);
    if (moved !== undefined && moved !== text) await createWhole(path, moved);
  } catch (error) {
    if ((await readIfThere(path)) !== undefined) throw error; // Else it went by itself, as wanted.
  } finally {
    await rm(aside, { force: true });
  }
}

async function release(path: string, mine: string): Promise<void> {
  if ((await readIfThere(path)) === mine) await rm(path, { force: true });
}

/** The owner's pid while it lives; a pid that now belongs to a later process doesn't count. */
async function liveOwner(lock: string): Promise<number | undefined> {
  const [first, started] = lock.split('\n');
  const pid = /^[1-9]\d{0,9}$/.test(first ?? '') ? Number(first) : undefined;
  if (pid === undefined || !(await isRunning(pid))) return undefined;
  const now = await startedAt(pid);
  return now === undefined || !started || now === started ? pid : undefined;
}

function inUse(dataDir: string, who: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'in-use',
    `Another Headrace server (${who}) is using ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
  );
}
