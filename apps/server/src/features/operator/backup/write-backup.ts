import { createHash } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { APP_VERSION } from '@headrace/contract/limits';
import { errorCode, readIfThere, syncFolder } from '../../../db/embedded/files.ts';
import { withBackupClient } from './backup-client.ts';
import {
  BackupError,
  type BackupHead,
  type BackupTable,
  END_NAME,
  FORMAT_VERSION,
  fileName,
  HEAD_NAME,
  keptFiles,
  NotTriedError,
  partName,
  sealName,
  type TableSeal,
} from './backup-format.ts';
import { readCatalog } from './catalog.ts';
import { countRows } from './count-rows.ts';
import { type Backup, readBackup } from './read-backup.ts';
import { tarEnd, tarEntry } from './tar.ts';

/** Held in memory at a time, and the size of a table's parts. */
const PART_BYTES = 4 * 1024 * 1024;
/** A farm's small machine has other work: level 6 is a twentieth smaller and takes twice as long. */
const GZIP_LEVEL = 3;

export interface BackupRequest {
  databaseUrl: string;
  dataDir: string;
  /** Where the backup will be; nothing may be there yet. */
  path: string;
  now: Date;
}

/**
 * Writes the whole database as it is at one moment, while servers go on writing to it, then reads the file back. The file
 * has its name only when it is whole and on the disk; until then it is `<path>.partial`.
 *
 * @throws BackupError
 */
export async function writeBackup(request: BackupRequest): Promise<Backup> {
  const { path } = request;
  const partial = `${path}.partial`;
  if (await isThere(path)) throw new NotTriedError(`${path} is there already: give another name.`);
  const file = await openNew(partial);
  try {
    await withBackupClient(request.databaseUrl, async (client) => {
      const gzip = createGzip({ level: GZIP_LEVEL });
      await pipeline(archive(client, request), gzip, file.createWriteStream({ flush: true }));
    });
    const backup = await readBackup(partial);
    await rename(partial, path);
    await syncFolderIfPossible(dirname(path));
    return backup;
  } catch (error) {
    await rm(partial, { force: true });
    const sentence = cannotWrite(partial, errorCode(error));
    throw sentence ? new BackupError(sentence) : error;
  } finally {
    await file.close();
  }
}

async function* archive(client: Client, { dataDir, now }: BackupRequest): AsyncGenerator<Buffer> {
  const json = (name: string, value: object) =>
    tarEntry(name, Buffer.from(`${JSON.stringify(value)}\n`), now);
  await client.query('begin isolation level repeatable read, read only');
  const head = await readHead(client, now);
  yield* json(HEAD_NAME, head);
  let rows = 0;
  for (const table of head.tables) {
    const seal = yield* tableParts(client, table, now);
    yield* json(sealName(table.name), seal);
    rows += seal.rows;
  }
  const files: Record<string, string> = {};
  for (const name of keptFiles) {
    const content = await readIfThere(join(dataDir, name));
    if (content === undefined) continue;
    files[name] = createHash('sha256').update(content).digest('hex');
    yield* tarEntry(fileName(name), Buffer.from(content), now);
  }
  yield* json(END_NAME, { tables: head.tables.length, rows, files });
  yield tarEnd;
}

async function readHead(client: Client, now: Date): Promise<BackupHead> {
  const tables = await readCatalog(client);
  if (tables.length === 0) throw new BackupError('The database is empty: there is nothing to back up.');
  // Held until the end, so that no table goes or changes its columns meanwhile.
  await client.query(
    `lock table ${tables.map(({ name }) => quoted(client, name)).join(', ')} in access share mode`,
  );
  const migrations = await client.query<{ name: string }>('select name from kysely_migration order by name');
  const version = await client.query<{ major: number }>(
    "select current_setting('server_version_num')::int / 10000 as major",
  );
  return {
    product: 'headrace',
    formatVersion: FORMAT_VERSION,
    appVersion: APP_VERSION,
    createdAt: now.toISOString(),
    postgresMajor: version.rows[0]?.major ?? 0,
    migrations: migrations.rows.map(({ name }) => name),
    tables,
  };
}

async function* tableParts(client: Client, table: BackupTable, now: Date): AsyncGenerator<Buffer, TableSeal> {
  const columns = table.columns.map((column) => quoted(client, column)).join(', ');
  // A month by its own name: reading through the parent would keep other months from being opened.
  const statement = `copy (select ${columns} from only ${quoted(client, table.name)}) to stdout`;
  const hash = createHash('sha256');
  let [rows, bytes, part] = [0, 0, 0];
  for await (const piece of inPieces(client.query(copyTo(statement)))) {
    hash.update(piece);
    bytes += piece.length;
    rows += countRows(piece);
    yield* tarEntry(partName(table.name, (part += 1)), piece, now);
  }
  const counter = table.identity ? await readCounter(client, table.name, table.identity) : undefined;
  return { rows, bytes, sha256: hash.digest('hex'), ...(counter && { counter }) };
}

async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    length += chunk.length;
    if (length < PART_BYTES) continue;
    yield Buffer.concat(chunks);
    [chunks, length] = [[], 0];
  }
  if (length > 0) yield Buffer.concat(chunks);
}

/** Counters stand outside transactions: read after the table, they are at or past every number in it. */
async function readCounter(client: Client, table: string, column: string): Promise<TableSeal['counter']> {
  const { rows: named } = await client.query<{ sequence: string }>(
    'select pg_get_serial_sequence(quote_ident($1), $2) as sequence',
    [table, column],
  );
  const { rows } = await client.query<{ value: string; isUsed: boolean }>(
    `select last_value::text as value, is_called as "isUsed" from ${named[0]?.sequence ?? ''}`,
  );
  return rows[0];
}

const quoted = (client: Client, name: string) => client.escapeIdentifier(name);

async function openNew(partial: string) {
  try {
    return await open(partial, 'wx', 0o600);
  } catch (error) {
    const code = errorCode(error);
    const sentence = cannotWrite(partial, code);
    throw sentence ? new NotTriedError(sentence, { isBusy: code === 'EEXIST' }) : error;
  }
}

function cannotWrite(partial: string, code: string): string | undefined {
  switch (code) {
    case 'EEXIST':
      return `${partial} is there: another backup is under way, or one was killed. Delete it if none is, and try again.`;
    case 'ENOENT':
      return `There is no folder ${dirname(partial)}: make it, or mount the disk that it is on.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${dirname(partial)} can't be written by this user: give another folder.`;
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk that holds ${dirname(partial)} is full: delete old backups there, or give another folder.`;
    default:
      return undefined;
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Some network and USB file systems have no such thing; the file itself is on the disk already. */
async function syncFolderIfPossible(folder: string): Promise<void> {
  await syncFolder(folder).catch((error: unknown) => {
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM'].includes(errorCode(error))) throw error;
  });
}
