import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * What network servers and browsers give scripts besides the language: Buffer, TextDecoder, TextEncoder, atob and btoa, all of them
 * JavaScript inside the sandbox. Source that uses `give(name, value)`.
 */
export function guestGlobals() {
  const own = createRequire(import.meta.url).resolve('buffer/');
  const beside = createRequire(own);
  const source = (/** @type {string} */ file) => `function (exports, module, require) {
${readFileSync(file, 'utf8')}
}`;
  return `const parts = {
    'base64-js': ${source(beside.resolve('base64-js'))},
    'ieee754': ${source(beside.resolve('ieee754'))},
    'buffer': ${source(own)},
  };
  const load = function (name) {
    const part = { exports: {} };
    apply(parts[name], undefined, [part.exports, part, load]);
    return part.exports;
  };
  const { Buffer } = load('buffer');
  give('Buffer', Buffer);
  ${texts}`;
}

/** 0x80 to 0x9F of windows-1252, which the labels latin1 and ascii mean too. */
const windows1252 =
  '\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F' +
  '\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178';

const texts = String.raw`
  const bytesOf = function (input) {
    if (input === undefined) return Buffer.alloc(0);
    if (isView(input)) return Buffer.from(input.buffer, input.byteOffset, input.byteLength);
    if (input instanceof ArrayBuffer) return Buffer.from(input);
    throw new TypeError('TextDecoder.decode takes bytes: an ArrayBuffer, a typed array or a Buffer');
  };
  const high = ${JSON.stringify(windows1252)};
  const encodings = {
    'utf-8': function (bytes) { return bytes.toString('utf8'); },
    'utf-16le': function (bytes) { return bytes.toString('utf16le'); },
    'windows-1252': function (bytes) {
      return bytes.toString('latin1').replace(/[\x80-\x9f]/g, function (one) { return high[one.charCodeAt(0) - 0x80]; });
    },
  };
  const labels = {
    'utf-8': 'utf-8', utf8: 'utf-8', 'unicode-1-1-utf-8': 'utf-8', 'utf-16': 'utf-16le', 'utf-16le': 'utf-16le',
    'windows-1252': 'windows-1252', latin1: 'windows-1252', 'iso-8859-1': 'windows-1252', ascii: 'windows-1252',
    'us-ascii': 'windows-1252',
  };
  give('TextDecoder', class TextDecoder {
    constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      const encoding = labels[String(label).trim().toLowerCase()];
      if (!encoding) throw new RangeError('TextDecoder: the encoding ' + label + ' is not known here');
      defineProperty(this, 'encoding', { value: encoding });
      defineProperty(this, 'fatal', { value: Boolean(fatal) });
      defineProperty(this, 'ignoreBOM', { value: Boolean(ignoreBOM) });
    }
    decode(input) {
      const bytes = bytesOf(input);
      const text = encodings[this.encoding](bytes);
      if (this.fatal && this.encoding === 'utf-8' && !Buffer.from(text, 'utf8').equals(bytes))
        throw new TypeError('The encoded data was not valid utf-8');
      return text.charCodeAt(0) === 0xfeff && !this.ignoreBOM ? text.slice(1) : text;
    }
  });
  give('TextEncoder', class TextEncoder {
    get encoding() { return 'utf-8'; }
    encode(text = '') { return new Uint8Array(Buffer.from(String(text), 'utf8')); }
  });
  give('btoa', function btoa(text) {
    const raw = String(text);
    if (/[^\x00-\xff]/.test(raw)) throw new RangeError('btoa: a character is outside of Latin-1');
    return Buffer.from(raw, 'latin1').toString('base64');
  });
  give('atob', function atob(text) {
    const packed = String(text).replace(/[\t\n\f\r ]/g, '');
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(packed) || packed.replace(/=+$/, '').length % 4 === 1)
      throw new TypeError('atob: the text is not base64');
    return Buffer.from(packed, 'base64').toString('latin1');
  });
`;
