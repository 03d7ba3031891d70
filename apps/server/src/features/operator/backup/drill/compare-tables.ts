import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { BackupError, type BackupTable } from '../backup-format.ts';
import type { Backup } from '../read-backup.ts';

/**
 * Reads every row back that was loaded and compares it with what the backup says of it, before anything has changed a row. How many
 * tables there are.
 *
 * @throws BackupError that names the first table that differs
 */
export async function compareTables(client: Client, { head, seals }: Backup): Promise<number> {
  // Rows in the order in which they were loaded.
  await client.query('set synchronize_seqscans = off; set max_parallel_workers_per_gather = 0');
  for (const table of head.tables) {
    if ((await hashOf(client, table)) !== seals.get(table.name)?.sha256)
      throw new BackupError(
        `The rows of the table ${table.name} are not those of the backup after the restore.`,
      );
  }
  return head.tables.length;
}

async function hashOf(client: Client, { name, columns }: BackupTable): Promise<string> {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const hash = createHash('sha256');
  const statement = `copy (select ${list} from only ${client.escapeIdentifier(name)}) to stdout`;
  for await (const piece of client.query(copyTo(statement)) as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}
