import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../../../db/embedded/files.ts';
import {
  type BackupEnd,
  BackupError,
  type BackupHead,
  type BackupTable,
  END_NAME,
  fileName,
  HEAD_NAME,
  isKeptFile,
  type KeptFile,
  NotTriedError,
  parseEnd,
  parseHead,
  parseSeal,
  partName,
  sealName,
  type TableSeal,
} from './backup-format.ts';
import { type ArchiveEntry, ArchiveFault, readTar } from './tar.ts';
import { countRows } from './count-rows.ts';

export interface Backup {
  head: BackupHead;
  /** By table. */
  seals: Map<string, TableSeal>;
  files: Map<KeptFile, Buffer>;
}

/** Takes a table's parts as they are read; all of them, in order. */
export type TakeTable = (table: BackupTable, parts: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Reads a backup from its first byte to its last, and finds every hash and every count true.
 *
 * @param take hears each table while it is read; what it took counts only when this returns.
 * @throws BackupError that names the table where the file is damaged
 */
export async function readBackup(path: string, take: TakeTable = passOver): Promise<Backup> {
  const place = { name: 'its beginning' };
  try {
    const compressed = createReadStream(path);
    const plain = createGunzip();
    compressed.on('error', (error) => plain.destroy(error)).pipe(plain);
    try {
      return await readEntries(readTar(plain), place, take);
    } finally {
      compressed.destroy();
      plain.destroy();
    }
  } catch (error) {
    throw explain(error, path, place.name);
  }
}

async function readEntries(
  entries: AsyncGenerator<ArchiveEntry>,
  place: { name: string },
  take: TakeTable,
): Promise<Backup> {
  const next = async () => {
    const entry = await entries.next();
    if (entry.done) throw new ArchiveFault('it ends too early');
    return entry.value;
  };
  const head = headOf(await next());
  const seals = new Map<string, TableSeal>();
  for (const table of head.tables) {
    place.name = `the table ${table.name}`;
    const check = new TableCheck(table, next);
    await take(table, check.parts());
    seals.set(table.name, check.seal());
  }
  place.name = 'its end';
  const files = new Map<KeptFile, Buffer>();
  for (;;) {
    const entry = await next();
    if (entry.name !== END_NAME) {
      addFile(files, entry);
      continue;
    }
    checkEnd(parseEnd(entry.body), seals, files);
    if (!(await entries.next()).done) throw new ArchiveFault('something follows its end');
    return { head, seals, files };
  }
}

function headOf(entry: ArchiveEntry): BackupHead {
  const head = entry.name === HEAD_NAME ? parseHead(entry.body) : null;
  if (!head) throw new ArchiveFault('it does not say what it holds');
  return head;
}

/** One table's parts, counted on their way; the seal after them must say the same. */
class TableCheck {
  #seal: TableSeal | undefined;

  constructor(
    private readonly table: BackupTable,
    private readonly next: () => Promise<ArchiveEntry>,
  ) {}

  async *parts(): AsyncGenerator<Buffer> {
    const { name } = this.table;
    const hash = createHash('sha256');
    let [rows, bytes, part] = [0, 0, 0];
    for (;;) {
      const entry = await this.next();
      if (entry.name === sealName(name)) {
        this.#seal = parseSeal(entry.body) ?? undefined;
        break;
      }
      if (entry.name !== partName(name, (part += 1))) throw new ArchiveFault('a part of it is missing');
      hash.update(entry.body);
      rows += countRows(entry.body);
      bytes += entry.body.length;
      yield entry.body;
    }
    const seal = this.#seal;
    const isTrue = seal && seal.rows === rows && seal.bytes === bytes && seal.sha256 === hash.digest('hex');
    if (!isTrue) throw new ArchiveFault('its rows are not those that were written');
  }

  seal(): TableSeal {
    if (!this.#seal) throw new Error(`The table ${this.table.name} was not read to its end`);
    return this.#seal;
  }
}

function addFile(files: Map<KeptFile, Buffer>, { name, body }: ArchiveEntry): void {
  const short = name.replace(/^files\//, '');
  if (!isKeptFile(short) || name !== fileName(short)) throw new ArchiveFault(`${name} does not belong there`);
  files.set(short, body);
}

function checkEnd(end: BackupEnd | null, seals: Map<string, TableSeal>, files: Map<KeptFile, Buffer>): void {
  const rows = [...seals.values()].reduce((sum, seal) => sum + seal.rows, 0);
  const hashes = [...files].map(([name, body]) => [name, createHash('sha256').update(body).digest('hex')]);
  const isTrue =
    end?.tables === seals.size &&
    end.rows === rows &&
    Object.keys(end.files).length === files.size &&
    hashes.every(([name = '', hash]) => end.files[name] === hash);
  if (!isTrue) throw new ArchiveFault('its sums are wrong');
}

async function passOver(_: BackupTable, parts: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of parts);
}

function explain(error: unknown, path: string, place: string): unknown {
  const code = errorCode(error);
  if (code === 'ENOENT') return new NotTriedError(`There is no file ${path}.`);
  if (code === 'EISDIR') return new NotTriedError(`${path} is a folder: give a backup file in it.`);
  if (code === 'EACCES' || code === 'EPERM')
    return new NotTriedError(`${path} can't be read by this user: allow it, or give another file.`);
  if (!(error instanceof ArchiveFault) && !code.startsWith('Z_')) return error;
  const reason = error instanceof Error ? error.message : '';
  return new BackupError(
    `${path} can't be used: it is damaged or cut short at ${place} (${reason}). Nothing was changed; use another backup.`,
  );
}
