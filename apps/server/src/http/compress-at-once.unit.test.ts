import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify from 'fastify';
import { expect, it } from 'vitest';
import { compressAtOnce } from './compress-at-once.ts';

const text = 'Pāmu 井戸 {"level":0.5},'.repeat(100);

async function get(encodings: string | undefined, sent: string = text) {
  const app = fastify();
  compressAtOnce(app, { gzip: 1, brotli: 5 });
  app.get('/', () => sent);
  const headers = encodings === undefined ? {} : { 'accept-encoding': encodings };
  const { headers: said, rawPayload } = await app.inject({ url: '/', headers });
  await app.close();
  return {
    encoding: said['content-encoding'],
    vary: said.vary,
    length: Number(said['content-length']),
    bytes: rawPayload,
  };
}

it.each([
  ['gzip', 'gzip', gunzipSync],
  ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
  ['br;q=0.1, gzip', 'gzip', gunzipSync],
] as const)('a browser that takes %s is sent %s', async (asked, encoding, read) => {
  const reply = await get(asked);
  expect(reply).toMatchObject({ encoding, vary: 'accept-encoding', length: reply.bytes.length });
  expect(read(reply.bytes).toString()).toBe(text);
});

it.each([
  ['who says nothing of it', undefined, text],
  ['who wants none', 'identity', text],
  ['who is told little', 'gzip', 'x'.repeat(1023)],
  ['who is told much, by somebody else', 'gzip', 'x'.repeat(98_305)],
])('text as it is for one %s', async (_, asked, sent) => {
  const reply = await get(asked, sent);
  expect(reply.encoding).toBeUndefined();
  expect(reply.bytes.toString()).toBe(sent);
});
