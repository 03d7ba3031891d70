// JavaScript, as the program that it runs in; the types are in comments and checked.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { packOfPages } from '@headrace/paper/reports/pack-pages';
import { takeTables } from '@headrace/paper/reports/take-pack';
import { takePaper, takeSummary } from '@headrace/paper/reports/take-paper';
import { writePdf } from '@headrace/paper/write-pdf';
import { ZipFile } from 'yazl';

/**
 * A file as it was written, in pieces: one of a hundred megabytes is never one text, nor hashed at once.
 * @typedef {{ readonly name: string, readonly pieces: readonly Uint8Array[], readonly sha256: string }} PackedFile
 *
 * @typedef {object} Making
 * @property {() => Promise<import('@headrace/paper/reports/pack-pages').PackPage | null>} next the order's next page
 * @property {import('@headrace/paper/fonts').Fonts} fonts
 * @property {(part: number, text: string) => void} onStep how far it is, 0 to 1, and what is done now
 * @property {(times: import('./give-pages.ts').MissingTimes) => Promise<void>} onMissing what it lacks; resolves once that is known
 */

/** Characters that are a piece at least. */
const PIECE = 16_384;

/**
 * What a council is handed, in one file: tables, their summary on paper with the hash of each, and manifest.json, which has the hashes
 * beside what was asked for. `made.at` dates the files: the same figures are the same bytes.
 * @param {import('@headrace/paper/reports/pack-pages').PackOrder} order @param {Making} making
 */
export async function writePack(order, { next, fonts, onStep, onMissing }) {
  const { made, asked } = order;
  const data = await packOfPages(order, next);
  await onMissing(missingOf(data.days.gaps));
  /** @type {PackedFile[]} */
  const tables = [];
  for (const table of takeTables(data, made)) tables.push(await packedFile(table));
  onStep(0.6, 'The summary is drawn.');
  const pdf = await writePdf(takePaper(takeSummary(data, tables), made), fonts, deflateSync);
  onStep(0.9, 'The files are packed.');
  const files = [await packedFile({ name: 'summary.pdf', pieces: [pdf] }), ...tables];
  const hashes = files.map(({ name, sha256 }) => ({ name, sha256 }));
  const manifest = `${JSON.stringify({ version: 1, ...asked, files: hashes }, null, 2)}\n`;
  return zipOf([...files, { name: 'manifest.json', pieces: [Buffer.from(manifest)] }], new Date(made.at));
}

/**
 * The newest gap is the first.
 * @param {readonly { readonly from: string, readonly to: string }[]} gaps
 * @returns {import('./give-pages.ts').MissingTimes}
 */
const missingOf = (gaps) =>
  gaps.toReversed().map(({ from, to }) => /** @type {const} */ ([Date.parse(from), Date.parse(to)]));

/**
 * @param {{ name: string, pieces: Iterable<string | Uint8Array> | AsyncIterable<string> }} written
 * @returns {Promise<PackedFile>}
 */
async function packedFile({ name, pieces }) {
  const hash = createHash('sha256');
  /** @type {Uint8Array[]} */
  const made = [];
  for await (const part of Symbol.asyncIterator in pieces ? pieces : joined(pieces)) {
    const bytes = Buffer.from(part);
    hash.update(bytes);
    made.push(bytes);
  }
  return { name, pieces: made, sha256: hash.digest('hex') };
}

/** Short texts put together. @param {Iterable<string | Uint8Array>} parts */
function* joined(parts) {
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

/** In memory of its own, so that it can be handed over. @param {readonly Pick<PackedFile, 'name' | 'pieces'>[]} files @param {Date} mtime */
async function zipOf(files, mtime) {
  const zip = new ZipFile();
  for (const { name, pieces } of files) zip.addReadStream(Readable.from(pieces), name, { mtime });
  zip.end();
  /** @type {Buffer[]} */
  const made = [];
  for await (const piece of zip.outputStream) made.push(/** @type {Buffer} */ (piece));
  const whole = new Uint8Array(made.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of made) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
