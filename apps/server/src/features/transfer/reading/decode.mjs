import { gunzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import { FileFault, shown } from './file-fault.mjs';

const MB = 1024 * 1024;
/** The most that a file has, bytes. */
const BYTES_MAX = 10 * MB;
/** The most that a packed one unpacks to: site.json of 5,000 sprinklers has 6 MB for each of their schedule sets. */
const UNPACKED_MAX = 40 * MB;

/**
 * The bytes of a data URL, or of the text itself.
 * @param {string} data
 */
export function bytesOf(data) {
  const comma = data.startsWith('data:') ? data.slice(0, 200).indexOf(',') : -1;
  const isUrl = comma > 0 && data.slice(0, comma).endsWith(';base64');
  const bytes = isUrl ? fromBase64(data.slice(comma + 1)) : Buffer.from(data);
  if (bytes.length > BYTES_MAX)
    throw new FileFault(`The file has ${(bytes.length / MB).toFixed(1)} MB. The most is 10 MB.`);
  if (bytes.length === 0) throw new FileFault('The file is empty.');
  return isPacked(bytes) ? unpacked(bytes) : bytes;
}

/** gzip, by which a browser sends what is longer. @param {Buffer} bytes */
const isPacked = ([first, second]) => first === 0x1f && second === 0x8b;

/** @param {Buffer} bytes */
function unpacked(bytes) {
  try {
    return gunzipSync(bytes, { maxOutputLength: UNPACKED_MAX });
  } catch (error) {
    const isLarge = error instanceof RangeError;
    throw new FileFault(
      isLarge
        ? `The file unpacks to more than ${UNPACKED_MAX / MB} MB.`
        : 'The file was damaged on its way. Please choose it again.',
    );
  }
}

/** @param {string} text */
function fromBase64(text) {
  const bytes = Buffer.from(text, 'base64');
  // Node passes over what isn't base64: then there are fewer bytes than there should be.
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  if (text.length % 4 !== 0 || bytes.length !== (text.length / 4) * 3 - padding)
    throw new FileFault('The file was damaged on its way. Please choose it again.');
  return bytes;
}

/** @typedef {{ text: string, note: string }} Decoded `note`: how it was understood, where that is a guess */

/**
 * @param {Buffer} bytes
 * @returns {Decoded}
 */
export function decode(bytes) {
  const utf16 = utf16Of(bytes);
  if (utf16) return { text: textIn(utf16, bytes), note: '' };
  const declared = declaredIn(bytes);
  if (declared !== 'utf-8') return { text: iconv.decode(bytes, declared), note: '' };
  try {
    return { text: textIn('utf-8', bytes), note: '' };
  } catch {
    const note = 'Read as Windows-1252: please check names with macrons and accents.';
    return { text: iconv.decode(bytes, 'windows-1252'), note };
  }
}

/** @param {Buffer} bytes */
function utf16Of([first, second]) {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/**
 * @param {string} encoding
 * @param {Buffer} bytes
 */
function textIn(encoding, bytes) {
  if (encoding === 'utf-16be') return iconv.decode(bytes, encoding);
  return new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes);
}

const ENCODINGS = ['utf-8', 'us-ascii', 'iso-8859-1', 'iso-8859-15', 'windows-1252'];

/**
 * What the declaration of an XML file says.
 * @param {Buffer} bytes
 */
function declaredIn(bytes) {
  const start = bytes.subarray(0, 200).toString('latin1');
  const [, name = 'utf-8'] =
    /^(?:\u00EF\u00BB\u00BF)?\s{0,20}<\?xml[^>]{0,150}?encoding\s{0,9}=\s{0,9}["']([^"'>]{1,40})["']/.exec(
      start,
    ) ?? [];
  const encoding = name.toLowerCase();
  if (ENCODINGS.includes(encoding)) return encoding === 'us-ascii' ? 'utf-8' : encoding;
  throw new FileFault(`The file's encoding '${shown(name)}' isn't read here. Save it as UTF-8.`);
}
