import { expect, test } from 'vitest';
import { serialIn } from './serial-text.ts';

/** The example of GS1's specifications. Weighed 3, 1, 3…: 0+9+15+0+18+0+0+0+3+3+12+3+15+2 = 80, full tens. */
const article = '09506000134352';

test.each([
  ['alone', 'IPC10001', 'IPC10001'],
  ['with leading zeros', '000042', '000042'],
  ['with what scanners and web pages add', '\t IPC10001\u200B\r\n', 'IPC10001'],
  ['in wide letters', 'ＩＰＣ１', 'IPC1'],
  ['in an address', 'https://farm.example/barcode/IPC10001', 'IPC10001'],
  ['in an address, escaped', 'https://farm.example/app/barcode/A%2F1?x=1#y', 'A/1'],
  ['in an address, escaped wrongly', 'https://farm.example/barcode/A%ZZ', 'A%ZZ'],
  ['as a part of an address', 'HTTPS://maker.example/q?model=7&SerialNumber=%20SN-7%20', 'SN-7'],
  ['in the address that looks a number up', 'https://farm.example/mac/lookup?serial=IPC10001', 'IPC10001'],
  ['in an address of GS1', `https://id.gs1.org/01/${article}/21/SN77?17=300101`, 'SN77'],
  ['in an address of GS1 with a lot', `https://id.gs1.org/01/${article}/10/L1/21/SN77`, 'SN77'],
  ['in a code for trade', `01${article}21SN77`, 'SN77'],
  [
    'in a code for trade, after a date and a lot',
    `]d2\u001D01${article}1730010110LOT\u001D21SN77\u001D240X`,
    'SN77',
  ],
  ['in a code for trade, read out', `(01)${article}(21)SN77(10)L1`, 'SN77'],
  ['in brackets alone', '(21)SN77', 'SN77'],
  [
    'of a LoRaWAN device',
    'LW:D0:1122334455667788:AABBCCDDEEFF0011:AABB1122:OAABBCCDDEEFF:SYYWWNNNNNN:PFOOBAR:CAF2C',
    'YYWWNNNNNN',
  ],
])('a serial number is found %s', (_how, code, serial) => {
  expect(serialIn(code)).toBe(serial);
});

test.each([
  ['an address without one', 'https://maker.example/support'],
  ['an address with an empty one', 'https://maker.example/support?serial='],
  ['another kind of address', 'javascript:alert(1)?serial=1'],
  ['digits that only look like an article', `01095060001343532177`],
  ['an article alone', `01${article}`],
  ['something like an address', 'http://'],
])('%s is given whole', (_what, code) => {
  expect(serialIn(code)).toBe(code);
});
