import { fromBuffer } from 'yauzl';
import { FileFault, count } from './file-fault.mjs';

/** @typedef {import('yauzl').Entry} Entry @typedef {import('yauzl').ZipFile} ZipFile */

const MAX = { entries: 100, bytes: 20 * 1024 * 1024, ratio: 100 };
/** A small file of blanks packs better than any bomb that matters. */
const RATIO_FROM = 1024 * 1024;

/** @param {Buffer} bytes */
export const isArchive = (bytes) => bytes.length > 3 && bytes.readUInt32LE(0) === 0x04034b50;

/**
 * The KML file of a KMZ archive: doc.kml, else the first .kml at its root, else the only one. Nothing else is unpacked, and nothing is
 * written.
 * @param {Buffer} bytes
 * @returns {Promise<Buffer>}
 */
export async function unpackKmz(bytes) {
  const zip = await opened(bytes);
  try {
    const entries = await entriesOf(zip);
    return await contentOf(zip, kmlAmong(entries));
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

/** @param {ZipFile} zip @returns {Promise<Entry[]>} */
const entriesOf = (zip) =>
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
      if (bytes > MAX.bytes) return reject(new FileFault('The archive unpacks to more than 20 MB.'));
      zip.readEntry();
    });
    if (zip.entryCount > MAX.entries) return reject(tooMany(zip.entryCount));
    zip.readEntry();
  });

/** @param {number} n */
const tooMany = (n) => new FileFault(`The archive holds ${count(n)} files. The most is ${MAX.entries}.`);

/** @param {Entry[]} entries */
function kmlAmong(entries) {
  const names = entries.map(({ fileName }) => fileName);
  if (names.includes('[Content_Types].xml'))
    throw new FileFault(
      'This is an Excel workbook. Save it as CSV UTF-8, and choose that file as a list of devices.',
    );
  if (names.some((name) => /\.shp$/i.test(name)))
    throw new FileFault('This is a shapefile. Export the layer as GeoJSON in WGS 84, and choose that file.');
  const kml = entries.filter(({ fileName }) => /\.kml$/i.test(fileName));
  const docs = kml.filter(({ fileName }) => fileName.toLowerCase() === 'doc.kml');
  if (docs.length > 1) throw new FileFault('The archive holds two files named doc.kml. Please make it anew.');
  const found =
    docs[0] ?? kml.find(({ fileName }) => !fileName.includes('/')) ?? (kml.length === 1 ? kml[0] : undefined);
  if (!found)
    throw new FileFault(
      kml.length > 1
        ? 'The archive holds several KML files, and none of them is doc.kml. Unpack it and choose one.'
        : 'The archive holds no KML file.',
    );
  if (found.isEncrypted()) throw new FileFault('The archive is encrypted. Save it without a password.');
  return found;
}

/** @param {ZipFile} zip @param {Entry} entry @returns {Promise<Buffer>} */
const contentOf = (zip, entry) =>
  new Promise((resolve, reject) => {
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
        if (isBomb || bytes > MAX.bytes)
          stream.destroy(
            new FileFault(
              isBomb
                ? `The archive unpacks to more than ${MAX.ratio} times its size.`
                : 'The archive unpacks to more than 20 MB.',
            ),
          );
      });
    });
  });
