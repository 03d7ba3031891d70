import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import { type BackupHead, NotTriedError } from '../backup-format.ts';
import type { Backup } from '../read-backup.ts';
import { refuseNewer, restoreBackup } from '../restore-backup.ts';
import { askServices, type RestoredServer } from './ask-services.ts';
import { readWithList } from './backup-list.ts';
import { compareTables } from './compare-tables.ts';
import { inTrialDatabase } from './trial-database.ts';

export interface DrillRequest {
  /** The real database; another one is made beside it. */
  databaseUrl: string;
  path: string;
  now: Date;
  /** Bytes that there are for the other database; null: not known. */
  room(): Promise<number | null>;
  /** The services over a database that was restored. */
  openServer(url: string): Promise<RestoredServer>;
}

export interface Drilled {
  readonly head: BackupHead;
  readonly bytes: number;
  readonly restoreMs: number;
  readonly lines: readonly string[];
}

/** Tables with their indexes, and the journal of writing them, as multiples of the rows' text: measured, 2.7 and as much again. */
const ROOM_PER_BYTE = 6;

/**
 * Restores a backup beside the real database, compares every row, and asks the services. The real database is not touched.
 *
 * @throws BackupError that says what went wrong
 */
export async function drillBackup(request: DrillRequest): Promise<Drilled> {
  const { databaseUrl, path, now, openServer } = request;
  const { backup, list } = await readWithList(path);
  refuseNewer(backup.head);
  await requireRoom(request, backup);
  const { size: bytes } = await stat(path);
  return inTrialDatabase(databaseUrl, async (url) => {
    const { tables, restoreMs } = await restoreAndCompare(url, path, backup, now);
    const server = await openServer(url);
    try {
      const answers = await askServices(server, list, now);
      const rows = `${tables} tables have the rows that were written, byte for byte`;
      return { head: backup.head, bytes, restoreMs, lines: [rows, ...answers] };
    } finally {
      await server.close();
    }
  });
}

/** How long it took is without the comparison, which a real restore doesn't make. */
async function restoreAndCompare(
  databaseUrl: string,
  path: string,
  backup: Backup,
  now: Date,
): Promise<{ tables: number; restoreMs: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'headrace-drill-'));
  const since = performance.now();
  let [tables, comparedMs] = [0, 0];
  const check = async (client: Client) => {
    const before = performance.now();
    tables = await compareTables(client, backup);
    comparedMs = performance.now() - before;
  };
  try {
    await restoreBackup({ databaseUrl, dataDir, path, backup, replace: false, now, check });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return { tables, restoreMs: performance.now() - since - comparedMs };
}

async function requireRoom({ room }: DrillRequest, { seals }: Backup): Promise<void> {
  const free = await room();
  const needed = ROOM_PER_BYTE * [...seals.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  if (free === null || free >= needed) return;
  const megabytes = (bytes: number) => `${Math.ceil(Math.max(0, bytes) / 1e6)} MB`;
  throw new NotTriedError(
    `The drill needs about ${megabytes(needed)} for a while, and there are ${megabytes(free)}: make room, or restore the backup on another machine.`,
  );
}
