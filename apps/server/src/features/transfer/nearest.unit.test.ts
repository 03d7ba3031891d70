import { expect, it } from 'vitest';
import { createNearest, didYouMean } from './nearest.ts';

const near = (known: readonly string[], wanted: string) => createNearest(() => known)(wanted);

it.each([
  // The same but for case, blanks, dashes, macrons and zeros in front.
  [['IPC-00123', 'IPC00124'], 'ipc 00123', ['IPC-00123']],
  [['Wāhi tuatahi'], 'wahi-tuatahi', ['Wāhi tuatahi']],
  [['000123'], '123', ['000123']],
  // One character more, fewer or another.
  [['IPC1234', 'IPC9999'], 'IPC1235', ['IPC1234']],
  [['IPC1234'], 'IPC124', ['IPC1234']],
  [['IPC1234'], 'IPC12345', ['IPC1234']],
  // Two are too many, though without one character each they are alike.
  [['IPC1234'], 'IPC2341', []],
  [['IPC1234'], 'IPC1299', []],
  // Short names are all near one another.
  [['A1', 'A3'], 'A2', []],
  [['IPC1230', 'IPC1231', 'IPC1232', 'IPC1233'], 'IPC1239', ['IPC1230', 'IPC1231', 'IPC1232']],
  [[], '', []],
])('of %j, near %j are %j', (known, wanted, found) => {
  expect(near(known, wanted)).toEqual(found);
});

it('thousands are found among thousands in the blink of an eye', () => {
  const known = Array.from({ length: 5000 }, (_none, n) => `IPC${String(n * 7).padStart(12, '0')}`);
  const nearest = createNearest(() => known);
  // Of the processor's time: what else a busy machine does is none of it.
  const begun = process.cpuUsage();
  const found = known.map((serial) => nearest(`${serial.slice(0, -1)}x`)[0]);
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(3000);
  expect(found.slice(0, 3).every((serial) => serial?.startsWith('IPC0000000000'))).toBe(true);
});

it('is asked in a sentence', () => {
  expect([[], ['A'], ['A', 'B', 'C']].map(didYouMean)).toEqual([
    '',
    ' Did you mean A?',
    ' Did you mean A, B or C?',
  ]);
});
