import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createGzipInParts } from './gzip-in-parts.ts';

const MEBIBYTE = 1024 * 1024;
const compressed = (chunks: Buffer[]) => buffer(Readable.from(chunks).pipe(createGzipInParts({ level: 1 })));
const text = (bytes: number) => Buffer.alloc(bytes, 'Pāmu 井戸 {"level":0.5},');

it.each([
  ['nothing', []],
  ['one byte', [Buffer.from('a')]],
  ['a text of less than a part', [text(5000)]],
  ['exactly one part', [text(MEBIBYTE)]],
  ['one byte more than a part', [text(MEBIBYTE + 1)]],
  ['several parts at once', [text(3 * MEBIBYTE + 77)]],
  ['what can not be made smaller', [randomBytes(2 * MEBIBYTE + 5)]],
  ['many small chunks', Array.from({ length: 300 }, (_, nth) => text(7000 + nth))],
  ['chunks of all sizes', [text(10), randomBytes(MEBIBYTE - 1), text(2 * MEBIBYTE), text(3)]],
])('what comes out is what went in: %s', async (_, chunks) => {
  // gunzip checks the checksum and the size.
  expect(gunzipSync(await compressed(chunks)).equals(Buffer.concat(chunks))).toBe(true);
});

it('is hardly larger in parts than in one', async () => {
  const units = Array.from(
    { length: 40_000 },
    (_, nth) => `{"name":"A${nth}","level":${(nth * 7919) % 101}}`,
  );
  const bytes = Buffer.from(units.join());
  const inOne = await compressed([bytes.subarray(0, MEBIBYTE - 1)]);
  const inParts = await compressed([bytes]);
  expect(inParts.length / bytes.length).toBeLessThan((inOne.length / (MEBIBYTE - 1)) * 1.01);
});

it('ends when whoever reads goes away in the middle', async () => {
  const stream = createGzipInParts();
  const ended = new Promise((resolve) => stream.once('close', resolve));
  Readable.from([text(8 * MEBIBYTE)]).pipe(stream);
  stream.once('data', () => stream.destroy());
  await ended;
  expect(stream.destroyed).toBe(true);
});
