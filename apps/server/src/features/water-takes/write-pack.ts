import { createHash } from 'node:crypto';
import { ZipFile } from 'yazl';

export interface PackedFile {
  readonly name: string;
  readonly content: Uint8Array;
}

export const sha256 = (content: Uint8Array | string): string =>
  createHash('sha256').update(content).digest('hex');

/**
 * A zip of these files and of manifest.json, which has the hash of each beside what was asked for. `at` dates the files: the same
 * files at the same `at` are the same bytes.
 */
export async function writePack(files: readonly PackedFile[], asked: object, at: Date): Promise<Buffer> {
  const hashes = files.map(({ name, content }) => ({ name, sha256: sha256(content) }));
  const manifest = `${JSON.stringify({ version: 1, ...asked, files: hashes }, null, 2)}\n`;
  const zip = new ZipFile();
  const all = [...files, { name: 'manifest.json', content: Buffer.from(manifest) }];
  for (const { name, content } of all) zip.addBuffer(Buffer.from(content), name, { mtime: at });
  zip.end();
  const pieces: Buffer[] = [];
  for await (const piece of zip.outputStream as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
