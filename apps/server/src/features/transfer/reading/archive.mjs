import { fromBuffer } from 'yauzl';
import { FileFault, count } from './file-fault.mjs';

/** @typedef {import('yauzl').Entry} Entry @typedef {import('yauzl').ZipFile} ZipFile */

const MAX = { entries: 100, ratio: 100 };
/** A small file of blanks packs better than any bomb that matters. */
const RATIO_FROM = 1024 * 1024;

/** @param {Buffer} bytes */
export const isArchive = (bytes) => bytes.length > 3 && bytes.readUInt32LE(0) === 0x04034b50;

/**
 * What is done with an archive while it is open. Nothing is unpacked but what is asked for, and nothing is written.
 * @template T
 * @param {Buffer} bytes
 * @param {number} most bytes that it may unpack to
 * @param {(entries: Entry[], contentOf: (entry: Entry) => Promise<Buffer>) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withArchive(bytes, most, work) {
  const zip = await opened(bytes);
  try {
    const entries = await entriesOf(zip, most);
    return await work(entries, (entry) => contentOf(zip, entry, most));
  } finally {
    zip.close();
  }
}

/** @param {Buffer} bytes @returns {Promise<ZipFile>} */
const opened = (bytes) =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true, autoClose: false }, (error, zip) =>
      error ? reject(damaged(error)) : resolve(zip),
    );
  });

/** @param {Error} error */
const damaged = ({ message }) =>
  new FileFault(
    /relative path|absolute path|invalid characters/i.test(message)
      ? 'The archive names a file outside of itself. Please make it anew.'
      : `The archive is damaged (${message.slice(0, 80)}). Please make it anew.`,
  );

/** @param {ZipFile} zip @param {number} most @returns {Promise<Entry[]>} */
const entriesOf = (zip, most) =>
  new Promise((resolve, reject) => {
    /** @type {Entry[]} */
    const entries = [];
    let bytes = 0;
    zip.on('error', (error) => reject(damaged(error)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (/** @type {Entry} */ entry) => {
      entries.push(entry);
      bytes += entry.uncompressedSize;
      if (entries.length > MAX.entries) return reject(tooMany(zip.entryCount));
      if (bytes > most) return reject(tooLarge(most));
      zip.readEntry();
    });
    if (zip.entryCount > MAX.entries) return reject(tooMany(zip.entryCount));
    zip.readEntry();
  });

/** @param {number} n */
const tooMany = (n) => new FileFault(`The archive holds ${count(n)} files. The most is ${MAX.entries}.`);

/** @param {number} most */
const tooLarge = (most) => new FileFault(`The archive unpacks to more than ${most / 1024 / 1024} MB.`);

/** @param {ZipFile} zip @param {Entry} entry @param {number} most @returns {Promise<Buffer>} */
const contentOf = (zip, entry, most) =>
  new Promise((resolve, reject) => {
    if (entry.isEncrypted())
      return reject(new FileFault('The archive is encrypted. Save it without a password.'));
    zip.openReadStream(entry, (error, stream) => {
      if (error) return reject(damaged(error));
      /** @type {Buffer[]} */
      const pieces = [];
      let bytes = 0;
      stream.on('error', (fault) => reject(fault instanceof FileFault ? fault : damaged(fault)));
      stream.on('end', () => resolve(Buffer.concat(pieces)));
      stream.on('data', (/** @type {Buffer} */ piece) => {
        pieces.push(piece);
        bytes += piece.length;
        const isBomb = bytes > RATIO_FROM && bytes > entry.compressedSize * MAX.ratio;
        if (isBomb)
          stream.destroy(new FileFault(`The archive unpacks to more than ${MAX.ratio} times its size.`));
        else if (bytes > most) stream.destroy(tooLarge(most));
      });
    });
  });
