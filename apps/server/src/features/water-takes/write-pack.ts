import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { inTurns } from '../../jobs/in-turns.ts';

/** A file as it was written, in pieces: one of a hundred megabytes is never one text, nor hashed at once. */
export interface PackedFile {
  readonly name: string;
  readonly pieces: readonly Uint8Array[];
  readonly sha256: string;
}

interface Written {
  readonly name: string;
  readonly pieces: Iterable<string | Uint8Array> | AsyncIterable<string>;
}

/** Characters that are a piece at least. */
const PIECE = 16_384;

/** Written a few pieces at a time: others go first in between, also while what comes page by page is read. */
export async function packedFile({ name, pieces }: Written): Promise<PackedFile> {
  const hash = createHash('sha256');
  const piece = (part: string | Uint8Array): Uint8Array => {
    const bytes = Buffer.from(part);
    hash.update(bytes);
    return bytes;
  };
  const made: Uint8Array[] = [];
  if (Symbol.asyncIterator in pieces) for await (const part of pieces) made.push(piece(part));
  else made.push(...(await inTurns(mapped(joined(pieces), piece))));
  return { name, pieces: made, sha256: hash.digest('hex') };
}

function* mapped<T, U>(items: Iterable<T>, of: (item: T) => U): Generator<U, void> {
  for (const item of items) yield of(item);
}

/** Short texts put together. */
function* joined(parts: Iterable<string | Uint8Array>): Generator<string | Uint8Array, void> {
  let text = '';
  for (const part of parts) {
    if (typeof part !== 'string') yield part;
    else if ((text += part).length >= PIECE) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/**
 * A zip of these files and of manifest.json, which has the hash of each beside what was asked for. `at` dates the files: the same
 * files at the same `at` are the same bytes.
 */
export async function writePack(files: readonly PackedFile[], asked: object, at: Date): Promise<Buffer> {
  const hashes = files.map(({ name, sha256 }) => ({ name, sha256 }));
  const manifest = `${JSON.stringify({ version: 1, ...asked, files: hashes }, null, 2)}\n`;
  const zip = new ZipFile();
  const all = [...files, { name: 'manifest.json', pieces: [Buffer.from(manifest)] }];
  for (const { name, pieces } of all) zip.addReadStream(Readable.from(pieces), name, { mtime: at });
  zip.end();
  const made: Buffer[] = [];
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) made.push(piece);
  return Buffer.concat(made);
}
