import { describe, expect, it } from 'vitest';
import { createCodecKit } from '../../../testing/codec-kit.ts';

const { run, check } = createCodecKit();

/** The bytes 0E E4 as a number of two bytes: 3812. */
const millivolts = '{ mV: bytes[0] * 256 + bytes[1], port: port }';
const inner = `function decodeUplink(input) { var bytes = input.bytes, port = input.fPort; return { data: ${millivolts} }; }`;

describe('a script as network servers ship it is decoded:', () => {
  it.each([
    ['a function at the top', inner],
    ['a constant at the top', `const decodeUplink = ({ bytes, fPort: port }) => ({ data: ${millivolts} });`],
    ['exports.decodeUplink', `${inner.replace('decodeUplink', 'read')} exports.decodeUplink = read;`],
    [
      'module.exports',
      `module.exports = { decodeUplink: ${inner.replace('decodeUplink', '')}, encodeDownlink() {} };`,
    ],
    ['module.exports.default', `module.exports.default = { decodeUplink: ${inner} };`],
    ['exports given a new object', `exports = { decodeUplink: ${inner} };`],
    ['exports.driver', `exports.driver = { decodeUplink: ${inner} };`],
    ['var driver', `var driver = { scale: 256, decodeUplink: ${inner} };`],
    ['const driver', `const driver = { decodeUplink: ${inner} };`],
    [
      'a bundle that ends in var driver',
      `var driver; (() => { var e = {}; ${inner} Object.defineProperty(e, 'decodeUplink', { enumerable: true, get: () => decodeUplink }); driver = e; })();`,
    ],
    ['an object of another name', `var codec = { decodeUplink: ${inner} };`],
    [
      'a universal module definition',
      `(function (root, make) { typeof exports === 'object' ? make(exports) : make(root.codec = {}); })(this, function (e) { e.decodeUplink = ${inner}; });`,
    ],
    ['export function', `export ${inner}`],
    ['export of a list', `${inner}\nexport { decodeUplink };`],
    ['export default', `export default { decodeUplink: ${inner} };`],
    [
      'this of its own object',
      `var driver = { high: 256, decodeUplink(i) { var bytes = i.bytes, port = i.fPort;
      return { data: { mV: bytes[0] * this.high + bytes[1], port: port } }; } };`,
    ],
    ['Decode of ChirpStack v3', `function Decode(port, bytes, variables) { return ${millivolts}; }`],
    ['Decoder of The Things Network v2', `function Decoder(bytes, port) { return ${millivolts}; }`],
    ['Decoder in exports', `exports.Decoder = function (bytes, port) { return ${millivolts}; };`],
    ['data without a wrapping', `function decodeUplink({ bytes, fPort: port }) { return ${millivolts}; }`],
    ['a byte order mark before it', `\uFEFF${inner}`],
  ])('%s', async (_what, script) => {
    expect(await check(script)).toEqual({ kind: 'accepted' });
    expect(await run(script)).toMatchObject({ data: { mV: 3812, port: 2 } });
  });

  it('the newest of several dialects in one script', async () => {
    const all = `function Decoder() { return { by: 'v2' }; } function Decode() { return { by: 'v3' }; }
      exports.decodeUplink = () => ({ data: { by: 'TS013' } });`;
    expect(await run(all)).toMatchObject({ data: { by: 'TS013' } });
  });

  it('one of 250 KiB, and nothing of what it does with its own prototypes disturbs that', async () => {
    const table = `var table = ${JSON.stringify(Array.from({ length: 40_000 }, (_, n) => n % 1000))};`;
    const script = `${table} Object.prototype.module = 1; Array.prototype.extra = 2; ${inner}`.padEnd(
      250 * 1024,
    );
    expect(await run(script)).toMatchObject({ data: { mV: 3812 } });
  });
});

describe('a script is refused with what to change:', () => {
  it.each([
    [
      "const crypto = require('crypto');",
      "require('crypto') isn't available here: put what the script takes",
    ],
    [
      "import { x } from './other.js'; export function decodeUplink() {}",
      "import from './other.js' isn't available here",
    ],
    ['setTimeout(function () {}, 1);', "setTimeout isn't available here: a codec answers at once"],
    ['window.decode = 1;', "window isn't available here: take out the lines that use it"],
    [
      'var reader = { decode: function (bytes) {} };',
      'there is no function decodeUplink (nor an older Decode or Decoder)',
    ],
    ['export const version = 1;', 'there is no function decodeUplink'],
  ])('%s', async (script, message) => {
    const outcome = await check(script);
    expect(outcome).toMatchObject({ kind: 'failed', message: expect.stringContaining(message) as string });
  });
});

describe('normalizeUplink', () => {
  const decode = 'function decodeUplink() { return { data: { t: 21.5 } }; }';
  it.each([
    [
      'is given the data',
      'function normalizeUplink(i) { return { data: [{ air: { temperature: i.data.t } }] }; }',
      { normalized: [{ air: { temperature: 21.5 } }], normalizing: null },
    ],
    [
      'may find errors',
      'function normalizeUplink() { return { errors: ["no"] }; }',
      { normalized: null, normalizing: ['no'] },
    ],
    [
      'that throws leaves the data',
      'function normalizeUplink() { null.x; }',
      { normalizing: expect.stringContaining('TypeError') as string },
    ],
  ])('%s', async (_what, normalize, expected) => {
    expect(await run(`${decode} ${normalize}`)).toMatchObject({ data: { t: 21.5 }, ...expected });
    expect(
      await run(`exports.decodeUplink = ${decode}; exports.normalizeUplink = ${normalize}`),
    ).toMatchObject(expected);
  });
});

describe('what published scripts use besides the language', () => {
  const decoding = (expression: string) =>
    `function decodeUplink(input) { return { data: { v: ${expression} } }; }`;
  it.each([
    ['Buffer.from(input.bytes).readUInt16BE(0)', 3812],
    ["Buffer.from('0ee4', 'hex').readInt16LE(0)", -7154],
    ["Buffer.from(input.bytes).toString('hex')", '0ee401'],
    ["Buffer.from(input.bytes).toString('base64')", 'DuQB'],
    ["Buffer.from('41c80000', 'hex').readFloatBE(0)", 25],
    ['Buffer.concat([Buffer.alloc(1), Buffer.from([7])]).length', 2],
    ['new Buffer(input.bytes).slice(1).readUInt8(0)', 228],
    ['new TextDecoder().decode(new Uint8Array([0xe2, 0x82, 0xac, 0xff]))', '€\uFFFD'],
    ["new TextDecoder('utf-16le').decode(Buffer.from([0x41, 0]))", 'A'],
    ["new TextDecoder('latin1').decode(new Uint8Array([0x80, 0xe9]))", '€é'],
    ["Array.from(new TextEncoder().encode('€'))", [0xe2, 0x82, 0xac]],
    ["btoa('\\x0e\\xe4')", 'DuQ='],
    ["atob(' DuQ= ').charCodeAt(1)", 228],
    ['console.log("heard", input) === undefined', true],
  ])('%s', async (expression, value) => {
    expect(await run(decoding(expression))).toMatchObject({ data: { v: value } });
  });

  it.each([
    ["new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff]))", 'not valid utf-8'],
    ["new TextDecoder('koi8-r')", 'the encoding koi8-r is not known here'],
    ["atob('a')", 'not base64'],
    ["btoa('€')", 'outside of Latin-1'],
    ['Buffer.alloc(2 ** 40)', 'RangeError'],
  ])('%s throws', async (expression, reason) => {
    expect(await run(decoding(expression))).toEqual({ threw: expect.stringContaining(reason) as string });
  });
});
